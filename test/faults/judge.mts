/** Compares what came of a cell with what had to come of it, and with what is true whatever the fault. */
import { inspect, isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import type { Expectation } from './fault.mts';
import type { Run } from './bench.mts';

/** What a run showed its user. */
export interface Shown {
	readonly outcome: Expectation['outcome'] | 'none';
	readonly title: string;
	readonly description: string;
	/** What the error's data say it was about. */
	readonly request: unknown;
}

interface ShownError {
	readonly message?: unknown;
	readonly description?: unknown;
	readonly outcome?: unknown;
	readonly request?: unknown;
}

function shownError(error: ShownError, effect: 'read' | 'write'): Shown {
	const { message, description, outcome, request } = error;
	const text = (value: unknown): string => (typeof value === 'string' ? value : '');
	return {
		outcome:
			effect === 'read'
				? 'error'
				: outcome === 'notApplied' || outcome === 'unknown'
					? outcome
					: 'none',
		title: text(message),
		description: text(description),
		request,
	};
}

/** The failed items of a run that goes on. */
function failedItems({ items }: Run): IDataObject[] {
	return items.filter(({ error }) => error !== undefined);
}

/** What the user sees of a run: the error that ended it, that of its item, or the result. */
export function shownBy(run: Run): Shown {
	const { effect } = run.cell.target;
	const { error } = run.result;
	if (error !== undefined) {
		const { message, description, context } = error;
		const data = context?.data as IDataObject | undefined;
		return shownError({ message, description, ...data }, effect);
	}
	const [failed] = failedItems(run);
	if (failed !== undefined) return shownError(failed.error as IDataObject, effect);
	return { outcome: 'complete', title: '', description: '', request: undefined };
}

/** The form of a failure: how the run ended, and what its error or item holds. */
function* formProblems(run: Run, shown: Shown): Iterable<string> {
	const { target } = run.cell;
	const { error } = run.result;
	if (shown.outcome === 'complete') {
		if (run.result.status !== 'success') yield `the run ended as ${run.result.status}`;
		return;
	}
	if (shown.title === '') yield 'the error has no title';
	if (shown.description === '') yield 'the error has no description';
	const { place } = target;
	const isOfCall = place !== '' && run.cell.fault.ofAll !== true;
	if (isOfCall !== (place !== '' && shown.description.endsWith(place))) {
		yield `the error ${isOfCall ? 'does not name its call' : 'names a call'}: ${shown.description}`;
	}
	if (!isDeepStrictEqual(shown.request, isOfCall ? target.keys : undefined)) {
		yield `the error's data are of ${inspect(shown.request)}`;
	}
	if (target.onError === 'stopWorkflow') {
		const name = error?.name;
		if (name !== 'NodeApiError' && name !== 'NodeOperationError') yield `the error is a ${name}`;
		if (error?.context?.itemIndex !== 0) yield 'the error names no item';
		return;
	}
	if (error !== undefined) yield 'the run did not go on after the failure';
	if (run.items.length !== 1) yield `${run.items.length} items in place of the failed one`;
	const [{ error: _error, ...input } = {}] = failedItems(run);
	if (!isDeepStrictEqual(input, target.input)) yield 'the failed item lost its input';
}

/** The records of a whole result. */
function expectedRecords(run: Run, expected: Expectation, good: IDataObject[]): IDataObject[] {
	const { kind } = run.cell.target;
	// Every insert makes another record; which one, stands in the sandbox's own answer.
	const id = /<\w+Result>(\d+)</.exec(String(run.cell.answer?.body))?.[1];
	const records = kind === 'insert' ? good.map((record) => ({ ...record, Id: Number(id) })) : good;
	return expected.records?.(records) ?? records;
}

/** What is wrong where a result was shown. */
function* resultProblems(run: Run, expected: Expectation, good: IDataObject[]): Iterable<string> {
	const wanted = expectedRecords(run, expected, good);
	if (run.items.length < wanted.length) {
		yield `${run.items.length} of ${wanted.length} records without an error`;
	} else if (!isDeepStrictEqual(run.items, wanted)) {
		yield `the records are not those of the service: ${inspect(run.items[0])}, not ${inspect(wanted[0])}`;
	}
}

/** What is wrong with a cell; nothing is the good case. */
export function problemsOf(
	run: Run,
	expected: Expectation,
	reached: number,
	good: IDataObject[],
): string[] {
	const { cell, sent } = run;
	const { effect } = cell.target;
	const shown = shownBy(run);
	const problems: string[] = [...formProblems(run, shown)];
	const check = (isRight: boolean, problem: string): void => {
		if (!isRight) problems.push(problem);
	};

	check(run.stored.error === '', `n8n could not store the run: ${run.stored.error}`);

	// As written down for this fault.
	const said = `${shown.title}: ${shown.description}`;
	check(
		shown.outcome === expected.outcome,
		`outcome ${shown.outcome}, not ${expected.outcome} (${said})`,
	);
	check(sent === expected.sent, `sent ${sent} times, not ${expected.sent}`);
	check(reached === expected.reached, `executed ${reached} times, not ${expected.reached}`);
	check(expected.message?.test(said) ?? true, `the error says: ${said}`);
	const renewals = cell.fault.renewals ?? (cell.fault.identity ? 1 : 0);
	check(cell.tokenRequests === renewals, `${cell.tokenRequests} token requests, not ${renewals}`);
	if (cell.fault.place === undefined) {
		check(cell.received === sent, `sent ${sent} times, and ${cell.received} arrived`);
	}

	// Whatever the fault: nothing twice, the truth, all or nothing.
	if (effect === 'write') {
		check(reached <= 1, `the write was executed ${reached} times`);
		check(shown.outcome !== 'complete' || reached === 1, 'success, and it was not executed');
		check(shown.outcome !== 'notApplied' || reached === 0, 'not applied, and it was executed');
	}
	if (shown.outcome === 'complete') problems.push(...resultProblems(run, expected, good));
	return problems;
}
