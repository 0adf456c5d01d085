/** What a model reads of the answers of tools: little, and what is left out. */
import type { IDataObject } from 'n8n-workflow';
import { answerToModel, callTool } from '../../../dev/package/tools.mts';
import { replying } from '../../support/scripted.mts';
import { soapAnswer, soapList, XML } from '../../support/soap.mts';
import { useTools } from './tools.mts';

const { payroll, service, credential, scripted, find, examples, answer } = useTools();

describe('a model reads little', () => {
	const keys = { Employee_ID: '1001', Period: '6', Year: '2026' };
	const fifty = Array.from({ length: 50 }, (_, i) => {
		const center = `<Code>${4100 + i}</Code><Description>Warehouse</Description><Id>${i + 11}</Id>`;
		const type = '<Code>400</Code><Description>Salaries</Description>';
		return `<EmployeeCostCenter><Id>${5001 + i}</Id><CostCenter>${center}</CostCenter><Kostensoort>${type}</Kostensoort><Percentage>2</Percentage><Default>false</Default></EmployeeCostCenter>`;
	});
	const rows = (count: number) => () =>
		service.play(replying(200, XML, soapList('CostCenter_Get', fifty.slice(0, count).join(''))));
	const columns = ['Id', 'CostCenter.Code', 'CostCenter.Description', 'CostCenter.Id'];

	it('of 50 cost centers: the names of columns and the keys once', async () => {
		rows(50)();
		const tool = find('Payroll Employee, Cost Center, Get Many');
		const { text, item } = await answer(tool, { simplify: false }, keys);
		expect(text.length).toBeLessThanOrEqual(4500);
		expect(item).toMatchObject({ EmployeeId: 1001, Period: 6, Year: 2026 });
		expect((item?.columns as string[]).slice(0, 4)).toEqual(columns);
		expect(item?.rows).toHaveLength(50);
		expect(item).toMatchObject({
			rows: expect.arrayContaining([[5050, '4149', 'Warehouse', 60, '400', 'Salaries', 2, false]]),
		});
		const simple = await answer(tool, { simplify: true }, keys);
		expect(simple.text.length).toBeLessThanOrEqual(4500);
		expect(simple.item).toMatchObject({
			...{ employeeId: 1001, period: 6, year: 2026 },
			columns: expect.arrayContaining(['recordId', 'costCenterCode', 'costTypeCode', 'percentage']),
		});
	});

	it.each([1, 50])('of %s cost centers only the fields that the builder selects', async (count) => {
		rows(count)();
		const tool = find('Payroll Employee, Cost Center, Get Many');
		const selected = { output: 'selected', outputFields: 'Percentage , CostCenter' };
		const { item } = await answer(tool, { simplify: false, ...selected }, keys);
		expect(item).toMatchObject({
			columns: ['CostCenter.Code', 'CostCenter.Description', 'CostCenter.Id', 'Percentage'],
			rows: expect.arrayContaining([['4100', 'Warehouse', 11, 2]]),
		});
		const simple = { outputFields: 'costCenterCode', output: 'selected' };
		expect((await answer(tool, simple, keys)).item).toMatchObject({ columns: ['costCenterCode'] });
	});

	it.each([
		[
			'Percentage, Street',
			{ simplify: false },
			'"Street" is no field of the output, which has Id,',
		],
		['percentage, CostCenter', {}, '"CostCenter" is no field of the output, which has recordId,'],
		[' ,', {}, 'is empty'],
	])('of a field that no record has, %j, nothing', async (outputFields, more, text) => {
		rows(1)();
		const tool = find('Payroll Employee, Cost Center, Get Many');
		const { item } = await answer(tool, { output: 'selected', outputFields, ...more }, keys);
		expect(item?.error).toContain(`'Fields'`);
		expect(item?.error).toContain(text);
		expect(service.received).toEqual([]);
	});

	const dryRun = { dryRun: true, options: { showEnvelope: true } };
	it.each<[string, object, object]>([
		['a dry run', dryRun, { dryRun: true, written: false }],
		['an update', { verify: false }, { success: true, written: true }],
	])(
		'of %s of 50 cost centers the changes, given by the names of columns',
		async (_, parameters, known) => {
			const read = soapList('CostCenter_Get', fifty.join(''));
			service.play((response, request, received) => {
				const isWrite = received.body.includes('<CostCenter_Update ');
				const text = isWrite ? soapAnswer('CostCenter_Update', '') : read;
				return replying(200, XML, text)(response, request, received);
			});
			const tool = find('Payroll Employee, Cost Center, Update, Using JSON');
			const given = fifty.map((__, i) => {
				const percentage = i % 2 === 0 ? 3 : 1;
				const byCode = { 'CostCenter.Code': String(4100 + i), 'Kostensoort.Code': null };
				return i % 3 === 0 ? { recordId: 5001 + i, percentage } : { ...byCode, percentage };
			});
			const input = { ...keys, Cost_Centers__JSON_: given };
			const { text, item } = await answer(tool, parameters, input);
			expect(text.length).toBeLessThanOrEqual(4500);
			expect(item).toMatchObject({ EmployeeId: 1001, ...known });
			const changes = String(item?.changes).split(' · ');
			expect(changes).toHaveLength(50);
			expect(changes).toEqual(expect.arrayContaining(['4100: 2 → 3 %', '4101: 2 → 1 %']));
			for (const name of ['envelope', 'request']) expect(item).not.toHaveProperty(name);
		},
	);
});

