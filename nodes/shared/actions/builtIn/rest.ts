/** The lists of the REST interface (docs/dev/interface.md, section 4.2): hour codes, and any other by its path. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { type Fields, INT_MAX } from '../../contract/fields';
import { hourCodesGet, paging } from '../../contract/operations';
import { at, collect, collectAll, invalidInput, invalidValue } from '../../values/InputError';
import { formatKeys } from '../../form/fields';
import type { InputItem } from '../../form/inputItem';
import {
	emptyItemOption,
	onIfAdded,
	optionsProperty,
	readNumber,
	readOption,
	readSwitch,
} from '../../form/options';
import { openSchema } from '../../form/output';
import { requestProperties } from '../../form/requestForm';
import { identifierInItem, noticeOf, readScalarParameter } from '../../form/requestValues';
import { outputProperties } from '../../form/tool';
import { AS_TOOL, isTool } from '../../host/nodes';
import { FIRST_PAGE, type PagingOptions, readList, type RestList } from '../../rest/list';
import { checkedPath, filledPath, parameterText } from '../../rest/path';
import type { ActionTexts, ReadAction } from '../../run/action';
import { isEmpty, isObject } from '../../values/values';

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limitProperty: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] }, hide: AS_TOOL },
};

/** In a tool, the model gives a text: agents of version 2 end at an argument of another type. */
const limitOfTool: INodeProperties = {
	...limitProperty,
	type: 'string',
	default: '50',
	placeholder: 'e.g. 50',
	displayOptions: { show: { returnAll: [false], ...AS_TOOL } },
};

const firstPage: INodeProperties = {
	displayName: 'First Page',
	name: 'firstPage',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: FIRST_PAGE,
	description:
		'Number of the first page at the service. Without this option, the node begins with page 1 and also looks for a page 0.',
};

const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	description: 'How many records to ask for in one request',
};

const pagingOptions = [firstPage, pageSize];

/** The option for a list that the service sends at once. */
const notPagedOption: INodeProperties = {
	...onIfAdded,
	displayName: 'Not Paged',
	name: 'notPaged',
	description:
		'Whether the service sends the whole list at once. It is then asked for once, without pageNumber and pageSize.',
};

/** Reads how a list is paged, and how many of its records. @throws {InputError} with every value that is not allowed */
export function readPaging(item: InputItem): PagingOptions {
	const isGiven = ({ name }: INodeProperties) => !isEmpty(item.read(`options.${name}`, null));
	const [isWhole, size, first, limit] = collectAll(
		() => readOption(item, notPagedOption),
		() => readNumber(item, pageSize, 1, INT_MAX),
		() => (isGiven(firstPage) ? readNumber(item, firstPage, 0, INT_MAX) : undefined),
		() =>
			readSwitch(item, returnAll.name, false)
				? undefined
				: readNumber(item, limitProperty, 1, INT_MAX, limitProperty.name),
	);
	return { isWhole, pageSize: size, firstPage: first, limit };
}

/** A list that a node offers: its form, and how that is read. */
interface ListForm extends Pick<ReadAction, 'operation' | 'properties' | 'request'> {
	/** The keys of its items, as far as they are known. */
	readonly keys: Fields;
	readonly options: readonly INodeProperties[];
	/** Returns the list, and the keys of its items. @throws {InputError} with the values that are missing or not allowed */
	read(item: InputItem): RestList & { readonly keys: IDataObject };
}

/** Creates the action for a list. */
export function listAction(list: ListForm, texts: ActionTexts): ReadAction {
	const { properties, options, keys: known, read, ...form } = list;
	return {
		...texts,
		...form,
		kind: 'read',
		effect: 'read',
		takesDomain: false,
		properties: [
			...properties,
			...[returnAll, limitProperty, limitOfTool],
			...outputProperties,
			optionsProperty([...options, emptyItemOption]),
		],
		// The interface does not specify the fields of a record.
		outputSchema: () => openSchema(known),
		prepare([item]) {
			const [{ keys, ...list }, paging, isItemIfEmpty] = collectAll(
				() => read(item),
				() => readPaging(item),
				() => readOption(item, emptyItemOption),
			);
			return {
				subject: list.path,
				keys,
				effect: 'read',
				async read({ exchange, connection }) {
					const { records: rows, leftOut } = await readList(exchange, connection, list, paging);
					const records = rows.length === 0 && isItemIfEmpty ? [{}] : rows;
					if (leftOut === undefined) return { records, notices: [] };
					const { more, total } = leftOut;
					const cut = `'Limit' ${more === true ? 'cut' : 'may have cut'} the list`;
					const text = rows.length < Number(paging.limit) ? 'This is a part of the list' : cut;
					const of = total === undefined ? 'records' : `of ${total} records`;
					const notices = noticeOf('missing', text, [`${rows.length} ${of} of ${list.name}`]);
					return { records, notices, leftOut: { limit: paging.limit, ...leftOut } };
				},
			};
		},
	};
}

