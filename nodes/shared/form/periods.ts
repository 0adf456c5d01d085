/** The periods and days of a request: what is probably mistyped, and what a time zone moves to another day. */
import type { IDataObject } from 'n8n-workflow';
import { invalidValue } from '../values/InputError';
import type { Values } from '../values/values';
import type { Switch } from './options';
import { type Notice, noticeOf } from './requestValues';

/** The last week of a long year. */
const LAST_PERIOD = 53;

/** The switch for a write whose period is otherwise refused. It takes no expression: only a person sets it. */
export const anyPeriod: Switch = {
	displayName: 'Any Period',
	default: false,
	noDataExpression: true,
	description: `Whether to allow a year that is more than one year from now, and a period below 1 or over ${LAST_PERIOD}. If off, the node refuses them as mistyped.`,
};

/**
 * Returns what is probably mistyped in a period: as notices, and as problems of a write. The interface states no
 * range (docs/dev/interface.md, section 4.3).
 */
export function unusualPeriod(keys: IDataObject) {
	const [year, period] = [Number(keys.Year), Number(keys.Period)];
	const offered = /^\d{1,2}$/.test(String(keys.Year)) ? ` (${2000 + year}?)` : '';
	const isFar = Math.abs(year - new Date().getFullYear()) > 1;
	const isNone = period < 1 || period > LAST_PERIOD;
	const found = [
		...(isFar ? [['Year', 'is more than one year from now', offered] as const] : []),
		...(isNone ? [['Period', `is below 1 or over ${LAST_PERIOD}`, ''] as const] : []),
	];
	const how = `If it is meant, turn on '${anyPeriod.displayName}'.`;
	return {
		notices: found.map(([name, text]): Notice => ({ kind: 'unusual', text: `${name} ${text}` })),
		problems: found.flatMap(([name, text, meant]) => {
			return invalidValue(keys[name], `${text}${meant}. ${how}`).at(name).problems;
		}),
	};
}

/** Returns a notice about dates that are midnight of another day: in Amsterdam, code gives `2026-05-31T22:00:00.000Z` for "2026-06-01". */
export function otherDayNotices(request: Readonly<Values>, timeZone: string): Notice[] {
	const instants = JSON.stringify(request).matchAll(
		/"(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))"/g,
	);
	const days = [...instants].flatMap(([, text = '']) => {
		// The Swedish locale writes a day as ISO 8601 does.
		const [day, clock] = new Date(text).toLocaleString('sv', { timeZone }).split(' ');
		const isOther = clock === '00:00:00' && !text.startsWith(`${day}T`);
		return isOther ? [`${text}, in place of ${day}`] : [];
	});
	const text = `Midnight in ${timeZone}, the time zone of the workflow, was sent as a time of another day. If a day is meant, send it without a time zone`;
	return noticeOf('unusual', text, days);
}
