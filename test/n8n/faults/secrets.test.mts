/** A real n8n stores and logs no secret, whatever fault occurs. */
import { groups } from '../../faults/list/index.mts';
import { INSTALLING } from '../setUp.mts';
import { planted } from './planted.mts';
import { gather, type Evidence } from './evidence.mts';
import { oneOfEach, wholeTable } from './plans.mts';

const tables = [
	{ version: '2.41.1', plans: wholeTable(groups) },
	{ version: '1.123.81', plans: oneOfEach(groups) },
] as const;

describe.each(tables)('n8n $version', ({ version, plans }) => {
	let evidence: Evidence;

	beforeAll(async () => {
		evidence = await gather(version, plans);
	}, INSTALLING);

	afterAll(() => {
		if (evidence === undefined) return;
		const { credentials, executions, files, rows, search, secrets, seconds } = evidence;
		const stored = [...rows.values()].reduce((sum, count) => sum + count, 0);
		process.stdout.write(
			`n8n ${version}: ${executions} executions with ${credentials} credentials; ${secrets} secrets as ` +
				`${search.size} texts searched for in ${search.values} values (${files.length} files, ${stored} rows), ` +
				`${search.characters} characters, in ${seconds.toFixed(0)} s\n`,
		);
	});

	const real = () => evidence.search.hits.filter(({ secret }) => secret !== planted.name);
	const found = () => evidence.search.hits.filter(({ secret }) => secret === planted.name);

	it('shows each outcome that the table of faults says', () => {
		expect(evidence.executions).toBe(plans.length + 2);
		expect(evidence.surprises).toEqual([]);
		expect(evidence.unexpected).toEqual([]);
	});

	it('stores and logs the errors', () => {
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

	it('stores what is planted in an item and in an error, and the search finds it everywhere', () => {
		const paths = found().map(({ path }) => path);
		const kinds = [
			/^execution \d+, as n8n gives it\.data/,
			/^execution \d+\.resultData\.runData\./,
			/^execution \d+\.resultData\.error\./,
			/^file \.n8n\/database\.sqlite/,
			/^file \.n8n\/n8nEventLog\.log/,
			/^file start-\d+\.log/,
			/^table execution_data\./,
		];
		expect(kinds.filter((kind) => !paths.some((path) => kind.test(path)))).toEqual([]);
		const encodings = found().map(({ encoding }) => encoding);
		expect(encodings).toEqual(
			expect.arrayContaining(['as it is', 'in JSON', 'URL-encoded', 'base64']),
		);
	});

	it('stores and logs no secret', () => {
		expect(evidence.search.values).toBeGreaterThan(plans.length);
		expect(real()).toEqual([]);
	});
});
