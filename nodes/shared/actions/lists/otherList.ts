import { isExpression, type IDataObject, type INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import { paging } from '../../contract/operations';
import {
	at,
	collect,
	collectAll,
	InputError,
	invalidValue,
	type Path,
} from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { identifierInItem } from '../../form/requestValues';
import { isTool } from '../../host/runs';
import { checkPath, fillPath, parameterText, pathSegment } from '../../rest/path';
import type { ActionTexts, ReadAction } from '../../run/action';
import { isObject } from '../../values/values';
import { notPagedOption, pagingOptions } from '../builtIn/paging';
import { listAction, type ListRequest } from '../builtIn/rest';

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

function readName(value: unknown): string {
	const name = parameterText(value);
	if (!OWN.includes(name.toLowerCase())) return name;
	throw invalidValue(name, "is sent by the node: see 'Page Size' and 'First Page' in the options.");
}

/** Reads the parameters of the form, each with its row. */
function readParameters(item: InputItem) {
	const given = item.read(PARAMETERS, {});
	const rows = isObject(given) ? (given[ROW] ?? []) : given;
	if (!Array.isArray(rows)) throw invalidValue(given, 'is not a list.');
	return collect(rows, (one: unknown, row) =>
		at(row, () => {
			const given = isObject(one) ? one : {};
			const [name, text] = collectAll(
				() => at('name', () => readName(given.name)),
				() => at('value', () => parameterText(given.value)),
			);
			return { row, name, text };
		}),
	);
}

const problemAt = (path: Path, text: string) =>
	new InputError([{ code: 'VALUE_INVALID', path, text: ` ${text}` }]);

/** Reads the path. If a model gives only values in it, each of them is one segment. */
function pathIn(item: InputItem): unknown {
	const [path, stored] = [item.read(PATH, ''), item.stored(PATH)];
	if (!isTool(item.node) || !isExpression(stored)) return path;
	const own = stored.replace(/\{\{.*?\}\}/gs, '');
	const slashesIn = (text: unknown) => String(text).split('/').length;
	if (own.trim() === '=' || slashesIn(path) === slashesIn(own)) return path;
	throw invalidValue(path, 'has a value with a slash, which would lead to another list.');
}

/** Reads the path, filled in, and the other parameters as its query. */
function readOtherList(item: InputItem): ListRequest {
	const [path, parameters] = collectAll(
		() => at(PATH, () => checkPath(pathIn(item))),
		() => at(PARAMETERS, () => readParameters(item)),
	);
	const keys = new Map<string, number | string>();
	const filled = fillPath(path, (name) => {
		const [only, second] = parameters.filter((one) => one.name === name);
		if (only === undefined) {
			throw problemAt([PATH], `has no value for {${name}}: add it under 'Parameters'.`);
		}
		if (second) throw problemAt([PARAMETERS, second.row, 'name'], 'is given twice.');
		keys.set(name, identifierInItem(only.text));
		return at([PARAMETERS, only.row, 'value'], () => pathSegment(only.text));
	});
	const query = parameters.flatMap(({ name, text }) =>
		keys.has(name) ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`],
	);
	return {
		path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
		name: filled,
		keys: Object.fromEntries(keys) as IDataObject,
	};
}

/**
 * Creates the action for any list of the REST interface, by its path (docs/dev/interface.md, section
 * 4.2): the interface does not list them.
 */
export function otherListAction(texts: ActionTexts): ReadAction {
	return listAction(
		{
			...{ operation: 'GET {path}', properties, request, keys: {}, read: readOtherList },
			options: [...pagingOptions, notPagedOption],
		},
		texts,
	);
}
