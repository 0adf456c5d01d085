/** The records of an answer, and what else in it says that the call failed. */
import type { IDataObject } from 'n8n-workflow';
import { type Fields, TEXT } from '../contract/fields';
import { type Effect, type Operation, resultField } from '../contract/operation';
import { isOfContract } from '../contract/operations';
import type { Connection } from '../credential/connection';
import { serviceError } from '../errors/ServiceError';
import { formatValue } from '../errors/words';
import type { Exchange } from '../exchange/exchange';
import { isObject, isSet, type Values } from '../values/values';
import { callSoap } from './call';

/** Returns the fields of the items that an answer makes; `undefined` if nothing is known of them. */
export function itemFields(operation: Operation): Fields | undefined {
	const { fields, isOpen } = operation.response;
	const [, result] = resultField(operation) ?? [];
	if (result === undefined) return isOpen ? undefined : fields;
	const row = result.kind === 'list' || result.kind === 'repeated' ? result.of : result;
	if (row.kind === 'any') return undefined;
	return row.kind === 'record' ? row.fields : { [row.property ?? 'Result']: row };
}

/** Names of elements that say that a call failed, or whether it succeeded. */
const [FAILURE, SUCCESS] = [/error|exception|(?<!de)fault/i, /succe/i];

/** Whether an element of an answer that is not described, or is to be empty, says that the call failed. */
function isFailure(operation: Operation, [element, said]: readonly [string, unknown]): boolean {
	const { fields, isOpen } = operation.response;
	const text = isSet(said) ? String(said).trim().toLowerCase() : '';
	if (text === '' || isOpen === true || Object.hasOwn(fields, element)) return false;
	const isToBeEmpty = Object.keys(fields).length === 0;
	if (isToBeEmpty && element === `${operation.name}Result`) return text !== 'true';
	return (text === 'false' || text === '0' ? SUCCESS : FAILURE).test(element);
}

/** What may stand beside the rows of an answer in all of its items, in characters of JSON. */
const MAX_BESIDE = 2 ** 25;

/**
 * Calls an operation and converts its answer to records: each row of the described element, if that is a list, else
 * that element, else the whole answer. Whatever stands beside the element is in each record; in the first alone, if
 * that would be too much; in one of its own, if there is no row, unless the operation is a reading one of the
 * contract. An answer that is to be empty, or is, is a success.
 *
 * @param xml the elements of the request, if they are written already
 * @returns also the paths of elements that had a character that XML does not allow
 * @throws {InputError | CancelledError}
 * @throws {ServiceError} also if something in the answer says that the call failed, or stands in place of records, or
 * if the identifier of a new record is no positive number
 */
export async function callForRecords<E extends Effect>(
	exchange: Exchange<E>,
	connection: Connection,
	operation: Operation<E>,
	request: Readonly<Values>,
	xml?: string,
): Promise<{ readonly records: readonly IDataObject[]; readonly mended: readonly string[] }> {
	const answer = await callSoap(exchange, connection, operation, request, xml);
	const { result: values, mended } = answer;
	const [name = `${operation.name}Result`, field] = resultField(operation) ?? [];
	const { [name]: value, ...others } = values;
	const beside = Object.entries(others);
	const isNone = Array.isArray(value) && value.length === 0;
	if (isNone && beside[0] && operation.effect === 'read' && isOfContract(operation)) {
		const [other, said] = beside[0];
		const reason = `Expected rows in ${name}, got ${other} ${formatValue(said)}`;
		throw serviceError('ANSWER_UNREADABLE/part', { reason });
	}
	const failed = Object.entries(values).find((entry) => isFailure(operation, entry));
	if (failed !== undefined) {
		const got = `${failed[0]} is ${formatValue(failed[1])}`;
		if (operation.effect === 'write') throw serviceError('WRITE_UNCONFIRMED', { got });
		const reason = `It says that the call failed: ${got}`;
		throw serviceError('ANSWER_UNREADABLE/part', { reason });
	}
	const known = itemFields(operation);
	if (field === undefined) {
		const isEmpty = [known, values].some((own) => own && Object.keys(own).length === 0);
		return { records: [isEmpty ? { success: true, ...values } : values], mended };
	}
	if (field.property === 'Id' && Number(value) <= 0) {
		throw serviceError('WRITE_UNCONFIRMED', { got: `${name} is ${formatValue(value)}` });
	}
	const isList = field.kind === 'list' || field.kind === 'repeated';
	const rows = (isList ? (value ?? []) : [value ?? null]) as unknown[];
	if (rows.length === 0 && beside.length > 0) return { records: [others], mended };
	const isInAll = rows.length * JSON.stringify(beside).length <= MAX_BESIDE;
	const records = rows.map((row, index) => {
		const isRecord = isObject(row) && !Object.hasOwn(row, TEXT);
		const item = (isRecord ? row : { [field.property ?? 'Result']: row }) as IDataObject;
		for (const [other, found] of isInAll || index === 0 ? beside : []) {
			// Nobody may take it for a value that the record can have.
			const isTaken = Object.hasOwn(item, other) || Object.hasOwn(known ?? {}, other);
			item[isTaken ? `${operation.name}Response.${other}` : other] = found;
		}
		return item;
	});
	return { records, mended };
}
