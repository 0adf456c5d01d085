/**
 * The form of a call: its service and operation, chosen from lists or given by name, and its parameters. They are
 * typed, if the service's own description defines the operation; or by name, where types are not known: values as
 * JSON, and the whole answer.
 */
import {
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeProperties,
	type INodeType,
	isExpression,
} from 'n8n-workflow';
import type { Operation } from '../../contract/operation';
import { services, soapOperations } from '../../contract/operations';
import {
	at,
	collect,
	collectAll,
	givesNothing,
	InputError,
	invalidValue,
	missing,
	type Path,
} from '../../values/InputError';
import { serviceError } from '../../errors/catalog';
import { truncate } from '../../errors/words';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { automaticCells, cellValue, formOf } from '../../form/mapping/columns';
import { mappedValues, mapperFields, readMapper } from '../../form/mapping/mapper';
import { decimalCommaProperty, exampleOf } from '../../form/requestForm';
import { checkedRequest, notSentNotices, parseJsonField } from '../../form/requestValues';
import { searchFor } from '../../form/words';
import { AS_TOOL } from '../../host/forms';
import { inTurns } from '../../host/eventLoop';
import { isTool } from '../../host/runs';
import type { Plan } from '../../run/action';
import { fetchWsdl } from '../../soap/wsdl/Wsdl';
import { serviceNamespace } from '../../soap/write';
import { escapeXml } from '../../soap/xml';
import { knownValues } from '../../values/records';
import { checkReadable, checkSentName } from '../../values/scalars';
import { isEmpty, isObject, isSet, ownEntry, type Values } from '../../values/values';
import { atDesignTime } from '../designTime';
import { type Decision, plannedWrite } from '../soapCall';
import { filesNamedIn } from './files';

/** Names of the parameters: the values are typed, or JSON. */
export const SERVICE = 'service';
export const OPERATION = 'operationName';
const MAPPED = 'operationParameters';
const PARAMETERS = 'parametersJson';

/** Names of the methods that n8n calls for the lists and fields. */
const SERVICE_LIST = 'searchServices';
const OPERATION_LIST = 'searchOperations';
const PARAMETER_FIELDS = 'getOperationParameters';

/** Whether the operation is chosen from the list. n8n requires the slash before a nested name. */
const FROM_LIST = { [`/${OPERATION}.mode`]: ['list'] };

/** Returns the type and modes of a field whose value is chosen from a list, or typed. */
function pick(searchListMethod: string, example: string): Pick<INodeProperties, 'type' | 'modes'> {
	const typeOptions = { searchListMethod, searchable: true };
	const placeholder = `e.g. ${example}`;
	return {
		type: 'resourceLocator',
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', typeOptions },
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder },
		],
	};
}

/** Returns the parameters of a call. @param known an operation of the node's service, as the example */
export function callProperties(known: Operation): INodeProperties[] {
	const { service, name } = known;
	const typed = [false, true].map((inTool): INodeProperties => {
		// A tool of an AI agent has no columns of input items.
		const columns =
			' With automatic mapping, the columns of the input items are sent: a column has the label of its parameter, its name or its path.';
		const description = `The parameters of the operation. A parameter that is not added is not sent.${inTool ? '' : columns}`;
		return {
			displayName: 'Parameters',
			name: MAPPED,
			type: 'resourceMapper',
			noDataExpression: true,
			required: true,
			default: { mappingMode: 'defineBelow', value: null },
			description,
			typeOptions: {
				loadOptionsDependsOn: [`${SERVICE}.value`, `${OPERATION}.value`],
				resourceMapper: {
					resourceMapperMethod: PARAMETER_FIELDS,
					mode: 'add',
					addAllFields: false,
					multiKeyMatch: false,
					supportAutoMap: !inTool,
					fieldWords: { singular: 'parameter', plural: 'parameters' },
					noFieldsError: 'There are no parameters to show.',
				},
			},
			displayOptions: {
				show: { ...FROM_LIST, ...(inTool && AS_TOOL) },
				// The editor keeps showing a notice about a missing choice, so there is no form before it.
				hide: { [`/${OPERATION}.value`]: [''], ...(!inTool && AS_TOOL) },
			},
		};
	});
	const example = exampleOf({ kind: 'record', type: '', ...known.request });
	return [
		{
			displayName: 'Service',
			name: SERVICE,
			required: true,
			description:
				'The web service that has the operation. Search by its name, or by what you look for, such as payslip. For one that is not in the list, enter its name as the documentation of the payroll service has it.',
			default: { mode: 'list', value: service, cachedResultName: service },
			...pick(SERVICE_LIST, 'DebtorService'),
		},
		{
			displayName: 'Operation Name',
			name: OPERATION,
			required: true,
			description:
				"The operation to call. The list is the service's own description; 'Service' searches several services. Without a description, enter the name as the documentation of the payroll service has it.",
			default: { mode: 'list', value: '' },
			...pick(OPERATION_LIST, name),
			// An operation of another service is another one, so the editor clears it when one is picked. By the
			// value, it would also clear it whenever an expression has another result, as by a run.
			typeOptions: { loadOptionsDependsOn: [`${SERVICE}.cachedResultName`] },
		},
		...typed,
		{ ...decimalCommaProperty, displayOptions: { show: FROM_LIST, hide: AS_TOOL } },
		{
			displayName: 'Parameters (JSON)',
			name: PARAMETERS,
			type: 'json',
			required: true,
			default: '{}',
			typeOptions: { rows: 8 },
			description: `The elements of the request, in the order that the service expects. A list repeats its element, and null omits it. Example: <code>${JSON.stringify(example)}</code>.`,
			displayOptions: { hide: FROM_LIST },
		},
	];
}

