/** Checks the results of the demo; problems are collected, not thrown. */
import { isDeepStrictEqual } from 'node:util';
import type { Stats } from '../sandbox/client.mts';
import type { Result } from '../engine/index.mts';
import type { Expectation, Step } from './steps.mts';

function sum(counts: Record<string, number>): number {
	return Object.values(counts).reduce((total, count) => total + count, 0);
}

function counted(before: Record<string, number>, after: Record<string, number>): string {
	const names = Object.keys(after).filter((name) => after[name] !== (before[name] ?? 0));
	return names.map((name) => `${name} ${(after[name] ?? 0) - (before[name] ?? 0)}`).join(', ');
}

/** One operation's run, and the sandbox's counts around it. */
export interface StepRun {
	step: Step;
	inputs: number;
	result: Result;
	expected: Expectation;
	before: Stats;
	after: Stats;
	/** Whether the access token had expired before it. */
	afterExpiry: boolean;
}

/** The problems of one operation's run. */
export function stepProblems(run: StepRun): string[] {
	const { step, inputs, result, expected, before, after, afterExpiry } = run;
	const problems: string[] = [];
	const check = (isRight: boolean, problem: string): void => {
		if (!isRight) problems.push(`${step.operation}: ${problem}`);
	};
	check(
		result.status === 'success',
		`the run ended with ${result.status}: ${result.error?.message}`,
	);
	const items = result.items('Payroll');
	check(items.length > 0, 'there are no items');
	const length = Math.max(items.length, expected.items.length);
	const wrong = Array.from({ length }, (_none, index) => index).find(
		(index) => !isDeepStrictEqual(items[index]?.json, expected.items[index]),
	);
	const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
	check(
		wrong === undefined,
		`item ${wrong} is ${shown(items[wrong ?? 0]?.json)}, ` +
			`the service has ${shown(expected.items[wrong ?? 0])}`,
	);

	const executed = counted(before.soapExecuted, after.soapExecuted);
	const called = sum(after.soapCalls) - sum(before.soapCalls);
	const refused = called - (sum(after.soapExecuted) - sum(before.soapExecuted));
	const pages = after.restCalls - before.restCalls;
	const wanted = expected.pages === undefined ? `${step.operation} ${inputs}` : '';
	check(executed === wanted, `the service carried out "${executed}" instead of "${wanted}"`);
	check(
		pages === (expected.pages ?? 0),
		`${pages} pages were read instead of ${expected.pages ?? 0}`,
	);
	// A call is refused for its token once at most, and only after the expiry.
	check(
		afterExpiry ? refused >= 1 && refused <= inputs : refused === 0,
		`${refused} calls were refused`,
	);
	return problems;
}

/** The problems of the whole demo: token refreshes, and requests that violate the XML schemas. */
export function totalProblems(stats: Stats, violations: readonly string[]): string[] {
	const { refreshesSucceeded: succeeded, refreshesRefused: refused, tokenRequests } = stats;
	const sent = tokenRequests['refresh_token'] ?? 0;
	return [
		...(succeeded === 1 && sent === 1
			? []
			: [`${sent} refreshes were sent, ${succeeded} succeeded`]),
		...(refused === 0 ? [] : [`${refused} refreshes were refused`]),
		...violations.map((violation) => `a request is against the schema: ${violation}`),
	];
}
