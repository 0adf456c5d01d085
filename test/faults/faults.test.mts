/**
 * The table of faults: every fault on every operation, each with what has to come of it. It runs
 * once; each test looks at one fault on one target. By default a sample runs: each fault on one
 * read and one write.
 */
import { existsSync } from 'node:fs';
import type { Fault } from './fault.mts';
import { groups as allGroups } from './list/index.mts';
import { errorRows, patternOf } from '../support/error-table.mts';
import { runTable, type Finding, type Table } from './table.mts';
import { targets, type Target } from './targets.mts';

const chosen = process.env.PAYROLL_FAULTS ?? '';
const isSample = chosen === '';
const isWhole = chosen === 'all';
const groups = allGroups
	.map(({ name, faults }) => ({
		name,
		faults: faults.filter((fault) => isWhole || `${name}: ${fault.name}`.includes(chosen)),
	}))
	.filter(({ faults }) => faults.length > 0);

/** The targets of the n-th fault. In the sample, each fault has other ones than the fault before it. */
function targetsOf(fault: Fault, n: number): Target[] {
	const all = targets.filter(({ kind }) => fault.expect[kind]);
	if (!isSample) return all;
	const reads = all.filter(({ effect }) => effect === 'read');
	const writes = all.filter(({ effect }) => effect === 'write');
	return all.filter((one) => one === reads[n % reads.length] || one === writes[n % writes.length]);
}

const faults = groups.flatMap((group) => group.faults);
const plan = new Map(faults.map((fault, n) => [fault, targetsOf(fault, n)]));

let table: Table;

const isWrite = ({ target }: Finding): boolean => target.effect === 'write';

beforeAll(async () => {
	table = await runTable(plan);
});

afterAll(() => {
	if (table === undefined) return;
	const { findings, search, seconds } = table;
	process.stdout.write(
		`${findings.length} runs of ${faults.length} faults in ${seconds.toFixed(0)} s; ` +
			`${search.characters} characters searched for secrets\n`,
	);
});

describe.each(groups)('$name', (group) => {
	describe.each(group.faults.map((fault) => ({ name: fault.name, fault })))(
		'$name',
		({ fault }) => {
			it.each([...(plan.get(fault) ?? [])])('$name', (target) => {
				const runs = table.findings.filter((one) => one.fault === fault && one.target === target);
				expect(runs).not.toEqual([]);
				expect(runs.flatMap(({ problems }) => problems)).toEqual([]);
			});
		},
	);
});