/** Returns what is chosen or typed in such a field. An expression for the whole field gives the plain value. */
function pickedValue(value: unknown): unknown {
	return isObject(value) && 'mode' in value && 'value' in value ? value.value : value;
}

/** It becomes a part of an address. */
const checkService = (value: unknown): string =>
	at(SERVICE, () => checkSentName(pickedValue(value), 'a service, such as DebtorService'));

/**
 * Returns the service that is chosen in the editor.
 *
 * @param own the service of the node, for a workflow that was saved without one
 * @throws {ServiceError} if the service is missing, malformed, or an expression that the editor cannot evaluate
 */
function editedService(context: ILoadOptionsFunctions, own: string): string {
	try {
		return checkService(context.getCurrentNodeParameter(SERVICE) ?? own);
	} catch {
		throw serviceError('OPERATION_UNUSABLE/noService');
	}
}

/** Operations of a service that are named in the list of services. */
const MAX_NAMED = 3;

/** Returns the methods that n8n calls for the lists and fields of the form. @param own the service of the node */
export function callMethods(
	own: string,
): Required<Pick<NonNullable<INodeType['methods']>, 'listSearch' | 'resourceMapping'>> {
	return {
		listSearch: {
			/**
			 * Finds services by their names, or by what their operations are called. It looks through the services of the
			 * nodes, the one that is chosen, and those that the search names: "DebtorService factuur".
			 */
			async [SERVICE_LIST](filter = '') {
				const chosen = pickedValue(this.getCurrentNodeParameter(SERVICE));
				const named = [chosen, ...filter.split(/\s+/)].filter(
					(name): name is string => typeof name === 'string' && /^[A-Z]\w*Service$/.test(name),
				);
				const all = [...new Set([...services, ...named])];
				const wanted = filter.trim().toLowerCase();
				const found = all.filter((name) => name.toLowerCase().includes(wanted));
				if (found.length > 0) return { results: found.map((name) => ({ name, value: name })) };
				const isFound = searchFor(named.reduce((text, name) => text.replace(name, ''), filter));
				return await atDesignTime(this, async (access) => {
					const results: INodeListSearchItems[] = [];
					const failures: unknown[] = [];
					for (const service of all) {
						const described = await fetchWsdl(access, service).catch((error: unknown) => {
							failures.push(error);
						});
						const names: string[] = [];
						for await (const { name, documentation = '' } of inTurns(described?.operations ?? [])) {
							if (isFound(`${name} ${documentation}`)) names.push(name);
						}
						const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
						const text = `${service}: ${names.slice(0, MAX_NAMED).join(', ')}${more}`;
						if (names.length > 0) results.push({ name: text, value: service });
					}
					// A service may have no description.
					if (failures.length === all.length) throw failures[0];
					return { results };
				});
			},

			/** Lists the operations in alphabetical order: "CostCenter_Get (has its own form): Gets all cost centers". */
			async [OPERATION_LIST](filter = '') {
				return await atDesignTime(this, async (access) => {
					const service = editedService(this, own);
					const { operations } = await fetchWsdl(access, service);
					const isFound = searchFor(filter);
					const results: INodeListSearchItems[] = [];
					for await (const { name, documentation = '', unsupported } of inTurns(operations)) {
						if (!isFound(`${name} ${documentation}`)) continue;
						const known = soapOperations.find((operation) => operation.name === name);
						const form = known?.service === service ? ' (has its own form)' : '';
						const mark = unsupported === undefined ? form : ' (only by name)';
						// n8n shows no description in such a list.
						const text = documentation && `: ${truncate(documentation)}`;
						results.push({ name: `${name}${mark}${text}`, value: name });
					}
					return { results };
				});
			},
		},

		resourceMapping: {
			/** Lists the parameters of the operation that is chosen. */
			async [PARAMETER_FIELDS]() {
				const name = pickedValue(this.getCurrentNodeParameter(OPERATION));
				if (typeof name !== 'string' || name === '' || isExpression(name)) {
					return { fields: [], emptyFieldsNotice: 'Choose an operation from the list first.' };
				}
				try {
					return await atDesignTime(this, async (access) => {
						const { request } = (await fetchWsdl(access, editedService(this, own))).operation(name);
						return { fields: mapperFields(request, isTool(this.getNode())) };
					});
				} catch (error) {
					const { message, description } = error as Error & { description?: string | null };
					const text = [message, description].filter(Boolean).join('. ');
					// n8n renders a notice as HTML.
					return { fields: [], emptyFieldsNotice: escapeXml(text) };
				}
			},
		},
	};
}

