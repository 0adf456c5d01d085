/** What all SOAP operations share: the items of an answer, what a dry run shows, and notices. */
import type { IDataObject } from 'n8n-workflow';
import { TEXT } from '../contract/fields';
import { resultField, type Operation } from '../contract/operation';
import type { Connection } from '../credential/connection';
import type { Notice } from '../run/action';
import { wrapRequest } from '../soap/envelope';
import { isObject } from '../values/values';

/**
 * Converts an answer to items: each row of the only element, if that is a list, else that element,
 * else the whole answer. A record is an item itself.
 *
 * @param values the values of the response element
 */
export function answerRecords(operation: Operation, values: IDataObject): IDataObject[] {
	const result = resultField(operation);
	if (result === undefined) {
		return [Object.keys(values).length === 0 ? { success: true } : values];
	}
	const [name, { kind, property = 'Result' }] = result;
	const value = values[name];
	const rows = kind === 'list' || kind === 'repeated' ? (value ?? []) : [value ?? null];
	return (rows as unknown[]).map((row) => {
		const isRecord = isObject(row) && !Object.hasOwn(row, TEXT);
		return (isRecord ? row : { [property]: row }) as IDataObject;
	});
}

/**
 * Returns what a dry run shows of a request: the values, and the envelope as it would be sent, with
 * the Domain masked.
 *
 * @param request the request values by element name
 * @param children XML of the elements inside the operation's element
 */
export function preview(
	connection: Connection,
	operation: Pick<Operation, 'service' | 'name'>,
	request: IDataObject,
	children: string,
): IDataObject {
	const envelope = wrapRequest({ ...connection, domain: '***' }, operation, children);
	return { operation: operation.name, request, envelope };
}

/** Returns the notice about fields of the input or the current records that the request lacks. */
export function notSentNotices(fields: readonly string[]): readonly Notice[] {
	if (fields.length === 0) return [];
	const text = 'Not sent, since the operation does not have these fields';
	return [{ isProblem: true, text, list: fields }];
}

/** The last week of a long year. */
const LAST_PERIOD = 53;

/**
 * Returns notices about a period that is probably mistyped. The interface states no range
 * (docs/dev/interface.md, section 4.3), so nothing is refused.
 *
 * @param keys the keys of the request by element name
 * @param whom the employee and the period, in the words of the form
 */
export function periodNotices(
	{ Year, Period }: Readonly<Record<string, unknown>>,
	whom: string,
): readonly Notice[] {
	const isFar = Math.abs(Number(Year) - new Date().getFullYear()) > 1;
	const isNone = Number(Period) < 1 || Number(Period) > LAST_PERIOD;
	return [
		...(isFar ? ['Year is more than one year from now'] : []),
		...(isNone ? [`Period is below 1 or over ${LAST_PERIOD}`] : []),
	].map((text) => ({ isProblem: true, text, list: [whom] }));
}
