/** The cases of the catalogue of error texts, to compare with what came of the table. */
import { texts } from '../../nodes/shared/errors/catalogue.ts';
import { outcomes, type FailureKind } from '../../nodes/shared/errors/outcomes.ts';
import type { Finding } from './table.mts';

/** One case of an error. */
export interface ErrorCase {
	/** Its path in the catalogue. */
	readonly name: string;
	readonly section: string;
	readonly title: RegExp;
	readonly advice: RegExp;
	readonly hasAdvice: boolean;
	/** Whether its title comes from somewhere else, such as a SOAP fault. */
	readonly isUntitled: boolean;
	/** What it may say about a write. */
	readonly outcomes: ReadonlySet<string>;
}

interface Entry {
	readonly kinds: readonly FailureKind[];
	readonly title: string;
	readonly advice?: string;
}

/** A text as a pattern: a place for a value stands for anything. */
function patternOf(text: string, end: string): RegExp {
	const literal = text.replace(/\{\w+\}|[.*+?^$()|[\]\\]/g, (found) =>
		found.startsWith('{') ? '[^]*' : `\\${found}`,
	);
	return new RegExp(`^${literal}${end}`);
}

export const cases: readonly ErrorCase[] = Object.entries(texts).flatMap(([section, entries]) =>
	Object.entries(entries as Readonly<Record<string, Entry | string>>).flatMap(([key, entry]) => {
		if (typeof entry === 'string') return [];
		const { kinds, title, advice = '' } = entry;
		const known = kinds.map((kind) => outcomes[kind]);
		return {
			name: `${section}.${key}`,
			section,
			title: patternOf(title, '$'),
			advice: patternOf(advice, ''),
			hasAdvice: advice !== '',
			isUntitled: /^\{\w+\}$/.test(title),
			outcomes: new Set(known.length > 0 ? known : ['notApplied']),
		};
	}),
);

/** Sections of errors that no server causes. */
const NOT_OF_SERVERS = new Set(['descriptions', 'check', 'invalid', 'editor']);

/** Cases of the other sections that no fault of the table causes; each has a test of its own. */
const ELSEWHERE = new Set([
	'credential.readOnly',
	'credential.domain',
	'credential.domainOfTool',
	'refused.token',
	'refused.operationName',
	'refused.otherService',
	'noAnswer.killed',
	'noAnswer.otherSecret',
	'noAnswer.failed',
	'noAnswer.stopped',
	'lists.endless',
	'revoke.renewed',
]);

/** The cases that the whole table must cause. */
export const causedByFaults = cases.filter(
	({ name, section }) => !NOT_OF_SERVERS.has(section) && !ELSEWHERE.has(name),
);

/** The cases that an error with these texts can be; those of a refusal share their titles. */
export function casesOf({ shown, outcome, target }: Finding): ErrorCase[] {
	const titled = cases.filter(({ title, isUntitled }) => !isUntitled && title.test(shown.title));
	const sections = new Set(titled.map(({ section }) => section));
	return cases.filter((one) => {
		const isRefusal =
			one.section === 'refused' &&
			one.hasAdvice &&
			(sections.size === 0 || sections.has('refused'));
		const isRevocation = one.section === 'revoke' && one.isUntitled;
		return (
			(titled.includes(one) || isRefusal || isRevocation) &&
			one.advice.test(shown.description) &&
			(target.effect === 'read' || one.outcomes.has(outcome))
		);
	});
}
