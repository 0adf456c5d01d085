/** The operation to call: its name is chosen from the service's description, or given. */
import {
	isExpression,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeProperties,
} from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import { keysOf, type Operation } from '../../contract/operation';
import { soapOperations } from '../../contract/operations';
import { at } from '../../errors/InputError';
import { truncate } from '../../errors/words';
import type { ServiceAccess } from '../../exchange/exchange';
import { Columns } from '../../form/mapping/columns';
import { flatten } from '../../form/names';
import { inTurns } from '../../host/eventLoop';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import type { ListedOperation } from '../../soap/wsdl/Wsdl';
import { checkSentName } from '../../values/untyped';
import { isObject, type Values } from '../../values/values';
import { atDesignTime, type ListSearch } from '../designTime';
import type { plannedWrite } from '../soapCall';
import { pickedValue, pickProperty } from './pick';
import { editedService, SERVICE } from './service';
import { searchFor } from './words';

/** The request elements that the known operations use as keys (employee or company, and period). */
export const KEYS: Fields = Object.assign(
	{},
	...soapOperations.map(({ request }) => keysOf(request.fields)),
);

/** The keys of a call by the names of their columns. */
export const KEY_COLUMNS = new Columns(flatten(KEYS));

/** The parameters of a call, as one of the two forms gives them. */
export interface GivenParameters {
	/** By the names of elements or columns. */
	readonly values: Values;
	/**
	 * Decides what to send, see `WriteCall`.
	 *
	 * @param operation with its types, if the service's description has them
	 */
	plan(access: ServiceAccess, operation: Operation): Promise<ReturnType<typeof plannedWrite>>;
}

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

/** An entry such as "CostCenter_Get (has its own form): Gets all cost centers". */
function entryOf(
	service: string,
	{ name, documentation, unsupported }: ListedOperation,
): INodeListSearchItems {
	const hasForm = soapOperations.some((one) => one.name === name && one.service === service);
	const own = hasForm ? ' (has its own form)' : '';
	const mark = unsupported === undefined ? own : ' (only by name)';
	return {
		// n8n shows no description in such a list.
		name: `${name}${mark}${documentation === undefined ? '' : `: ${truncate(documentation)}`}`,
		value: name,
	};
}

/**
 * Returns the method that lists the operations of the chosen service, in alphabetical order.
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
			for await (const operation of inTurns(operations)) {
				const text = `${operation.name} ${operation.documentation ?? ''}`;
				if (isFound(text)) results.push(entryOf(service, operation));
			}
			return { results };
		});
	};
}