const { method, path: hourCodesPath, pathParameters } = hourCodesGet;
const { companyId } = pathParameters;

export const hourCodes: ListForm = {
	operation: `${method} ${hourCodesPath}`,
	properties: requestProperties(pathParameters),
	options: pagingOptions,
	request: { companyId, CompanyId: { ...companyId, isKey: true } },
	// As the SOAP services name it.
	keys: { CompanyId: { kind: 'int' } },
	read: (item) =>
		at('companyId', () => {
			const given = readScalarParameter(item, 'companyId', companyId);
			const id = parameterText(given, 'an identifier');
			return {
				path: filledPath(hourCodesPath, () => [id, []]),
				name: formatKeys(pathParameters, { companyId: id }),
				keys: { CompanyId: identifierInItem(id) },
			};
		}),
};

const TEXT = { kind: 'string' } as const;

function textProperty(displayName: string, example: string, description: string): INodeProperties {
	const name = displayName.toLowerCase();
	const placeholder = `e.g. ${example}`;
	return { displayName, name, type: 'string', default: '', placeholder, description };
}

/** Any list, by its path. */
export const otherList: ListForm = {
	operation: 'GET {path}',
	properties: [
		{
			...textProperty(
				'Path',
				'/api/companies/{companyId}/departments',
				"Path of the list, after 'REST Address' in the credential. A name in braces is a parameter.",
			),
			required: true,
		},
		{
			displayName: 'Parameters',
			name: 'parameters',
			type: 'fixedCollection',
			default: {},
			placeholder: 'Add Parameter',
			typeOptions: { multipleValues: true },
			description:
				'Values for the names in braces of the path. Every other parameter becomes part of the query.',
			options: [
				{
					displayName: 'Parameter',
					name: 'parameter',
					values: [
						textProperty('Name', 'companyId', 'Name of the parameter, as the service spells it'),
						textProperty('Value', '100', 'Value of the parameter. The node encodes it.'),
					],
				},
			],
		},
	],
	options: [...pagingOptions, notPagedOption],
	// As errors name them.
	request: {
		path: TEXT,
		parameters: {
			kind: 'list',
			of: { kind: 'record', type: '', fields: { name: TEXT, value: TEXT } },
		},
	},
	keys: {},
	read(item) {
		const readPath = () => {
			const stored = item.stored('path');
			return checkedPath(item.read('path', ''), isTool(item.node) ? String(stored) : '');
		};
		const readName = (value: unknown) => {
			const name = parameterText(value);
			const isOwn = (own: string) => own.toLowerCase() === name.toLowerCase();
			if (!Object.values(paging).some(isOwn)) return name;
			const text = "is sent by the node: see 'Page Size' and 'First Page' in the options.";
			throw invalidValue(name, text);
		};
		const readRows = () => {
			const given = item.read('parameters', {});
			const rows = isObject(given) ? (given.parameter ?? []) : given;
			if (!Array.isArray(rows)) throw invalidValue(given, 'is not a list.');
			const readRow = (row: unknown) => {
				const { name, value } = isObject(row) ? row : {};
				return collectAll(
					() => at('name', () => readName(name)),
					() => at('value', () => parameterText(value)),
				);
			};
			return collect(rows, readRow, (_, i) => i);
		};
		const [path, parameters] = collectAll(
			() => at('path', readPath),
			() => at('parameters', readRows),
		);
		const keys = new Map<string, number | string>();
		const name = filledPath(path, (part) => {
			const [first, second] = [...parameters.entries()].filter(([, [own]]) => own === part);
			if (first === undefined) {
				throw invalidInput(`has no value for {${part}}: add it under 'Parameters'.`).at('path');
			}
			if (second) throw invalidInput('is given twice.').at(['parameters', second[0], 'name']);
			const [row, [, text]] = first;
			keys.set(part, identifierInItem(text));
			return [text, ['parameters', row, 'value']];
		});
		const query = parameters
			.filter(([name]) => !keys.has(name))
			.map((parameter) => parameter.map(encodeURIComponent).join('='));
		return {
			path: query.length === 0 ? name : `${name}?${query.join('&')}`,
			name,
			keys: Object.fromEntries(keys),
		};
	},
};