/** A call, as the form gives it: values by the names of elements or columns. */
interface GivenCall extends Pick<Operation, 'service' | 'name'>, ReturnType<typeof readMapper> {
	/** Whether the operation is chosen from the list; otherwise its name is given, or an expression. */
	readonly isTyped: boolean;
}

/**
 * Reads a call. What its values have to be is known when it is planned.
 *
 * @throws {InputError} naming the service or the operation that is missing or malformed, and values that are no
 * object or that JSON cannot hold
 */
export function readCall(item: InputItem): GivenCall {
	const operation = item.read(OPERATION);
	const isTyped = isObject(operation) && operation.mode === 'list';
	const readTyped = () => {
		const mapped = readMapper(item, MAPPED);
		checkReadable(mapped.given);
		return mapped;
	};
	const parameter = isTyped ? undefined : item.read(PARAMETERS);
	const readJson = () => {
		const given = parseJsonField(parameter);
		if (!isObject(given)) throw invalidValue(given, 'is not an object with element names.');
		checkReadable(given);
		// A model that leaves out the values would call an operation without any.
		const isModels = isTool(item.node) && isExpression(item.stored(PARAMETERS));
		if (isModels && Object.keys(given).length === 0) throw missing();
		return { given, stored: {}, isAutomatic: false };
	};
	const isWhat = 'an operation, such as CostCenter_Get';
	const [service, name, values] = collectAll(
		() => checkService(item.read(SERVICE)),
		() => at(OPERATION, () => checkSentName(pickedValue(operation), isWhat)),
		() => (isTyped ? at(MAPPED, readTyped) : at(PARAMETERS, readJson)),
	);
	return { service, name, isTyped, ...values };
}

/** Returns the request that typed values make. @throws {InputError} with every value that is missing or not allowed */
async function typedRequest(
	{ connection: { soapNamespace } }: ServiceAccess,
	item: InputItem,
	{ service, request }: Operation,
	{ given, stored, isAutomatic }: GivenCall,
): Promise<Decision> {
	let [known, unknown]: [Values, readonly string[]] = [{}, []];
	if (isAutomatic) {
		({ known, unknown } = knownValues(request, automaticCells(request, given), cellValue));
		formOf(request).requireColumns(known);
	} else {
		// Without the content of a file, the call would succeed.
		collect(formOf(request).fields, ([id, { field, isRequired }]) => {
			const isNeeded = isRequired || field.kind === 'base64Binary';
			const value = ownEntry(given, id);
			const isGiven = field.kind === 'string' ? isSet(value) : !isEmpty(value);
			if (!isNeeded || isGiven || !isExpression(ownEntry(stored, id))) return;
			throw (isTool(item.node) ? missing() : givesNothing()).at(id);
		});
		known = mappedValues(request, given);
	}
	const bytesOf = await filesNamedIn(item, known);
	const sheet = isTool(item.node) ? undefined : item;
	const namespace = serviceNamespace(soapNamespace, service);
	const checked = checkedRequest(request, known, sheet, namespace, bytesOf);
	const { values, xml, problems, notices } = checked;
	if (problems.length > 0) throw new InputError(problems);
	return { request: values, notices: [...notSentNotices(unknown), ...notices], xml };
}

/**
 * Plans a call.
 *
 * @param operation with its types, if the service's description has them
 * @throws {InputError} with every value that is not allowed, in the words of the form
 */
export async function plannedCall(
	access: ServiceAccess,
	operation: Operation,
	item: InputItem,
	call: GivenCall,
): Promise<Plan> {
	const { isTyped, isAutomatic, given } = call;
	try {
		const decision = isTyped
			? await typedRequest(access, item, operation, call)
			: { request: given, notices: [] };
		return plannedWrite(access, operation, decision);
	} catch (error) {
		const pathOf = (path: Path): Path =>
			isTyped
				? [MAPPED, ...formOf(operation.request).labelledPath(path, isAutomatic)]
				: [PARAMETERS, ...path];
		throw error instanceof InputError ? error.renamed(pathOf) : error;
	}
}