describe('a model reads at most 20,000 characters, and what is left out', () => {
	const tool = () => find('Payroll Hour Codes, Hour Code, Get Many');
	const codes = (rows: readonly object[], total?: number) =>
		service.play(replying(200, 'application/json', { data: rows, total }));
	const list = (count: number, row: (i: number) => object) =>
		Array.from({ length: count }, (_, i) => row(i));
	const code = (Id: number) => ({ Id, Name: `Code ${Id}` });

	it('of a list that Limit cuts: that there are more, and how many', async () => {
		codes(list(100, code), 137);
		const parameters = { returnAll: false, limit: 50 };
		const draft = { ...tool().draft, parameters: { ...tool().draft.parameters, ...parameters } };
		const result = await callTool(payroll, scripted.id, draft, { Company_ID: '100' });
		const [item] = JSON.parse(answerToModel(result)) as IDataObject[];
		expect(result.hints(draft.name)).toEqual([
			"'Limit' cut the list: 50 of 137 records of Company ID 100.",
		]);
		expect(item).toMatchObject({ limit: 50, more: true, total: 137 });
		expect(item?.rows).toHaveLength(50);
	});

	const hidden = '\u0001\u200b\u{E0100}\u3164';
	const fields = Array.from({ length: 3000 }, (_, i) => [`f${i}`, i]);
	it.each<[string, readonly object[]]>([
		['as many records as there is room for', list(2000, code)],
		['records that each have a field of their own', list(2000, (i) => ({ [`f${i}`]: i }))],
		['records of many fields', list(10, (i) => ({ ...Object.fromEntries(fields), Id: i }))],
		['long texts', list(50, (i) => ({ Text: `${i}${hidden.repeat(4000)}`, 'Na\u200bme': 1 }))],
	])('of %s', async (_, records) => {
		codes(records, records.length);
		const parameters = { returnAll: true, options: { firstPage: 1, pageSize: 5000 } };
		const { text, item } = await answer(tool(), parameters, { Company_ID: '100' });
		expect(text.length).toBeLessThanOrEqual(20_000);
		const left = records.length - (item?.rows as unknown[]).length;
		expect(item?.leftOut).toMatch(new RegExp(`^${left} more records.* Ask for less at once`));
		// Variation selectors and fillers, too, can carry words that a person does not see.
		expect(text).not.toMatch(/[\u200b\u{E0100}\u3164]/u);
	});

	it('of a dry run first that nothing was written, and of a long text as much as there is room for', async () => {
		const other = find('Payroll Employee, Other Operation, Call');
		const operationName = { __rl: true, mode: 'name', value: 'Hours_Insert' };
		const input = { Parameters__JSON_: { Line: list(1500, (i) => ({ Code: `H${i}`, Hours: 8 })) } };
		const { item, text } = await answer(other, { operationName, dryRun: true }, input);
		expect(item).toMatchObject({ dryRun: true, written: false });
		expect(text.length).toBeGreaterThan(10_000);
	});

	it('of a file its size, or with the option its name, type and size', async () => {
		const file = Buffer.alloc(1_000_000, '%PDF-1.7').toString('base64');
		const slip = soapAnswer('Payslip_Get', `<Payslip_GetResult>${file}</Payslip_GetResult>`);
		service.play(replying(200, XML, slip));
		const other = find('Payroll Employee, Other Operation, Call');
		const operationName = { __rl: true, mode: 'name', value: 'Payslip_Get' };
		const input = { Parameters__JSON_: { EmployeeId: 1001 } };
		const { item } = await answer(other, { operationName }, input);
		expect(item).toEqual({ EmployeeId: 1001, Payslip_GetResult: '(base64 of 1000000 bytes)' });
		const options = { outputPropertyName: 'slip', fileContentIs: 'base64' };
		const withFile = await answer(other, { operationName, options }, input);
		expect(withFile.item).toEqual({
			EmployeeId: 1001,
			slip: { name: 'Payslip_Get-1001.pdf', type: 'application/pdf', size: '1 MB' },
		});
	});

	it.each([
		[
			'Payroll Employee, Address, Create, Using JSON',
			/^Address ID 9001 · .* · Street Keizersgracht · House Number 241 · .*Type HomeAddress$/,
		],
		['Payroll Employee, Other Operation, Call', /^Employee ID 1001 · Period 6/],
	])('of a dry run of %s its values, in the words of the form', async (title, changes) => {
		const asked = find(title);
		const { item } = await answer(asked, { dryRun: true }, examples(asked), credential);
		expect(item).toMatchObject({ dryRun: true, changes: expect.stringMatching(changes) });
		expect(item).not.toHaveProperty('request');
	});
});

