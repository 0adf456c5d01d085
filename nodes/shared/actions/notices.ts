import type { Notice } from '../run/action';

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
