/** What the SOAP operations of the contract share. */
import type { IDataObject } from 'n8n-workflow';
import { isRecordList } from '../../contract/fields';
import {
	keysOf,
	resultField,
	subjectOf,
	type Effect,
	type Operation,
} from '../../contract/operation';
import type { ServiceAccess } from '../../exchange/exchange';
import { itemSchema, type OutputSchema } from '../../form/outputSchema';
import { formatKeys } from '../../form/valueNames';
import type { Addressed } from '../../run/action';
import { callSoap } from '../../soap/call';
import type { Values } from '../../values/values';
import { answerRecords } from '../soapCall';

/** Returns the schema of an operation's items. */
export function outputSchema(operation: Operation): OutputSchema {
	const keys = keysOf(operation.request.fields);
	const [, result] = resultField(operation) ?? [];
	if (result === undefined) return itemSchema({ ...keys, success: { kind: 'boolean' } });
	if (isRecordList(result)) return itemSchema({ ...keys, ...result.of.fields });
	return itemSchema({ ...keys, [result.property ?? '']: result });
}

/** Returns whom a request is about, also in the words of the form. */
export function addressed(
	{ request: { fields } }: Operation,
	request: Readonly<Values>,
): Addressed & { readonly whom: string } {
	const subject = subjectOf(fields);
	const names = Object.keys(keysOf(fields));
	const keys = Object.fromEntries(names.map((name) => [name, request[name]])) as IDataObject;
	return {
		subject: `${subject}:${String(request[subject])}`,
		keys,
		whom: formatKeys(fields, keys),
	};
}

/**
 * Calls an operation, and converts its result to items.
 *
 * @param children see {@link callSoap}
 * @throws {InputError | ServiceError | CancelledError}
 */
export async function callRecords<E extends Effect>(
	{ exchange, connection }: ServiceAccess<E>,
	operation: Operation<E>,
	request: Readonly<Values>,
	children?: string,
): Promise<readonly IDataObject[]> {
	return answerRecords(
		operation,
		await callSoap(exchange, connection, operation, request, children),
	);
}
