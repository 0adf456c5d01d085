import type { RecordField } from '../contract/fields';
import type { Notice } from '../run/action';
import { unevenShares } from './shares';

/** Returns the notice about fields of the input or the current records that the request lacks. */
export function notSentNotices(fields: readonly string[]): Notice[] {
	if (fields.length === 0) return [];
	const text = 'Not sent, since the operation does not have these fields';
	return [{ isProblem: true, text, list: fields }];
}

/**
 * Returns a notice for each field whose shares do not add up.
 *
 * @param rows the rows that were read, or are written
 * @param whom the employee or company, and the period, in the words of the form
 */
export function shareNotices(
	record: RecordField,
	rows: readonly unknown[],
	whom: string,
): Notice[] {
	return unevenShares(record, rows).map(({ label, whole, sum }) => {
		const text = `${label} does not add up to ${whole}`;
		return { isProblem: true, text, list: [`${whom} (${sum})`] };
	});
}