describe('a value of a model in the path of a list', () => {
	const ID = "$fromAI('id', 'Of a company (a/b)', 'string')";
	const inExpression = `={{ '/api/companies/' + ${ID} + '/departments' }}`;
	it.each([
		['one segment of a text', `=/api/companies/{{ ${ID} }}/departments`],
		['one segment of an expression', inExpression],
		['one segment, with a text behind the expression', `={{ '/api/companies/' + ${ID} }}-x`],
		[
			'one segment, with a parenthesis in its description',
			`={{ '/api/companies/' + $fromAI('id', 'a) Of a company (a/b', 'string') }}`,
		],
	])('is %s: a slash in it is refused', async (_, path) => {
		service.play(replying(200, 'application/json', { data: [{ id: 7 }], total: 1 }));
		const tool = find('Payroll Company, Other List, Get Many');
		const ask = async (id: string) =>
			(await answer(tool, { path, parameters: {}, returnAll: true }, { id })).item;
		const error = expect.stringContaining('has a value with a slash, which would lead to another');
		expect(await ask('100/employees')).toMatchObject({ error });
		expect(service.received).toEqual([]);
		expect(await ask('100')).toEqual({ id: 7 });
		expect(service.received[0]?.path).toMatch(/^\/api\/companies\/100(?:\/departments|-x)?\?/);
	});

	it('is the whole path, if the builder leaves it to the model', async () => {
		service.play(replying(200, 'application/json', { data: [{ id: 7 }], total: 1 }));
		const tool = find('Payroll Company, Other List, Get Many');
		const given = { path: `={{ ${ID}.trim() }}`, parameters: {}, returnAll: true };
		expect((await answer(tool, given, { id: ' /api/companies' })).item).toEqual({ id: 7 });
	});
});
