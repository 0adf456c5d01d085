/**
 * The table of faults: every fault on every operation, each with what has to come of it. The table
 * runs once, side by side; each test looks at one fault on one target. PAYROLL_FAULTS=<text> runs
 * the rows alone whose group or name holds the text.
 */
import { groups as allGroups } from './list/index.mts';
import { matrix } from './matrix.mts';
import { runTable, type Table } from './table.mts';
import { targets } from './targets.mts';

const only = process.env.PAYROLL_FAULTS ?? '';
const groups = allGroups
	.map(({ name, faults }) => ({
		name,
		faults: faults.filter((fault) => `${name}: ${fault.name}`.includes(only)),
	}))
	.filter(({ faults }) => faults.length > 0);

let table: Table;

beforeAll(async () => {
	table = await runTable(groups, targets);
});

afterAll(() => {
	if (table === undefined) return;
	const { findings, search } = table;
	const writes = findings.filter(({ target }) => target.effect === 'write');
	const those = (outcome: string) => writes.filter((finding) => finding.outcome === outcome);
	const most = Math.max(0, ...writes.map(({ reached }) => reached));
	const executed = (outcome: string) => those(outcome).filter(({ reached }) => reached > 0).length;
	const problems = findings.flatMap(({ problems: found }) => found);
	process.stdout.write(
		[
			'',
			matrix(groups, targets, (...place) => table.square(...place)),
			`${findings.length} runs in ${table.seconds.toFixed(0)} s, ${problems.length} surprises`,
			`Nothing twice: ${writes.length} writes under a fault, the most-sent one was sent ` +
				`${Math.max(0, ...writes.map(({ sent }) => sent))} times, the most-executed one was executed ${most} time(s)`,
			`The truth: ${those('complete').length} succeeded (${executed('complete')} executed), ` +
				`${those('notApplied').length} said "not applied" (${executed('notApplied')} executed), ` +
				`${those('unknown').length} said "may have been applied" (${executed('unknown')} executed)`,
			`No secret: ${search.size} texts looked for in ${search.places} places, ${search.characters} characters, ` +
				`${table.logged} of them logged or printed: ${search.hits.length} hits`,
			'',
		].join('\n'),
	);
});

describe.each(groups.map((group, index) => ({ ...group, group: index })))(
	'$name',
	({ faults, group }) => {
		describe.each(faults.map((fault, index) => ({ ...fault, fault: index })))(
			'$name',
			({ expect: expected, fault }) => {
				const columns = targets.flatMap(({ kind, name }, target) =>
					expected[kind] ? [{ name, target }] : [],
				);
				it.each(columns)('$name', ({ target }) => {
					const square = table.square(group, fault, target);
					expect(square?.runs.length).toBeGreaterThan(0);
					expect(square?.problems).toEqual([]);
				});
			},
		);
	},
);

describe('over all faults', () => {
	it('no write is executed twice, and no error lies about it', () => {
		const writes = table.findings.filter(({ target }) => target.effect === 'write');
		expect(writes.filter(({ reached }) => reached > 1)).toEqual([]);
		expect(
			writes.filter(({ outcome, reached }) => outcome === 'notApplied' && reached > 0),
		).toEqual([]);
		expect(
			writes.filter(({ outcome, reached }) => outcome === 'complete' && reached !== 1),
		).toEqual([]);
	});

	it('no other address receives anything', () => {
		expect(table.strays).toEqual([]);
	});

	it('no prototype is polluted', () => {
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});

	it('no secret stands in an item, an error, the run data or the log', () => {
		expect(table.search.characters).toBeGreaterThan(0);
		expect(table.logged).toBeGreaterThan(0);
		expect(table.search.hits).toEqual([]);
	});
});
