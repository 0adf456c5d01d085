import type { IDataObject } from 'n8n-workflow';
import { dataTables } from '../../../dev/engine/index.mts';
import { exampleWorkflow, withFields } from '../../../dev/package/workflow-file.mts';
import { useBench } from './bench.mts';

const example = exampleWorkflow('nightly-hour-codes.json');

const bench = useBench();
beforeEach(() => dataTables.clear());

const rows = (): IDataObject[] => dataTables.get('Hour codes')?.rows ?? [];

it('makes a table with all hour codes of all companies', async () => {
	const { error } = await bench.run(example);
	expect(error).toBeUndefined();
	expect(dataTables.get('Hour codes')?.columns.map(({ name }) => name)).toEqual([
		'companyId',
		'hourCode',
		'exportedAt',
	]);
	const companies = rows().map(({ companyId }) => companyId);
	expect(companies).toEqual([...Array<number>(37).fill(100), ...Array<number>(3).fill(200)]);
	const codes = rows().map(({ hourCode }) => JSON.parse(String(hourCode)) as IDataObject);
	expect(codes[0]).toEqual({ id: 301, code: 'U001', description: 'Normale uren 1' });
	expect(new Set(codes.map(({ id }) => id)).size).toBe(40);
	// A list without a limit is read twice, to check it for changes.
	expect(await bench.sandbox.stats()).toMatchObject({ restCalls: 6, soapCalls: {} });
});

it('keeps the rows of the last night only', async () => {
	await bench.run(example);
	const [before] = rows();
	const fewer = withFields(example, 'Companies', { companies: '[200]' });
	const { error, items } = await bench.run(fewer);
	expect(error).toBeUndefined();
	expect(items('Delete Older Rows')).toHaveLength(40);
	expect(rows().map(({ companyId }) => companyId)).toEqual([200, 200, 200]);
	expect(String(rows()[0]?.exportedAt) > String(before?.exportedAt)).toBe(true);
});

it('leaves the table as it was if a company cannot be read', async () => {
	await bench.run(example);
	const before = rows();
	const wrong = withFields(example, 'Companies', { companies: '[100, 999]' });
	const { error, status } = await bench.run(wrong);
	expect(status).toBe('error');
	expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '404' });
	expect(rows()).toEqual(before);
	expect(before).toHaveLength(40);
});
