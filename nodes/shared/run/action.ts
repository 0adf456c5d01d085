import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { Effect, RequestOf, RestOperation, SoapOperation } from '../contract/operations';
import { optionsProperty, readPaging } from '../form/options';
import { itemSchema, type OutputSchema } from '../form/outputSchema';
import { limitProperties, readLimit } from '../form/limit';
import { requestProperties } from '../form/properties';
import { readPathValues, readRequest, requestKeys } from '../form/request';
import { readList } from '../rest/list';
import { callSoap } from '../soap/call';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';

/** What the editor shows of an operation. */
export interface ActionTexts {
	readonly name: string;
	readonly action: string;
	readonly description: string;
}

/** One item's call, its parameters read and checked. */
export interface PreparedCall {
	/** Calls with the same subject keep their order. */
	readonly subject: string;
	/** What was asked for, by the service's own names. */
	readonly keys: IDataObject;
	/** Sends the call; gives the records of the answer. */
	send(exchange: Exchange, connection: Connection): Promise<IDataObject[]>;
}

/** An operation as a node offers it. */
export interface Action extends ActionTexts {
	readonly effect: Effect;
	/** Name of the service's operation. */
	readonly operation: string;
	readonly properties: readonly INodeProperties[];
	outputSchema(): OutputSchema | undefined;
	/** @throws {InputError} naming the value that is missing or not allowed */
	prepare(context: IExecuteFunctions, itemIndex: number): PreparedCall;
}

/** Actions by resource and operation, with the resource's display name. */
export interface Resources {
	readonly [resource: string]: {
		readonly name: string;
		readonly operations: { readonly [operation: string]: Action };
	};
}

function pick(fields: Fields, names: readonly string[]): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function recordsOf(operation: SoapOperation, result: unknown): IDataObject[] {
	if (operation.result === undefined) return [{ success: true }];
	if (operation.result.kind === 'list') return result as IDataObject[];
	return [{ [operation.resultName ?? 'Result']: result as IDataObject[string] }];
}

function resultFields(operation: SoapOperation): Fields {
	const { result } = operation;
	if (result === undefined) return { success: { kind: 'boolean' } };
	return result.kind === 'list' ? result.of.fields : { [operation.resultName ?? 'Result']: result };
}

/** Offers a SOAP operation of the contract. */
export function soapAction(operation: SoapOperation, texts: ActionTexts): Action {
	const keyNames = requestKeys(operation.request);
	return {
		...texts,
		description: `${texts.description} (${operation.name})`,
		effect: operation.effect,
		operation: operation.name,
		properties: [...requestProperties(operation.request), optionsProperty(operation.effect, false)],
		outputSchema: () =>
			itemSchema({ ...pick(operation.request, keyNames), ...resultFields(operation) }),
		prepare(context, itemIndex) {
			const request: RequestOf<SoapOperation> = readRequest(context, operation, itemIndex);
			return {
				subject: `${operation.subject}:${String(request[operation.subject])}`,
				keys: Object.fromEntries(keyNames.map((name) => [name, request[name]])) as IDataObject,
				send: async (exchange, connection) =>
					recordsOf(operation, await callSoap(exchange, connection, operation, request)),
			};
		},
	};
}

/** Offers a paged REST call of the contract. */
export function restAction(operation: RestOperation, texts: ActionTexts): Action {
	return {
		...texts,
		effect: 'read',
		operation: `${operation.method} ${operation.path}`,
		properties: [
			...requestProperties(operation.pathParameters),
			...limitProperties,
			optionsProperty('read', true),
		],
		// The fields of a record are not specified, so nothing is promised.
		outputSchema: () => undefined,
		prepare(context, itemIndex) {
			const values = readPathValues(context, operation, itemIndex);
			const paging = { ...readPaging(context, itemIndex), limit: readLimit(context, itemIndex) };
			return {
				subject: `${operation.subject}:${String(values[operation.subject])}`,
				keys: { ...values },
				send: async (exchange, connection) =>
					await readList(exchange, connection, operation, values, paging),
			};
		},
	};
}
