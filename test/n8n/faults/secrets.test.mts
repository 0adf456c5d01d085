/** No secret stands in anything that a real n8n stores or logs, whatever fault the package meets. */
import { groups } from '../../faults/list/index.mts';
import { planted } from './planted.mts';
import { gather, type Evidence } from './evidence.mts';
import { oneOfEach, wholeTable } from './plans.mts';

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

const tables = [
	{ version: '2.41.1', plans: wholeTable(groups) },
	{ version: '1.123.81', plans: oneOfEach(groups) },
] as const;

describe.each(tables)('n8n $version', ({ version, plans }) => {
	let evidence: Evidence;

	beforeAll(async () => {
		evidence = await gather(version, plans);
	}, installing);

	afterAll(() => {
		if (evidence === undefined) return;
		const { credentials, executions, files, rows, search, secrets, seconds } = evidence;
		const stored = [...rows.values()].reduce((sum, count) => sum + count, 0);
		process.stdout.write(
			`n8n ${version}: ${executions} executions with ${credentials} credentials; ${secrets} secrets as ` +
				`${search.size} texts looked for in ${search.values} places (${files.length} files, ${stored} rows), ` +
				`${search.characters} characters, in ${seconds.toFixed(0)} s\n`,
		);
	});

	const real = () => evidence.search.hits.filter(({ secret }) => secret !== planted.name);
	const found = () => evidence.search.hits.filter(({ secret }) => secret === planted.name);

	it('every fault is met as the table of faults says', () => {
		expect(evidence.executions).toBe(plans.length + 2);
		expect(evidence.surprises).toEqual([]);
		expect(evidence.unexpected).toEqual([]);
	});

	it('n8n has stored and logged the errors', () => {
		const { files, log, rows, stored, titles } = evidence;
		expect(titles.size).toBeGreaterThan(20);
		expect([...stored].sort()).toEqual([...titles].sort());
		expect(rows.get('execution_data')).toBe(plans.length + 2);
		expect(rows.get('credentials_entity')).toBe(evidence.credentials);
		expect(files).toContain('.n8n/database.sqlite');
		expect(files).toContain('.n8n/n8nEventLog.log');
		for (const { targets } of plans) {
			for (const { name } of targets)
				expect(log).toContain(`debug | Running node "${name}" started`);
		}
		expect(log).toContain('The credential needs to be reconnected');
	});

	it('what is planted in an item and in an error is found wherever n8n keeps it', () => {
		const places = found().map(({ path }) => path);
		const kinds = [
			/^execution \d+, as n8n gives it\.data/,
			/^execution \d+\.resultData\.runData\./,
			/^execution \d+\.resultData\.error\./,
			/^file \.n8n\/database\.sqlite/,
			/^file \.n8n\/n8nEventLog\.log/,
			/^file start-\d+\.log/,
			/^table execution_data\./,
		];
		expect(kinds.filter((kind) => !places.some((place) => kind.test(place)))).toEqual([]);
		const encodings = found().map(({ encoding }) => encoding);
		expect(encodings).toEqual(
			expect.arrayContaining(['as it is', 'in JSON', 'URL-encoded', 'base64']),
		);
	});

	it('no secret is found', () => {
		expect(evidence.search.values).toBeGreaterThan(plans.length);
		expect(real()).toEqual([]);
	});
});
