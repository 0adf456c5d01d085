/**
 * The table of faults: every fault on every operation, each with what has to come of it. It runs
 * once; each test looks at one fault on one target. By default a sample runs: each fault on one
 * read and one write.
 */
import type { Fault, Group } from './fault.mts';
import { runTable, type Finding, type Table } from './table.mts';
import { targets, type Target } from './targets.mts';
import { connection } from './list/connection.mts';
import { field } from './list/credential.mts';
import { framing } from './list/framing.mts';
import { identityExpired, identityField, identityRejected } from './list/identity.mts';
import { failure, redirect, refusal } from './list/status.mts';
import { text } from './list/text.mts';
import { readFileSync } from 'node:fs';

/** The rows of the table. */
const allGroups: readonly Group[] = [
	connection,
	framing,
	redirect,
	refusal,
	field,
	failure,
	text,
	identityRejected,
	identityExpired,
	identityField,
];

const OUTCOMES = {
	No: ['notApplied'],
	'Probably not': ['refused'],
	Maybe: ['unknown'],
	Depends: ['notApplied', 'unknown'],
};

const page = readFileSync('docs/errors.md', 'utf8');

/** What the error of each code may say about a write. */
const outcomesByCode = new Map<string, Set<string>>();
for (const [, code = '', applied] of page.matchAll(
	/^\| `([A-Z_]+)` .* (No|Probably not|Maybe|Depends) \|/gm,
)) {
	const known = outcomesByCode.get(code) ?? [];
	outcomesByCode.set(code, new Set([...known, ...OUTCOMES[applied as keyof typeof OUTCOMES]]));
}

/** Codes that no fault of the table causes; each has a test of its own. */
const ELSEWHERE = new Set([
	'CREDENTIAL_FIELD_INVALID',
	'EARLIER_CHANGE_IN_DOUBT',
	'NOT_CHANGED',
	'WRITE_UNCONFIRMED',
	'CREDENTIAL_READ_ONLY',
	'DOMAIN_INVALID',
	'REQUEST_FAILED',
	'CALL_INTERRUPTED',
	'LIST_INCOMPLETE',
	'REVOCATION_FAILED',
	'DESCRIPTION_UNREADABLE',
	'OPERATION_UNUSABLE',
	'DESCRIPTIONS_DIFFER',
	'UNDECIDED',
	'FILE_UNUSABLE',
	'UNEXPECTED',
]);

/** The codes that the whole table must cause. */
const causedByFaults = [...outcomesByCode.keys()].filter((code) => !ELSEWHERE.has(code));

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
/** Whether the records could not be read before a write, so that nothing was written. */
const isBeforeWrite = ({ target, shown }: Finding): boolean =>
	target.readsFirst &&
	shown.outcome === 'notApplied' &&
	shown.description.startsWith('The current records could not be read.');

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

describe('docs/errors.md', () => {
	const failed = () =>
		table.findings.filter((one) => one.shown.outcome !== 'complete' && !isBeforeWrite(one));

	it('has the code of every error, with what the error says about a change', () => {
		const isListed = ({ shown: { code, outcome }, target }: Finding): boolean => {
			const known = outcomesByCode.get(code);
			return known !== undefined && (target.effect === 'read' || known.has(outcome));
		};
		expect(failed().filter((finding) => !isListed(finding))).toEqual([]);
	});

	if (!isWhole) return;

	it.each(causedByFaults)('says what is known of a write after %s', (code) => {
		const findings = failed().filter(({ shown }) => shown.code === code);
		expect(findings).not.toEqual([]);
		const told = outcomesByCode.get(code) ?? new Set();
		const written = findings.filter(isWrite).map(({ shown }) => shown.outcome);
		// A row of the page about reads alone says that nothing was applied.
		const isReads = told.has('notApplied') && !findings.every(isWrite);
		expect(new Set([...written, ...(isReads ? ['notApplied'] : [])])).toEqual(told);
	});
});

describe('over all faults', () => {
	if (isSample) {
		it('the sample has every target', () => {
			expect(new Set(table.findings.map(({ target }) => target))).toEqual(new Set(targets));
		});
	}

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
