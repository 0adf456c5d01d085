/** Any list of the REST interface, by its path (docs/dev/interface.md, section 4.2): the interface does not list them. */
import { isExpression, type INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import { paging } from '../../contract/operations';
import { at, collect, collectAll, invalidInput, invalidValue } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { identifierInItem } from '../../form/requestValues';
import { isTool } from '../../host/runs';
import { checkPath, fillPath, parameterText, pathSegment } from '../../rest/path';
import type { ActionTexts, ReadAction } from '../../run/action';
import { isObject } from '../../values/values';
import { listAction, type ListRequest, notPagedOption, pagingOptions } from '../builtIn/rest';

/** Names of parameters: of the path, of the collection, and of a row of it. */
const PATH = 'path';
const PARAMETERS = 'parameters';
const ROW = 'parameter';

const TEXT = { kind: 'string' } as const;

function textProperty(displayName: string, example: string, description: string): INodeProperties {
	const name = displayName.toLowerCase();
	const placeholder = `e.g. ${example}`;
	return { displayName, name, type: 'string', default: '', placeholder, description };
}

const properties: INodeProperties[] = [
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
		name: PARAMETERS,
		type: 'fixedCollection',
		default: {},
		placeholder: 'Add Parameter',
		typeOptions: { multipleValues: true },
		description:
			'Values for the names in braces of the path. Every other parameter becomes part of the query.',
		options: [
			{
				displayName: 'Parameter',
				name: ROW,
				values: [
					textProperty('Name', 'companyId', 'Name of the parameter, as the service spells it'),
					textProperty('Value', '100', 'Value of the parameter. The node encodes it.'),
				],
			},
		],
	},
];

/** The parameters as errors name them. */
const row = { kind: 'record', type: '', fields: { name: TEXT, value: TEXT } } as const;
const request: Fields = { [PATH]: TEXT, [PARAMETERS]: { kind: 'list', of: row } };

/** The parameters that the node itself sends, in lower case. */
const OWN: readonly string[] = Object.values(paging).map((name) => name.toLowerCase());

/** Reads the path, filled in, and the other parameters as its query. @throws {InputError} with every value that is not allowed */
function readOtherList(item: InputItem): ListRequest {
	const readPath = () => {
		const [path, stored] = [item.read(PATH, ''), item.stored(PATH)];
		if (!isTool(item.node) || !isExpression(stored)) return checkPath(path);
		// If a model gives only values in it, each of them is one segment.
		const own = stored.replace(/\{\{.*?\}\}/gs, '');
		const slashesIn = (text: unknown) => String(text).split('/').length;
		if (own.trim() === '=' || slashesIn(path) === slashesIn(own)) return checkPath(path);
		throw invalidValue(path, 'has a value with a slash, which would lead to another list.');
	};
	const readName = (value: unknown) => {
		const name = parameterText(value);
		if (!OWN.includes(name.toLowerCase())) return name;
		const text = "is sent by the node: see 'Page Size' and 'First Page' in the options.";
		throw invalidValue(name, text);
	};
	const readRows = () => {
		const given = item.read(PARAMETERS, {});
		const rows = isObject(given) ? (given[ROW] ?? []) : given;
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
		() => at(PATH, readPath),
		() => at(PARAMETERS, readRows),
	);
	const keys = new Map<string, number | string>();
	const filled = fillPath(path, (wanted) => {
		const [first, second] = [...parameters.entries()].filter(([, [name]]) => name === wanted);
		if (first === undefined) {
			throw invalidInput(`has no value for {${wanted}}: add it under 'Parameters'.`).at(PATH);
		}
		if (second) throw invalidInput('is given twice.').at([PARAMETERS, second[0], 'name']);
		const [row, [, text]] = first;
		keys.set(wanted, identifierInItem(text));
		return at([PARAMETERS, row, 'value'], () => pathSegment(text));
	});
	const query = parameters
		.filter(([name]) => !keys.has(name))
		.map((parameter) => parameter.map(encodeURIComponent).join('='));
	return {
		path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
		name: filled,
		keys: Object.fromEntries(keys),
	};
}

/** Creates the action for any list. */
export function otherListAction(texts: ActionTexts): ReadAction {
	return listAction({
		...texts,
		...{ operation: 'GET {path}', properties, request, keys: {}, read: readOtherList },
		options: [...pagingOptions, notPagedOption],
	});
}
