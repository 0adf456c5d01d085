/** Compares what came of a cell with what its fault says, and with what holds for every fault. */
import { inspect, isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import type { Expectation } from './fault.mts';
import type { Run } from './bench.mts';
import type { Cell } from './server.mts';
import type { Target } from './targets.mts';

/** What a client may say of a write after an answer without a result. */
type Provable = 'notApplied' | 'refused' | 'unknown';

const TURNED_AWAY = [401, 403, 404, 405, 407, 413, 415, 429];
const OWN_REFUSAL =
	/<(?:\w+:)?(?:faultcode|Value)>[^<]*\b(?:Client|Sender|VersionMismatch|MustUnderstand|DataEncodingUnknown)\b/;

/** The message of the innermost exception in a fault, as an answer holds it. */
function innermost(body: string): string {
	const text = /<(?:faultstring|(?:\w+:)?Text[^>]*)>([^]*?)<\/(?:faultstring|(?:\w+:)?Text)>/.exec(
		body,
	);
	const last = (text?.[1] ?? '').split('---> ').at(-1) ?? '';
	return (last.split(/\n\s*(?:at|bij) \S+\.\S* ?\(/)[0] ?? '').replace(
		/^\s*\[?[\w.]+Exception[^:]*: /,
		'',
	);
}

/** What the last thing that the service did to a write proves; nothing may have arrived at all. */
function provableOf({ answered, received }: Cell): Provable {
	if (received === 0) return 'notApplied';
	if (answered === undefined) return 'unknown';
	const { status, headers } = answered;
	const body = String(answered.body);
	if (OWN_REFUSAL.test(body) || /TWK exception/.test(innermost(body))) return 'notApplied';
	if (/^\d+:/.test(innermost(body))) return 'refused';
	const isLater = status === 503 && headers['Retry-After'] !== undefined;
	return isLater || TURNED_AWAY.includes(status) ? 'notApplied' : 'unknown';
}

/** How often the node looks for a write. */
interface Looks {
	readonly looks: number;
}

/** What a run showed its user. */
export interface Shown {
	readonly outcome: Expectation['outcome'] | 'none';
	readonly code: string;
	readonly title: string;
	readonly description: string;
	/** The keys in the error's data. */
	readonly request: unknown;
}

/** Compares without prototypes: those of n8n's values are of another realm than those of a test. */
function isEqual(one: unknown, other: unknown): boolean {
	return isDeepStrictEqual(structuredClone(one), structuredClone(other));
}

function failedItems({ items }: Run): IDataObject[] {
	return items.filter(({ error }) => error !== undefined);
}

/** What the user sees of a run: the error that ended it, the error of its item, or the result. */
export function shownBy(run: Run): Shown {
	const { error } = run.result;
	const data = error?.context?.data as IDataObject | undefined;
	const ofRun = error && { message: error.message, description: error.description, ...data };
	const [failed] = failedItems(run);
	const shown = (ofRun ?? failed?.error) as Partial<Record<string, string>> | undefined;
	const { code = '', message = '', description = '', request } = shown ?? {};
	const known = (['notApplied', 'refused', 'unknown'] as const).find(
		(one) => one === shown?.outcome,
	);
	const outcome = run.cell.target.effect === 'read' ? 'error' : (known ?? 'none');
	return { outcome: shown ? outcome : 'complete', code, title: message, description, request };
}

/** What is wrong with how the run ended, and with its error or failed item. */
function* formProblems(run: Run, shown: Shown): Iterable<string> {
	const { target } = run.cell;
	const { error } = run.result;
	if (shown.outcome === 'complete') {
		if (run.result.status !== 'success') yield `the run ended as ${run.result.status}`;
		return;
	}
	if (shown.title === '') yield 'the error has no title';
	if (shown.description === '') yield 'the error has no description';
	const { keysText } = target;
	if (!shown.description.endsWith(keysText)) {
		yield `the error does not name its call: ${shown.description}`;
	}
	if (!isEqual(shown.request, target.keys)) {
		yield `the error's data are of ${inspect(shown.request)}`;
	}
	if (target.onError === 'stopWorkflow') {
		const name = error?.name;
		if (name !== 'NodeApiError' && name !== 'NodeOperationError') yield `the error is a ${name}`;
		if (error?.context?.itemIndex !== 0) yield 'the error names no item';
		return;
	}
	if (error !== undefined) yield 'the run did not continue after the failure';
	if (run.items.length !== 1) yield `${run.items.length} items in place of the failed one`;
	const [{ error: _error, ...input } = {}] = failedItems(run);
	if (!isEqual(input, target.input)) yield 'the failed item lost its input';
}

/** The records of a complete result. */
function expectedRecords(run: Run, expected: Expectation, good: IDataObject[]): IDataObject[] {
	const { kind } = run.cell.target;
	// Every insert makes a new record, whose Id stands in the sandbox's own answer.
	const id = /<\w+Result>(\d+)</.exec(String(run.cell.answer?.body))?.[1];
	const records = kind === 'insert' ? good.map((record) => ({ ...record, Id: Number(id) })) : good;
	return expected.records?.(records) ?? records;
}

/** What is wrong where a result was shown. */
function* resultProblems(run: Run, expected: Expectation, good: IDataObject[]): Iterable<string> {
	const wanted = expectedRecords(run, expected, good);
	if (run.items.length < wanted.length) {
		yield `${run.items.length} of ${wanted.length} records without an error`;
		return;
	}
	const [found, right] = [run.items, wanted].map((items) => items.map(withoutOthers));
	if (!isEqual(found, right)) {
		yield `the records are not those of the service: ${inspect(found?.[0])}, not ${inspect(right?.[0])}`;
	}
}

/** An item without what other cells have written: their total, and the default that is moved from theirs. */
function withoutOthers({ percentageTotal: _, changes, ...item }: IDataObject): IDataObject {
	return changes === undefined ? item : { ...item, changes: String(changes).split(' · ').at(-1) };
}

/**
 * What is expected after the node has read again what a write that failed left: it finds what was executed at
 * once. What was not, it reads a second time, unless the service refused it with a code.
 */
function afterLooking(expected: Expectation, { readsFirst }: Target): Expectation & Looks {
	const { outcome, message: _, ...rest } = expected;
	const isRead = readsFirst && (outcome === 'unknown' || outcome === 'refused');
	if (!isRead) return { ...expected, looks: 0 };
	if (expected.executed === 0) return { ...expected, looks: outcome === 'unknown' ? 2 : 1 };
	const records = (good: IDataObject[]) =>
		good.map((one) => ({ ...one, verified: true, outcome: 'applied' }));
	return { ...rest, outcome: 'complete', records, looks: 1 };
}

/**
 * What is expected of a write that reads first, where the fault is met by whatever is sent: of the service's
 * address, the credential or an expired token. The write is not sent then, if the read fails.
 */
function afterReading(expected: Expectation, { fault, target }: Cell): Expectation & Looks {
	const { service, renewal, expect } = fault;
	const isMet = target.readsFirst && service === undefined && renewal !== 'rejected';
	const { soapRead } = expect;
	if (isMet && soapRead?.outcome === 'error') {
		return { ...soapRead, outcome: 'notApplied', sent: 0, executed: 0, looks: soapRead.sent };
	}
	const { looks, ...rest } = afterLooking(expected, target);
	return { ...rest, looks: looks + (target.readsFirst ? 1 : 0) };
}

/** What is wrong with a cell; empty if nothing is. */
export function problemsOf(
	run: Run,
	before: Expectation,
	executed: number,
	good: IDataObject[],
): string[] {
	const { cell } = run;
	const { effect } = cell.target;
	const expected = afterReading(before, cell);
	const sent = run.sent - expected.looks;
	const shown = shownBy(run);
	const problems: string[] = [...formProblems(run, shown)];
	const check = (isRight: boolean, problem: string): void => {
		if (!isRight) problems.push(problem);
	};

	check(run.stored.error === '', `n8n could not store the run: ${run.stored.error}`);

	const said = `${shown.title}: ${shown.description}`;
	check(
		shown.outcome === expected.outcome,
		`outcome ${shown.outcome}, not ${expected.outcome} (${said})`,
	);
	check(sent === expected.sent, `sent ${sent} times, not ${expected.sent}`);
	check(executed === expected.executed, `executed ${executed} times, not ${expected.executed}`);
	check(expected.message?.test(said) ?? true, `the error says: ${said}`);
	const renewals = cell.fault.renewals ?? (cell.fault.identity ? 1 : 0);
	check(cell.tokenRequests === renewals, `${cell.tokenRequests} token requests, not ${renewals}`);
	if (cell.fault.endpoint === undefined) {
		check(cell.received === sent, `sent ${sent} times, and ${cell.received} arrived`);
		check(cell.looks === expected.looks, `read ${cell.looks} times, not ${expected.looks}`);
	}

	// For every fault: no write twice, no wrong error, no incomplete result.
	if (effect === 'write') {
		check(executed <= 1, `the write was executed ${executed} times`);
		check(shown.outcome !== 'complete' || executed === 1, 'success, and it was not executed');
		check(shown.outcome !== 'notApplied' || executed === 0, 'not applied, and it was executed');
		const provable = provableOf(cell);
		const isClaim = shown.outcome === 'notApplied' || shown.outcome === 'refused';
		check(!isClaim || provable === shown.outcome, `${shown.outcome}, and the proof is ${provable}`);
	}
	if (shown.outcome === 'complete') problems.push(...resultProblems(run, expected, good));
	return problems;
}
