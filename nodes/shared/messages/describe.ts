/** What a person reads of a failure: its words in the catalog, and what its facts add to them. */
import type { ServiceError, Known } from '../errors/ServiceError';
import { counted, sentences } from '../errors/words';
import { failures, MENTIONED, type Words } from './catalog';

/** Units of a duration, in seconds, and how many make one of the next larger unit. */
const UNITS = [
	['day', 86_400, Infinity],
	['hour', 3600, 24],
	['minute', 60, 60],
	['second', 1, 60],
] as const;

/** Formats a duration in its two largest units: 754000 → "12 minutes 34 seconds". */
function formatDuration(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	const parts = UNITS.flatMap(([unit, size, inLarger]) => {
		const count = Math.floor(seconds / size) % inLarger;
		return count > 0 ? [counted(count, unit)] : [];
	});
	return parts.slice(0, 2).join(' ') || '0 seconds';
}

/** Returns what a person reads of a failure: the title, and what to do about it. */
export function describeError({ failure, facts }: Pick<ServiceError, 'facts' | 'failure'>): Words {
	const words = failures[failure] as Words | ((facts: Known, describe: unknown) => Words);
	const [own, ownAdvice] = typeof words === 'function' ? words(facts, describeError) : words;
	const { said, mentions, again, renewal, seen = [] } = facts;
	const whenAgain =
		again !== undefined && `The service can be called again in ${formatDuration(again)}.`;
	const known = facts.advice ?? (mentions && MENTIONED[mentions]);
	const [renewalTitle, renewalAdvice] = renewal ? describeError(renewal) : [];
	const advice = sentences(
		facts.about === 'recordsBefore' && 'The current records could not be read.',
		facts.isTooEarly &&
			'By the clock of the payroll service or of n8n, the access token is not valid yet: correct that clock, or the one of the identity server.',
		// The service's own words are the title then.
		said !== undefined && `${own}.`,
		known ?? sentences(ownAdvice, whenAgain),
		renewalTitle && `${renewalTitle}.`,
		renewalAdvice,
		facts.about === 'pageZero' &&
			"It was asked for page 0, since some services count their pages from 0. If this one counts from 1, set 'First Page' to 1 in the node's options.",
		...seen,
	);
	return [said ?? own, advice];
}
