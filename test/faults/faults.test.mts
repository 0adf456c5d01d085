/**
 * The table of faults: every fault on every operation, each with what has to come of it. The table
 * runs once; each test looks at one fault on one target. PAYROLL_FAULTS=<text> selects the rows
 * whose group or name contains the text.
 */
import { existsSync } from 'node:fs';
import { groups as allGroups } from './list/index.mts';
import { matrix } from './matrix.mts';
import { errorRows, patternOf } from '../support/error-table.mts';
import { runTable, type Finding, type Table } from './table.mts';
import { targets } from './targets.mts';

const only = process.env.PAYROLL_FAULTS ?? '';
const groups = allGroups
	.map(({ name, faults }) => ({
		name,
		faults: faults.filter((fault) => `${name}: ${fault.name}`.includes(only)),
	}))
	.filter(({ faults }) => faults.length > 0);

let table: Table;

const isWrite = ({ target }: Finding): boolean => target.effect === 'write';

beforeAll(async () => {
	table = await runTable(groups, targets);
});

afterAll(() => {
	if (table === undefined) return;
	const { findings, search } = table;
	const writes = findings.filter(isWrite);
	const those = (outcome: string) => writes.filter((finding) => finding.outcome === outcome);
	const ofThose = (outcome: string) => those(outcome).filter(({ executed }) => executed > 0).length;
	const most = (count: (finding: Finding) => number) => Math.max(0, ...writes.map(count));
	const problems = findings.flatMap(({ problems: found }) => found);
	process.stdout.write(
		[
			'',
			matrix(groups, targets, (fault, target) => table.entry(fault, target)),
			`${findings.length} runs in ${table.seconds.toFixed(0)} s, ${problems.length} surprises`,
			`Nothing twice: ${writes.length} writes under a fault, the most-sent one was sent ` +
				`${most(({ sent }) => sent)} times, the most-executed one was executed ${most(({ executed }) => executed)} time(s)`,
			`The truth: ${those('complete').length} succeeded (${ofThose('complete')} executed), ` +
				`${those('notApplied').length} said "not applied" (${ofThose('notApplied')} executed), ` +
				`${those('unknown').length} said "may have been applied" (${ofThose('unknown')} executed)`,
			`No secret: ${search.size} texts searched for in ${search.values} values, ${search.characters} characters, ` +
				`${table.logged} of them logged or printed: ${search.hits.length} hits`,
			'',
		].join('\n'),
	);
});

describe.each(groups)('$name', ({ faults }) => {
	describe.each(faults.map((fault) => ({ name: fault.name, fault })))('$name', ({ fault }) => {
		it.each(targets.filter(({ kind }) => fault.expect[kind]))('$name', (target) => {
			const entry = table.entry(fault, target);
			expect(entry?.runs.length).toBeGreaterThan(0);
			expect(entry?.problems).toEqual([]);
		});
	});
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
	(only === '' ? it.each(ofFaults) : it.skip.each(ofFaults))(
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
