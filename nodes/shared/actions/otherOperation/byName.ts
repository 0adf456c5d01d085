/** Calls by name, of operations whose types are not known: their form, their values and their records. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { SoapOperation } from '../../contract/soapOperation';
import { at, collect, collectAll, invalid, texts } from '../../errors/InputError';
import { exampleOf } from '../../form/example';
import type { InputItem } from '../../form/inputItem';
import { FIELDS, json, JSON_TEXT, ROW, specify, specifyProperty } from '../../form/requestForm';
import { isGivenAsJson, parseJsonField } from '../../form/requestValues';
import { callUntyped } from '../../soap/call';
import { writeUntyped } from '../../soap/untyped';
import { checkElementName, checkUntyped, type UntypedElements } from '../../values/untyped';
import { isObject, type Values } from '../../values/values';
import { preview } from '../preview';
import type { GivenParameters } from './parameters';

const PARAMETERS = 'Parameters';

/** The path to the rows of a response, or to its value if the operation has no list. */
function resultPathOf({ name, result }: SoapOperation): string {
	return [`${name}Result`, ...(result?.kind === 'list' ? [result.of.type] : [])].join('.');
}

/**
 * Returns the form of a call by name: names and values, or JSON, and the path to the result.
 *
 * @param known an operation that the contract defines, for the examples
 */
export function byNameProperties(known: SoapOperation): INodeProperties[] {
	const example = exampleOf({ kind: 'record', type: '', fields: known.request });
	const [[element, value] = ['', '']] = Object.entries(example as Values);
	return [
		specifyProperty(PARAMETERS, PARAMETERS),
		{
			displayName: PARAMETERS,
			name: 'parameters',
			type: 'fixedCollection',
			placeholder: 'Add Parameter',
			default: {},
			typeOptions: { multipleValues: true, sortable: true },
			description:
				'The elements of the request, in the order that the service expects. Repeat a name to repeat its element.',
			options: [
				{
					displayName: 'Parameter',
					name: ROW,
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: `e.g. ${element}`,
							description: "The element's name, without a prefix",
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							placeholder: `e.g. ${String(value)}`,
							description:
								'Text of the element, sent unchanged. An object becomes child elements, a list repeats the element, null omits it.',
						},
					],
				},
			],
			displayOptions: { show: { [specify(PARAMETERS)]: [FIELDS] } },
		},
		{
			displayName: 'Parameters (JSON)',
			name: json(PARAMETERS),
			type: 'json',
			required: true,
			default: '{}',
			typeOptions: { rows: 8 },
			description: `The elements of the request by name, in the order that the service expects. An object becomes child elements, a list repeats its element, null omits it. Example: <code>${JSON.stringify(example)}</code>.`,
			displayOptions: { show: { [specify(PARAMETERS)]: [JSON_TEXT] } },
		},
		{
			displayName: 'Result Path',
			name: 'resultPath',
			type: 'string',
			default: '',
			placeholder: `e.g. ${resultPathOf(known)}`,
			description:
				'Names of the elements of the response, separated by dots, down to the one that repeats. Each repetition becomes an item; without a path, the whole response becomes one item. All values are strings, since their types are not known.',
		},
	];
}

/** Reads the names and values of the request's elements, in request order. */
function readElements(item: InputItem): UntypedElements {
	if (!isGivenAsJson(item, PARAMETERS)) {
		const rows = item.read(`parameters.${ROW}`, []) as unknown[];
		return collect(rows, (row, i) =>
			at(['parameters', i], () => {
				const { name, value } = isObject(row) ? row : {};
				const element = [at('Name', () => checkElementName(name)), value] as const;
				checkUntyped([element]);
				return element;
			}),
		);
	}
	return at(json(PARAMETERS), () => {
		const elements = parseJsonField(item.read(json(PARAMETERS)));
		if (!isObject(elements)) throw invalid(texts.parameters.elements, elements);
		checkUntyped(Object.entries(elements));
		return Object.entries(elements);
	});
}

/** Reads the names of elements from the response down to its rows; `undefined` for the whole response. */
function readPath(item: InputItem): readonly string[] | undefined {
	const path = item.read('resultPath', '');
	if (path === '' || path === undefined || path === null) return undefined;
	const names = String(path).trim().split('.');
	return at('resultPath', () => {
		if (names.includes('')) throw invalid(texts.parameters.dot, path);
		return collect(names, checkElementName);
	});
}

/** The elements as one object, for the preview. A repeated name gets an array of its values. */
function asObject(elements: UntypedElements): IDataObject {
	const values = new Map<string, unknown[]>();
	for (const [name, value] of elements) values.set(name, [...(values.get(name) ?? []), value]);
	const entries = [...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
	return Object.fromEntries(entries) as IDataObject;
}

/**
 * Reads the parameters of a call by name.
 *
 * @throws {InputError} with every name that is malformed and every value that XML cannot represent
 */
export function readByName(item: InputItem): GivenParameters {
	const [elements, resultPath] = collectAll(
		() => readElements(item),
		() => readPath(item),
	);
	const children = writeUntyped(elements);
	return {
		elements,
		content: children,
		plan: async (access, target) => ({
			kind: 'write',
			preview: preview(access.connection, target, asObject(elements), children),
			notices: [],
			async send({ exchange, connection }) {
				const values = await callUntyped(exchange, connection, target, children, resultPath);
				// An empty response only confirms that the call was carried out.
				if (resultPath === undefined && values[0] === '') return [{ success: true }];
				return values.map((value) => (isObject(value) ? (value as IDataObject) : { value }));
			},
		}),
	};
}
