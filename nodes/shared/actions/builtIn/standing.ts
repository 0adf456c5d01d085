/** What the service has after a write, compared with what was sent. */
import type { RecordField } from '../../contract/fields';
import { joinNames, truncate } from '../../errors/words';
import { flatten, type FlatField } from '../../form/names';
import type { Standing } from '../../run/action';
import { textAt } from '../../values/records';
import type { Values } from '../../values/values';

/** Returns the record without its identifier, which the service assigns. */
export function withoutId(record: RecordField): RecordField {
	const fields = Object.entries(record.fields).filter(([name]) => name !== 'Id');
	return { ...record, fields: Object.fromEntries(fields) };
}

/** Says what a record has in these fields, such as "Cost Center Code 4200, Percentage 50". */
function describe(row: Values, fields: readonly FlatField[]): string {
	const texts = fields.map((field) => [field.label, textAt(row, field)]);
	const given = texts.filter(([, text]) => text !== '');
	return given.map((one) => one.map((text = '') => truncate(text)).join(' ')).join(', ');
}

/**
 * Compares what was sent with what stands at the service.
 *
 * @param missing records that were sent and are not there
 * @param others records that are there and were not sent
 */
export function standing(
	record: RecordField,
	missing: readonly Values[],
	others: readonly Values[],
): Standing {
	if (missing.length + others.length === 0) return { kind: 'asSent' };
	const all = flatten(record.fields);
	const sent = all.filter((field) => missing.some((row) => textAt(row, field) !== ''));
	const list = (rows: readonly Values[]): string =>
		joinNames(rows.map((row) => `(${describe(row, missing.length === 0 ? all : sent)})`));
	const parts = [
		missing.length > 0 && `Sent, and not there: ${list(missing)}.`,
		others.length > 0 && `There, and not sent: ${list(others)}.`,
	];
	return { kind: 'different', difference: parts.filter(Boolean).join(' ') };
}
