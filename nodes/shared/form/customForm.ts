import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { SoapOperation } from '../contract/soapOperation';
import {
	checkElementName,
	checkOperationName,
	checkUntyped,
	type UntypedElements,
} from '../contract/untyped';
import { isObject } from '../contract/values';
import { at, collect, collectAll, invalid } from '../errors/InputError';
import { formatValue } from '../errors/words';
import { exampleOf, FIELDS, json, JSON_TEXT, ROW, specify, specifyProperty } from './requestForm';
import { isGivenAsJson, parseJsonField } from './requestValues';

/** A call of an operation that the contract does not define. */
export interface CustomRequest {
	readonly operation: string;
	/** Names and values of the request's elements, in request order. */
	readonly parameters: UntypedElements;
	/** Element names from the response down to its rows; `undefined` for the whole response. */
	readonly resultPath: readonly string[] | undefined;
}

const PARAMETERS = 'Parameters';

/** The path to the rows of a response, or to its value if the operation has no list. */
function resultPathOf({ name, result }: SoapOperation): string {
	return [`${name}Result`, ...(result?.kind === 'list' ? [result.of.type] : [])].join('.');
}

/**
 * Returns the form of a call by operation name (docs/interface.md, section 4.3 lists only some
 * operations of a service).
 *
 * @param known an operation that the contract defines, for the examples
 */
export function customProperties(known: SoapOperation): INodeProperties[] {
	const { name, request } = known;
	const [[element, value] = ['', '']] = Object.entries(exampleOf(request));
	return [
		{
			displayName: 'Operation Name',
			name: 'operationName',
			type: 'string',
			required: true,
			default: '',
			placeholder: `e.g. ${name}`,
			description:
				'Name of the operation, exactly as in the documentation of the payroll service. It is always treated as an operation that writes.',
		},
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
			description: `The elements of the request by name, in the order that the service expects. An object becomes child elements, a list repeats its element, null omits it. Example: <code>${JSON.stringify(exampleOf(request))}</code>.`,
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

function readOperation(context: IExecuteFunctions, itemIndex: number): string {
	const name = context.getNodeParameter('operationName', itemIndex) as unknown;
	return at('operationName', () => checkOperationName(name));
}

function readJson(value: unknown): UntypedElements {
	const elements = parseJsonField(value);
	if (!isObject(elements))
		throw invalid(`${formatValue(elements)} is not an object with element names.`);
	const entries = Object.entries(elements);
	checkUntyped(entries);
	return entries;
}

function readParameters(context: IExecuteFunctions, itemIndex: number): UntypedElements {
	if (isGivenAsJson(context, PARAMETERS, itemIndex)) {
		const name = json(PARAMETERS);
		return at(name, () => readJson(context.getNodeParameter(name, itemIndex)));
	}
	const rows = context.getNodeParameter(`parameters.${ROW}`, itemIndex, []) as unknown[];
	return collect(rows, (row, i): readonly [string, unknown] => {
		const { name: given, value } = isObject(row) ? row : {};
		const name = at(['parameters', i, 'Name'], () => checkElementName(given));
		at(['parameters', i], () => checkUntyped([[name, value]]));
		return [name, value];
	});
}

function readPath(context: IExecuteFunctions, itemIndex: number): readonly string[] | undefined {
	const path = context.getNodeParameter('resultPath', itemIndex, '') as unknown;
	if (path === '' || path === undefined || path === null) return undefined;
	const names = String(path).trim().split('.');
	at('resultPath', () => {
		if (names.includes(''))
			throw invalid(`${formatValue(path)} has a dot without a name before or after it.`);
		collect(names, checkElementName);
	});
	return names;
}

/**
 * Reads a call by operation name from the node's parameters.
 *
 * @param itemIndex the input item that expressions are evaluated for
 * @throws {InputError} with every parameter whose name is malformed or whose value XML cannot
 * represent
 */
export function readCustom(context: IExecuteFunctions, itemIndex: number): CustomRequest {
	const [operation, parameters, resultPath] = collectAll(
		() => readOperation(context, itemIndex),
		() => readParameters(context, itemIndex),
		() => readPath(context, itemIndex),
	);
	return { operation, parameters, resultPath };
}