/** The errors of docs/errors.md that no fault of the table causes, and the tests that do. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
	'test/unit/transport/send.test.mts': ['The request to the … failed'],
	'test/unit/transport/tokens.test.mts': [
		"Check 'Subscription Key' and 'Scopes' in the credential, then connect the account again.",
	],
	'test/package/nodes/custom.test.mts': [
		'The answer contains no … at the result path',
		"The … does not know …: check 'Operation Name', and 'SOAP Namespace' in the credential. For an operation of the …, use the node ….",
		'… is an operation of the …: use the node ….',
	],
	'test/package/nodes/other-operation.test.mts': ['The service has no operation …'],
	'test/package/nodes/descriptions.test.mts': [
		'Choose an operation from the list first.',
		'The description of the … cannot be read',
		'The payroll service describes operations of this package differently',
		'… cannot be called with typed parameters. …',
	],
	'test/package/nodes/check-servers.test.mts': ['The identity server sent no discovery document'],
	'test/package/nodes/check.test.mts': [
		'The access token has expired',
		'No refresh token is stored',
		'Not all requested scopes were granted',
	],
	'test/package/nodes/check-soap.test.mts': [
		"The SOAP services answered, and refused this employee. Check 'Employee ID', and whether the employee belongs to the 'Domain' of the credential.",
		'The service answered with a fault that may be about the employee: …',
	],
	'test/package/nodes/revoke.test.mts': [
		'The tokens were renewed repeatedly while they were being revoked',
		'The operation "…" of "…" cannot be used as a tool of an AI agent',
		"Turn on the switch 'I Understand That the Connection Ends'.",
		"The switch 'I Understand That the Connection Ends' does not accept an expression. Turn it on by hand.",
	],
	'test/unit/rest/list.test.mts': ['The list of the payroll service does not end'],
	'test/unit/form/requestValues.test.mts': [
		'… is empty.',
		"'…': …",
		'Row …: …',
		'… values cannot be used: • …',
	],
	'test/package/nodes/from-items.test.mts': ['Item …: …'],
	'test/package/nodes/errors.test.mts': [
		'The current records could not be read. …',
		'The operation "…" of "…" is not known',
		'This node does not run Custom API Call',
	],
	'test/package/nodes/pick.test.mts': [
		'Enter … first',
		'Open the list again later, or enter the value without the list.',
	],
	'test/unit/run/errors.test.mts': ['The item could not be processed'],
	'test/unit/transport/attempts.test.mts': ['The execution was cancelled'],
	'test/package/nodes/per-item.test.mts': [
		'The credential is read-only',
		'The Domain of this item is not usable',
	],
	'test/unit/run/sendOnce.test.mts': ['The run ended while the call was under way'],
	'test/package/nodes/reruns.test.mts': ['n8n stopped in the middle of this run'],
};

describe('docs/errors.md', () => {
	const rows = errorRows();
	const failed = () => table.findings.filter(({ outcome }) => outcome !== 'complete');
	const titled = (title: string) => rows.filter((row) => patternOf(row.title).test(title));
	// An error with a title of its own is not the row for texts of the service.
	const isTitleOf = (row: (typeof rows)[number], title: string): boolean =>
		titled(title).includes(row) &&
		(row.title !== '…' || titled(title).every((other) => other.title === '…'));
	const isOf = (row: (typeof rows)[number], { shown, outcome, target }: Finding): boolean =>
		isTitleOf(row, shown.title) &&
		patternOf(`${row.advice}…`).test(shown.description) &&
		(target.effect === 'read' || row.outcomes.includes(outcome));

	it.each(Object.entries(ELSEWHERE))('lists the errors that %s tests', (file, texts) => {
		expect(existsSync(file)).toBe(true);
		const known = rows.flatMap(({ title, advice }) => [title, advice]);
		expect(texts.filter((text) => !known.includes(text))).toEqual([]);
	});

	it('lists every error that a fault causes, with what the error says about a change', () => {
		expect(failed().filter((finding) => !rows.some((row) => isOf(row, finding)))).toEqual([]);
	});

	const elsewhere = Object.values(ELSEWHERE).flat();
	const ofFaults = rows.filter(
		({ title, advice }) => !elsewhere.includes(title) && !elsewhere.includes(advice),
	);
	(isWhole ? it.each(ofFaults) : it.skip.each(ofFaults))(
		'lists only errors that occur: $title / $advice',
		(row) => {
			const findings = failed().filter((finding) => isOf(row, finding));
			expect(findings).not.toEqual([]);
			const written = findings.filter(isWrite);
			const outcomes = written.map(({ outcome }) => outcome);
			// Without a write, there must be no mark.
			expect(new Set(outcomes.length > 0 ? outcomes : ['notApplied'])).toEqual(
				new Set(row.outcomes),
			);
		},
	);
});

describe('over all faults', () => {
	if (isSample) {
		it('the sample has every target', () => {
			expect(new Set(table.findings.map(({ target }) => target))).toEqual(new Set(targets));
		});
	}

	it('executes no write twice, and reports each write as what it was', () => {
		const wrong = ({ outcome, executed }: Finding): boolean =>
			executed > 1 ||
			(outcome === 'notApplied' && executed > 0) ||
			(outcome === 'complete' && executed !== 1);
		expect(table.findings.filter(isWrite).filter(wrong)).toEqual([]);
	});

	it('sends nothing to any other address', () => {
		expect(table.unexpected).toEqual([]);
	});

	it('pollutes no prototype', () => {
		// Of this realm, and of the one that n8n and the package are loaded in.
		for (const object of [{}, structuredClone({})]) expect(object).not.toHaveProperty('polluted');
	});

	it('leaks no secret into an item, an error, the run data or the log', () => {
		expect(table.search.characters).toBeGreaterThan(0);
		expect(table.logged).toBeGreaterThan(0);
		expect(table.search.hits).toEqual([]);
	});
});
