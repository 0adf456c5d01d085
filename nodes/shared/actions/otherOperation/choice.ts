/** The service and the operation of a call: chosen from lists, or given by name. */
import {
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeProperties,
	isExpression,
} from 'n8n-workflow';
import { services, soapOperations } from '../../contract/operations';
import { at } from '../../errors/InputError';
import { serviceError } from '../../errors/catalog';
import { truncate } from '../../errors/words';
import { inTurns } from '../../host/eventLoop';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import { checkSentName } from '../../values/scalars';
import { isObject } from '../../values/values';
import { atDesignTime, type ListSearch } from '../designTime';
import { searchFor } from '../../form/words';

/** Returns the type, default and modes of a field whose value is chosen from a list, or typed. */
function pickProperty(
	searchListMethod: string,
	placeholder: string,
): Pick<INodeProperties, 'type' | 'default' | 'modes'> {
	return {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder },
		],
	};
}

/**
 * Returns what is chosen or typed in such a field. An expression for the whole field gives the plain
 * value, which is returned unchanged.
 */
function pickedValue(value: unknown): unknown {
	return isObject(value) && 'mode' in value && 'value' in value ? value.value : value;
}

/** Name of the parameter that holds the service. */
export const SERVICE = 'service';

/** Name of the method that n8n calls for the list of services. */
export const SERVICE_LIST = 'searchServices';

/** Returns the parameter that holds the service. @param own the service of the node */
export function serviceProperty(own: string): INodeProperties {
	return {
		displayName: 'Service',
		name: SERVICE,
		required: true,
		description:
			'The web service that has the operation. Search by its name, or by what you look for, such as payslip. For one that is not in the list, enter its name as the documentation of the payroll service has it.',
		...pickProperty(SERVICE_LIST, 'e.g. DebtorService'),
		default: { mode: 'list', value: own, cachedResultName: own },
	};
}

/**
 * Validates and returns the name of a service. It becomes a part of an address and of a namespace.
 *
 * @param service value of the parameter
 * @throws {InputError} if the name is missing or malformed
 */
export function checkService(service: unknown): string {
	return at(SERVICE, () => checkSentName(pickedValue(service), 'a service, such as DebtorService'));
}

/**
 * Returns the service that is chosen in the editor.
 *
 * @param own the service of the node, for a workflow that was saved without one
 * @throws {ServiceError} if it is missing, malformed, or an expression that the editor cannot evaluate
 */
export function editedService(context: ILoadOptionsFunctions, own: string): string {
	try {
		return checkService(context.getCurrentNodeParameter(SERVICE) ?? own);
	} catch {
		throw serviceError('OPERATION_UNUSABLE/noService');
	}
}

/** Operations of a service that are named in the list of services. */
const MAX_NAMED = 3;

/**
 * The list search method for the service: by its name, or by what its operations are called. It looks through the
 * services of the nodes, the one that is chosen, and those that the search names: "DebtorService factuur".
 */
export const serviceList: ListSearch = async function (filter = '') {
	const named = [pickedValue(this.getCurrentNodeParameter(SERVICE)), ...filter.split(/\s+/)].filter(
		(name): name is string => typeof name === 'string' && /^[A-Z]\w*Service$/.test(name),
	);
	const all = [...new Set([...services, ...named])];
	const wanted = filter.trim().toLowerCase();
	const own = all.filter((name) => name.toLowerCase().includes(wanted));
	if (own.length > 0) return { results: own.map((name) => ({ name, value: name })) };
	const isFound = searchFor(named.reduce((text, name) => text.replace(name, ''), filter));
	return await atDesignTime(this, async (access) => {
		const results: INodeListSearchItems[] = [];
		const failures: unknown[] = [];
		for (const service of all) {
			const described = await fetchWsdl(access, service).catch((error: unknown) => {
				failures.push(error);
			});
			const found: string[] = [];
			for await (const { name, documentation = '' } of inTurns(described?.operations ?? [])) {
				if (isFound(`${name} ${documentation}`)) found.push(name);
			}
			const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : '';
			const text = `${service}: ${found.slice(0, MAX_NAMED).join(', ')}${more}`;
			if (found.length > 0) results.push({ name: text, value: service });
		}
		// A service may have no description.
		if (failures.length === all.length) throw failures[0];
		return { results };
	});
};

/** Name of the parameter that holds the operation. */
export const OPERATION = 'operationName';

/** Name of the method that n8n calls for the list of operations. */
export const OPERATION_LIST = 'searchOperations';

/** Whether the operation is chosen from the list. n8n requires the slash before a nested name. */
export const FROM_LIST = { [`/${OPERATION}.mode`]: ['list'] };

/**
 * Returns the parameter that holds the operation.
 *
 * @param example an operation of the service
 */
export function operationProperty(example: string): INodeProperties {
	return {
		displayName: 'Operation Name',
		name: OPERATION,
		required: true,
		description:
			"The operation to call. The list is the service's own description. Without a description, enter the name as the documentation of the payroll service has it.",
		...pickProperty(OPERATION_LIST, `e.g. ${example}`),
		// An operation of another service is another one, so the editor clears it when one is picked. By the
		// value, it would also clear it whenever an expression has another result, as by a run.
		typeOptions: { loadOptionsDependsOn: [`${SERVICE}.cachedResultName`] },
	};
}

/** Whether the operation is chosen from the list; otherwise its name is given, or an expression. */
export function isFromList(operation: unknown): boolean {
	return isObject(operation) && operation.mode === 'list';
}

/**
 * Returns the name of the operation.
 *
 * @param operation value of the parameter
 * @throws {InputError} if the name is missing or malformed
 */
export function checkOperation(operation: unknown): string {
	return at(OPERATION, () =>
		checkSentName(pickedValue(operation), 'an operation, such as CostCenter_Get'),
	);
}

/** Reads the operation that is chosen in the editor; `undefined` if there is none. */
export function editedOperation(context: ILoadOptionsFunctions): string | undefined {
	const value = pickedValue(context.getCurrentNodeParameter(OPERATION));
	return typeof value === 'string' && value !== '' && !isExpression(value) ? value : undefined;
}

/**
 * Returns the method that lists the operations of the chosen service, in alphabetical order, such as
 * "CostCenter_Get (has its own form): Gets all cost centers".
 *
 * @param own the service of the node
 */
export function operationList(own: string): ListSearch {
	return async function (filter = '') {
		return await atDesignTime(this, async (access) => {
			const service = editedService(this, own);
			const { operations } = await fetchWsdl(access, service);
			const isFound = searchFor(filter);
			const results: INodeListSearchItems[] = [];
			for await (const { name, documentation, unsupported } of inTurns(operations)) {
				if (!isFound(`${name} ${documentation ?? ''}`)) continue;
				const hasForm = soapOperations.some((one) => one.name === name && one.service === service);
				const own = hasForm ? ' (has its own form)' : '';
				const mark = unsupported === undefined ? own : ' (only by name)';
				// n8n shows no description in such a list.
				const text = documentation === undefined ? '' : `: ${truncate(documentation)}`;
				results.push({ name: `${name}${mark}${text}`, value: name });
			}
			return { results };
		});
	};
}
