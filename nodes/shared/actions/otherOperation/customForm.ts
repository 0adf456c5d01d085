import { isExpression, type ILoadOptionsFunctions, type INodeProperties } from 'n8n-workflow';
import type { SoapOperation } from '../../contract/soapOperation';
import { at, collect, collectAll, invalid, texts } from '../../errors/InputError';
import { exampleOf } from '../../form/example';
import type { InputItem } from '../../form/inputItem';
import { pickedValue } from '../../form/pick';
import { FIELDS, json, JSON_TEXT, ROW, specify, specifyProperty } from '../../form/requestForm';
import { isGivenAsJson, parseJsonField } from '../../form/requestValues';
import {
	checkElementName,
	checkOperationName,
	checkUntyped,
	type UntypedElements,
} from '../../values/untyped';
import { isObject, type Values } from '../../values/values';

/** A call by name, of an operation whose types are not known. */
export interface UntypedRequest {
	readonly operation: string;
	/** Names and values of the request's elements, in request order. */
	readonly parameters: UntypedElements;
	/** Element names from the response down to its rows; `undefined` for the whole response. */
	readonly resultPath: readonly string[] | undefined;
}

/** A call of an operation from the list, whose types the service describes. */
export interface TypedRequest {
	readonly operation: string;
	/** Whether the values are the fields of an input item, or those of the form by their ids. */
	readonly isAutomatic: boolean;
	readonly given: Values;
}

/** Names of the methods that n8n calls for the list of operations and for the parameters of one. */
export const OPERATION_LIST = 'searchOperations';
export const PARAMETER_FIELDS = 'getOperationParameters';

/** Name of the parameter that holds the operation. */
const OPERATION = 'operationName';
/** Name of the parameter that holds the values of a typed call. */
export const MAPPED = 'operationParameters';

/** Whether the operation is chosen from the list. n8n requires the slash before a nested name. */
const FROM_LIST = { [`/${OPERATION}.mode`]: ['list'] };

const PARAMETERS = 'Parameters';

/** The path to the rows of a response, or to its value if the operation has no list. */
function resultPathOf({ name, result }: SoapOperation): string {
	return [`${name}Result`, ...(result?.kind === 'list' ? [result.of.type] : [])].join('.');
}

/**
 * Returns the form of a call of any operation (docs/interface.md, section 4.3 lists only some
 * operations of a service): chosen from the service's description, or by name.
 *
 * @param known an operation that the contract defines, for the examples
 */
export function customProperties(known: SoapOperation): INodeProperties[] {
	const { name } = known;
	return [
		{
			displayName: 'Operation Name',
			name: OPERATION,
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description:
				"The operation to call. The list is the service's own description. Without a description, enter the name as the documentation of the payroll service has it.",
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					typeOptions: { searchListMethod: OPERATION_LIST, searchable: true },
				},
				{ displayName: 'By Name', name: 'name', type: 'string', placeholder: `e.g. ${name}` },
			],
		},
		{
			displayName: PARAMETERS,
			name: MAPPED,
			type: 'resourceMapper',
			noDataExpression: true,
			required: true,
			default: { mappingMode: 'defineBelow', value: null },
			description:
				'The parameters of the operation. A parameter that is not added is not sent. With automatic mapping, the fields of the input items are sent by their names.',
			typeOptions: {
				loadOptionsDependsOn: [`${OPERATION}.value`],
				resourceMapper: {
					resourceMapperMethod: PARAMETER_FIELDS,
					mode: 'add',
					addAllFields: false,
					multiKeyMatch: false,
					supportAutoMap: true,
					fieldWords: { singular: 'parameter', plural: 'parameters' },
					noFieldsError: 'The operation has no parameters.',
				},
			},
			// The editor keeps showing a notice about a missing choice, so there is no form before it.
			displayOptions: { show: FROM_LIST, hide: { [`/${OPERATION}.value`]: [''] } },
		},
		...untypedProperties(known),
	];
}

/** The form of a call by name: names and values, or JSON, and the path to the result. */
function untypedProperties(known: SoapOperation): INodeProperties[] {
	const example = exampleOf({ kind: 'record', type: '', fields: known.request });
	const [[element, value] = ['', '']] = Object.entries(example as Values);
	const properties: INodeProperties[] = [
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
	return properties.map((property) => ({
		...property,
		displayOptions: { ...property.displayOptions, hide: FROM_LIST },
	}));
}

/** Whether the operation is chosen from the list; otherwise its name is given, or an expression. */
function isFromList(operation: unknown): boolean {
	return isObject(operation) && operation.mode === 'list';
}

function readTyped(item: InputItem, operation: string): TypedRequest {
	if (item.read(`${MAPPED}.mappingMode`, '') === 'autoMapInputData') {
		return { operation, isAutomatic: true, given: item.json };
	}
	// The values alone: n8n would evaluate the schema that it stores with them, and convert dates.
	const name = `${MAPPED}.value`;
	const value = item.read(name, {}, { skipValidation: true });
	return { operation, isAutomatic: false, given: isObject(value) ? value : {} };
}

function readJson(value: unknown): UntypedElements {
	const elements = parseJsonField(value);
	if (!isObject(elements)) throw invalid(texts.parameters.elements, elements);
	const entries = Object.entries(elements);
	checkUntyped(entries);
	return entries;
}

function readParameters(item: InputItem): UntypedElements {
	if (isGivenAsJson(item, PARAMETERS)) {
		const name = json(PARAMETERS);
		return at(name, () => readJson(item.read(name)));
	}
	const rows = item.read(`parameters.${ROW}`, []) as unknown[];
	return collect(rows, (row, i): readonly [string, unknown] => {
		const { name: given, value } = isObject(row) ? row : {};
		const name = at(['parameters', i, 'Name'], () => checkElementName(given));
		at(['parameters', i], () => checkUntyped([[name, value]]));
		return [name, value];
	});
}

function readPath(item: InputItem): readonly string[] | undefined {
	const path = item.read('resultPath', '');
	if (path === '' || path === undefined || path === null) return undefined;
	const names = String(path).trim().split('.');
	at('resultPath', () => {
		if (names.includes('')) throw invalid(texts.parameters.dot, path);
		collect(names, checkElementName);
	});
	return names;
}

/**
 * Reads a call of any operation from the node's parameters.
 *
 * @throws {InputError} with every parameter whose name is malformed or, in a call by name, whose
 * value XML cannot represent
 */
export function readCustom(item: InputItem): TypedRequest | UntypedRequest {
	const given = item.read(OPERATION);
	const readOperation = (): string => at(OPERATION, () => checkOperationName(pickedValue(given)));
	if (isFromList(given)) return readTyped(item, readOperation());
	const [operation, parameters, resultPath] = collectAll(
		readOperation,
		() => readParameters(item),
		() => readPath(item),
	);
	return { operation, parameters, resultPath };
}

/** Reads the operation that is chosen in the form; `undefined` if there is none. */
export function editedOperation(context: ILoadOptionsFunctions): string | undefined {
	const value = pickedValue(context.getCurrentNodeParameter(OPERATION));
	return typeof value === 'string' && value !== '' && !isExpression(value) ? value : undefined;
}
