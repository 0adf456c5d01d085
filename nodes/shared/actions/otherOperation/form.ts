/** The form of a call: service, operation, and parameters, typed by the service's own description or as JSON. */
import {
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeProperties,
	type INodeType,
	isExpression,
} from 'n8n-workflow';
import { toConnection, withDomain } from '../../credential/connection';
import type { Effect, Operation } from '../../contract/operation';
import { services, soapOperations } from '../../contract/operations';
import { CancelledError, ServiceError, serviceError } from '../../errors/ServiceError';
import { truncate } from '../../errors/words';
import { createAccess, type ServiceAccess } from '../../exchange/exchange';
import { exampleOf } from '../../form/fields';
import type { InputItem } from '../../form/inputItem';
import { mapperFields, readMapper } from '../../form/mapping/mapper';
import {
	domainIn,
	domainOption,
	dryRunProperty,
	onIfAdded,
	optionsProperty,
	readOption,
	resendOption,
	showEnvelopeOption,
} from '../../form/options';
import { decimalCommaProperty, parseJsonField } from '../../form/requestValues';
import { searchFor } from '../../form/words';
import { apiError, AS_TOOL, evaluatedDescription, isTool } from '../../host/nodes';
import { RequestHost } from '../../host/requests';
import { inTurns } from '../../http/wait';
import { unexpected } from '../../run/errors';
import { redactorOf, serviceErrorData } from '../../run/redact';
import { fetchWsdl } from '../../soap/wsdl/fetch';
import { escapeXml } from '../../soap/xml';
import { at, collectAll, invalidInput, invalidValue, missing } from '../../values/InputError';
import { checkReadable, checkSentName } from '../../values/scalars';
import { isObject } from '../../values/values';
import { outputFileOptions, readOutputFile } from './outputFile';

/** Names of the parameters. The values are typed, or JSON. */
const SERVICE = 'service';
const OPERATION = 'operationName';
const MAPPED = 'operationParameters';
const PARAMETERS = 'parametersJson';

/** Whether the operation is chosen from the list. n8n requires the slash before a nested name. */
const FROM_LIST = { [`/${OPERATION}.mode`]: ['list'] };

/** The option that declares an operation as reading. Only the builder can turn it on. */
const onlyReadsOption: INodeProperties = {
	...onIfAdded,
	displayName: 'Only Reads',
	name: 'onlyReads',
	noDataExpression: true,
	description:
		'Whether the operation changes nothing at the service. Its calls then run in parallel and are repeated after a failure, so add this option only if you are sure.',
};

/** Returns what is stored for Only Reads. The value of an expression may come from an item or an AI model. */
const storedOnlyReads = (item: InputItem): unknown =>
	Object(item.stored('options'))[onlyReadsOption.name] ?? false;

const LEAD = evaluatedDescription(
	`Call the operation {{ $parameter["${OPERATION}"] }} of the {{ $parameter["${SERVICE}"] }} of the payroll service. {{ $parameter["options"]?.["${onlyReadsOption.name}"] === true ? "Changes nothing." : "May change data." }}`,
	'Call an operation of the payroll service. May change data.',
);

const describeNotice: INodeProperties = {
	displayName:
		'Say in the description what the operation does, and what each value means: the AI model knows nothing else about it.',
	name: 'describeNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: AS_TOOL },
};

/** Returns the type and modes of a field whose value is chosen from a list, or entered. */
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

function callProperties({ service, name, request }: Operation): INodeProperties[] {
	const typed = [false, true].map((inTool): INodeProperties => {
		// A tool of an AI agent has no columns of input items.
		const columns =
			' With automatic mapping, the columns of the input items are sent: a column has the label of its parameter, its name or its path.';
		const description = `The parameters of the operation. A parameter that is not added is not sent; a required one that can be null is sent as null.${inTool ? '' : columns}`;
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
					resourceMapperMethod: 'getOperationParameters',
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
	const example = exampleOf({ kind: 'record', type: '', ...request });
	return [
		dryRunProperty,
		describeNotice,
		{
			displayName: 'Service',
			name: SERVICE,
			required: true,
			description:
				'The web service that has the operation. Search by its name, or by what you look for, such as payslip. For one that is not in the list, enter its name as the documentation of the payroll service has it.',
			default: { mode: 'list', value: service, cachedResultName: service },
			...pick('searchServices', 'DebtorService'),
		},
		{
			displayName: 'Operation Name',
			name: OPERATION,
			required: true,
			description:
				"The operation to call. The list is the service's own description; 'Service' searches several services. Without a description, enter the name as the documentation of the payroll service has it.",
			default: { mode: 'list', value: '' },
			...pick('searchOperations', name),
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
		optionsProperty([
			domainOption,
			onlyReadsOption,
			resendOption,
			showEnvelopeOption,
			...outputFileOptions,
		]),
	];
}

/** Returns what is chosen or entered in such a field. An expression for the whole field gives the plain value. */
function pickedValue(value: unknown): unknown {
	return isObject(value) && 'mode' in value && 'value' in value ? value.value : value;
}

/** It becomes a part of an address. */
const checkService = (value: unknown): string =>
	at(SERVICE, () => checkSentName(pickedValue(value), 'a service, such as DebtorService'));

/** Returns the service that is chosen in the editor; `own` for a workflow that was saved without one. */
function editedService(context: ILoadOptionsFunctions, own: string): string {
	try {
		return checkService(context.getCurrentNodeParameter(SERVICE) ?? own);
	} catch {
		throw serviceError('OPERATION_UNUSABLE/noService');
	}
}

/** Total time for a list, including retries, pauses and a token renewal, in milliseconds. */
const TOTAL_TIMEOUT_MS = 15_000;

/**
 * Calls the service while a builder edits a node, with the session, limits and Domain of a run.
 *
 * @throws {NodeApiError} with a message and advice for the builder
 */
async function atDesignTime<T>(
	context: ILoadOptionsFunctions,
	work: (access: ServiceAccess) => Promise<T>,
): Promise<T> {
	const host = new RequestHost(context, AbortSignal.timeout(TOTAL_TIMEOUT_MS));
	const options = context.getCurrentNodeParameter('options') as unknown;
	// n8n may return null for all options if it cannot evaluate one of them.
	const domain =
		options === null ? '' : domainIn(options, (value) => (isExpression(value) ? undefined : value));
	const data = await host.readCredential();
	let access: ServiceAccess | undefined;
	try {
		const stored = toConnection(data);
		const connection = domain === undefined ? stored : withDomain(stored, domain);
		// An attempt never times out before the total time does: its advice is about the options of a run.
		const timeoutMs = 2 * TOTAL_TIMEOUT_MS;
		const limits = { timeoutMs, maxBytes: 8 * 2 ** 20, isAdaptive: false };
		access = createAccess(host, connection, limits);
		return await work(access);
	} catch (error) {
		let failure = unexpected(error);
		if (error instanceof ServiceError) failure = error;
		else if (error instanceof CancelledError) failure = serviceError('ANSWER_TIMEOUT/list');
		const shown = serviceErrorData(failure, redactorOf(access), '');
		throw apiError(context.getNode(), shown.message, shown);
	}
}

/** Maximum number of operations that are named beside a service. */
const MAX_NAMED = 3;

/** @param own the service of the node */
function callMethods(own: string): NonNullable<INodeType['methods']> {
	return {
		listSearch: {
			/** Finds services by their names or operations: those of the nodes, the chosen one, and those named in the search. */
			async searchServices(filter = '') {
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

			/** Lists the operations: "CostCenter_Get (has its own form): Gets all cost centers". */
			async searchOperations(filter = '') {
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
			async getOperationParameters() {
				const name = pickedValue(this.getCurrentNodeParameter(OPERATION));
				if (typeof name !== 'string' || name === '' || isExpression(name)) {
					return { fields: [], emptyFieldsNotice: 'Choose an operation from the list first.' };
				}
				try {
					return await atDesignTime(this, async (access) => {
						// Whoever refreshes the fields wants those that the service has now.
						const described = await fetchWsdl(access, editedService(this, own), true);
						const { request } = described.operation(name);
						return { fields: mapperFields(request.fields, isTool(this.getNode())) };
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

/** Returns the form of a call. @param known an operation of the node's service, with which the form begins */
export const callForm = (known: Operation) => ({
	namedBy: OPERATION,
	lead: LEAD,
	properties: callProperties(known),
	methods: callMethods(known.service),
	declaredEffect: (item: InputItem): Effect => (storedOnlyReads(item) === true ? 'read' : 'write'),
});

/**
 * Reads a call. What its values have to be is known when it is planned.
 *
 * @throws {InputError} naming the service or operation that is missing or malformed, and values that JSON cannot hold
 */
export function readCall(item: InputItem) {
	const operation = item.read(OPERATION);
	const isTyped = isObject(operation) && operation.mode === 'list';
	const parameter = isTyped ? MAPPED : PARAMETERS;
	const json = isTyped ? undefined : item.read(PARAMETERS);
	const readValues = () => {
		const byName = { isAutomatic: false, stored: {} };
		const { given, ...mapped } = isTyped
			? readMapper(item, MAPPED)
			: { ...byName, given: parseJsonField(json) };
		if (!isObject(given)) throw invalidValue(given, 'is not an object with element names.');
		checkReadable(given);
		// A model that leaves out the values would call an operation without any.
		const isModels = isTool(item.node) && isExpression(item.stored(PARAMETERS));
		if (!isTyped && isModels && Object.keys(given).length === 0) throw missing();
		return { ...mapped, given };
	};
	const isWhat = 'an operation, such as CostCenter_Get';
	const [service, name, values, isRead, file, resendsRefused] = collectAll(
		() => checkService(item.read(SERVICE)),
		() => at(OPERATION, () => checkSentName(pickedValue(operation), isWhat)),
		() => at(parameter, readValues),
		() => {
			const isOn = storedOnlyReads(item);
			if (typeof isOn === 'boolean') return isOn;
			const text = 'does not accept an expression. Turn it on or off by hand.';
			throw invalidInput(text).at(onlyReadsOption.name);
		},
		() => readOutputFile(item),
		() => readOption(item, resendOption),
	);
	return {
		service,
		name,
		/** Whether the operation is chosen from the list. */
		isTyped,
		/** Whether the builder declares that it changes nothing. */
		isRead,
		/** The parameter with the values. */
		parameter,
		/** The file that the answer is to become. */
		file,
		resendsRefused,
		...values,
	};
}
