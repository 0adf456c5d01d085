/** Hints of a run. */
import type { IDataObject, INodeParameters, NodeExecutionHint } from 'n8n-workflow';
import type { Result } from '../../../dev/engine/index.mts';
import {
	callByName,
	callFromList,
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import type { Received } from '../../support/scripted.mts';
import { useConnected, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { soapList, XML } from '../../support/soap.mts';

const { sandbox, payroll, credential } = useSandbox();
const server = useScriptedServer();
/** Its SOAP services are the scripted server. */
const scripted = useConnected(payroll, server);
/** See test/support/time.cjs. */
const THIS_YEAR = 2026;

function hintsOf({ run }: Result): NodeExecutionHint[] | undefined {
	return run.data.resultData.runData.Payroll?.[0]?.hints;
}

/** A hint as it stands in the run's data. */
const hint = (type: 'info' | 'warning', message: string) => ({
	type,
	message,
	location: 'outputPane',
});

async function employees(
	input: IDataObject[],
	parameters: INodeParameters,
	used = credential,
	onError: 'stopWorkflow' | 'continueRegularOutput' = 'stopWorkflow',
): Promise<Result> {
	return await payroll.run(input, used.employee(parameters, { onError }));
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => ({ id: 1001 + i }));

const idIn = ({ body }: Received) => Number(/<EmployeeId>(\d+)</.exec(body)?.[1]);

/** The answer that gives an employee's cost centers with these percentages. */
function costCenters(percentages: readonly string[]): string {
	const rows = percentages.map(
		(share, i) =>
			`<EmployeeCostCenter><Id>${i + 1}</Id><Percentage>${share}</Percentage></EmployeeCostCenter>`,
	);
	return soapList('CostCenter_Get', rows.join(''));
}

it('no hint is given if records were read, or a list had one page; writes are summed up', async () => {
	await sandbox.configure({ hourCodeBody: 'metadata' });
	const results = [
		await employees(ids(30), getCostCenters),
		await employees(ids(2), { ...getAddresses, simplify: true }),
		await employees(ids(2), createAddress),
		await payroll.run([{ id: 100 }], credential.hourCodes(getHourCodes)),
	];
	await sandbox.configure({ hourCodeBody: 'array' });
	expect(results.map(hintsOf)).toEqual([[], [], [hint('info', '2 employees: 2 written.')], []]);
	const values = '={{ { EmployeeId: $json.id, Period: 6, Year: 2026 } }}';
	const [sent] = hintsOf(await employees(ids(2), callByName('CostCenter_Get', values))) ?? [];
	expect(sent).toEqual(hint('info', '2 employees: 2 sent.'));
});

it('the number of a row is no column that is not sent', async () => {
	const input = [{ EmployeeId: 1001, row_number: 2, Name: 'x' }];
	const [, told] =
		hintsOf(await employees(input, callFromList('Absence_GetList', { dryRun: true }))) ?? [];
	expect(told?.message).toMatch(/^Not sent, since there is no field for it: Name\./);
});

it('items are counted where an employee comes twice', async () => {
	const input = [...ids(2), ...ids(1)];
	expect(hintsOf(await employees(input, { ...createAddress, skipIfExists: true }))).toEqual([
		hint('info', '3 items: 2 written, 1 unchanged.'),
	]);
});

describe('percentages that do not add up to 100', () => {
	it('are reported of the employees that were read', async () => {
		const shares = [
			['60', '30'],
			['33.33', '33.33', '33.34'],
			['50.005', '50.005'],
		];
		server.play((response, _index, request) => {
			response.writeHead(200, { 'Content-Type': XML });
			response.end(costCenters(shares[idIn(request) - 1001] ?? []));
		});
		const result = await employees(ids(3), getCostCenters, scripted);
		const place = (id: number) => `Employee ID ${id}, Period 6, Year 2026`;
		expect(hintsOf(result)).toEqual([
			hint(
				'warning',
				`Percentage does not add up to 100: ${place(1001)} (90); ${place(1003)} (100.01).`,
			),
		]);
	});

	const written = hint(
		'warning',
		'Percentage does not add up to 100: Employee ID 1001, Period 6, Year 2026 (90).',
	);
	it('are reported of the rows that are written, also in a dry run', async () => {
		const row = [{ costCenterCode: '4100', percentage: 90 }];
		const uneven = { ...updateCostCenters, costCenteren: { row }, totalMustBe100: false };
		const dry = await employees(ids(1), { ...uneven, dryRun: true });
		expect(Object.keys(dry.json('Payroll')[0] ?? {}).join(' ')).toBe(
			'EmployeeId Period Year changes percentageTotal dryRun written',
		);
		expect(hintsOf(dry)).toEqual([
			hint('info', 'Preview of 1 employee: 1 would change, 0 unchanged.'),
			written,
		]);
		expect(hintsOf(await employees(ids(1), uneven))).toEqual([written]);
	});

	it('are reported of the input items of a call, with the fields that are not sent', async () => {
		const item = (EmployeeId: number, Percentage: number, Code = '4100') => ({
			EmployeeId,
			Period: 6,
			Year: 2026,
			CostCenter: { Code, Color: 'red' },
			Percentage,
			'<b>bold</b>': 1,
			[sandbox.subscriptionKey]: 1,
		});
		const more = { specifyCostCenteren: 'items', totalMustBe100: false };
		const parameters = { ...updateCostCenters, ...more };
		const result = await employees(
			[item(1001, 60), item(1002, 100, '4200'), item(1001, 30, '4900')],
			parameters,
		);
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toEqual([
			hint('info', '2 employees (3 rows): 2 written.'),
			written,
			hint('info', 'Cost Center Codes that are new: 4900: 1 employee.'),
			hint(
				'info',
				'Not sent, since there is no field for it: CostCenter.Color; &lt;b&gt;bold&lt;/b&gt;; ***.',
			),
		]);
	});
});

describe('a period that is probably mistyped is reported once for all calls', () => {
	const far = (...list: string[]) => `Year is more than one year from now: ${list.join('; ')}.`;
	const none = (...list: string[]) => `Period is below 1 or over 53: ${list.join('; ')}.`;
	const place = (id: number, period: number, year: number) =>
		`Employee ID ${id}, Period ${period}, Year ${year}`;

	it.each([
		['that is written', { ...updateCostCenters, anyPeriod: true }],
		['that is shown by a dry run', { ...updateCostCenters, anyPeriod: true, dryRun: true }],
		['of an operation without a form', callByName('CostCenter_Get', '={{ $json.request }}')],
	])('%s', async (_, chosen) => {
		const input = [
			{ id: 1001, period: 6, year: THIS_YEAR },
			{ id: 1001, period: 0, year: THIS_YEAR + 1 },
			{ id: 1002, period: 66, year: 20265 },
			{ id: 1003, period: 53, year: THIS_YEAR - 2 },
		].map((item) => ({
			...item,
			request: { EmployeeId: item.id, Period: item.period, Year: item.year },
		}));
		const period = '={{ $json.period }}';
		const result = await employees(input, { ...chosen, period, year: '={{ $json.year }}' });
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)?.filter(({ type }) => type === 'warning')).toEqual([
			hint(
				'warning',
				[
					none(place(1001, 0, THIS_YEAR + 1), place(1002, 66, 20265)),
					far(place(1002, 66, 20265), place(1003, 53, THIS_YEAR - 2)),
				].join(' '),
			),
		]);
	});

	it.each<[string, INodeParameters]>([
		['costCenter', updateCostCenters],
		['costCenter', { ...updateCostCenters, dryRun: true }],
		['address', { ...createAddress, skipIfExists: true, unprotectedMode: true }],
	])('but refused before a %s is written, unless it is meant', async (_, chosen) => {
		const write = { ...chosen, period: 0, year: 26 };
		const result = await employees(ids(1), write);
		expect(result.error).toMatchObject({
			message:
				"2 values cannot be used:\n• 'Year': 26 is more than one year from now (2026?). If it is meant, turn on 'Any Period'." +
				"\n• 'Period': 0 is below 1 or over 53. If it is meant, turn on 'Any Period'.",
			context: { data: { code: 'VALUE_INVALID', outcome: 'notApplied' } },
		});
		expect((await sandbox.stats()).soapCalls).toEqual({});
		for (const [period, year] of [
			[1, THIS_YEAR - 1],
			[53, THIS_YEAR + 1],
		]) {
			expect(
				(await employees(ids(1), { ...chosen, dryRun: true, period, year })).error,
			).toBeUndefined();
		}
		const asked = await employees(ids(1), { ...write, anyPeriod: '={{ true }}' });
		expect(asked.error?.message).toContain("'Any Period'");
	});

	it('that is read, also if there are no records', async () => {
		const result = await employees(ids(1), { ...getCostCenters, year: 26 });
		expect(hintsOf(result)).toContainEqual(hint('warning', far(place(1001, 6, 26))));
	});
});

describe('what a name suggests is offered once a run, and never believed', () => {
	const values = `={{ { EmployeeId: $json.id, Period: 6, Year: ${THIS_YEAR} } }}`;
	const offered =
		/^If the operation only reads, add the option 'Only Reads': its calls then overlap, and are repeated after a failure: (.+)\.$/;
	const offers = (result: Result): string[] =>
		(hintsOf(result) ?? []).flatMap(({ message }) => offered.exec(message)?.[1] ?? []);

	it.each<[string, object, string[]]>([
		['CostCenter_Get', {}, ['CostCenter_Get']],
		['CostCenter_Get', { options: { onlyReads: false } }, ['CostCenter_Get']],
		['CostCenter_Get', { options: { onlyReads: true } }, []],
		[
			'={{ $json.id === 1001 ? "CostCenter_Get" : "List_GetByCompany" }}',
			{},
			['CostCenter_Get; List_GetByCompany'],
		],
		['Address_GetListCurrent', { dryRun: true }, ['Address_GetListCurrent']],
		['CostCenter_Update', { dryRun: true }, []],
		['Budget_Widget', { dryRun: true }, []],
		['Target_Getaway', { dryRun: true }, []],
	])('%s with %j', async (name, more, expected) => {
		const result = await employees(ids(2), callByName(name, values, { dryRun: true, ...more }));
		expect(result.error).toBeUndefined();
		expect(offers(result)).toEqual(expected);
	});
});

it('calls without records are named, ten of them, each once', async () => {
	server.play((response) => {
		response.writeHead(200, { 'Content-Type': XML });
		response.end(costCenters([]));
	});
	const named = ids(10).map(({ id }) => `Employee ID ${id}, Period 6, Year 2026`);
	const twice = [...ids(12), ...ids(1)];
	expect(hintsOf(await employees(twice, getCostCenters, scripted))).toEqual([
		hint('info', `No records: ${named.join('; ')}; and 2 more.`),
	]);
});

it('a text with three decimals may be meant as thousands', async () => {
	const row = [{ costCenterCode: '4100', percentage: '={{ $json.share }}' }];
	const parameters = { ...updateCostCenters, costCenteren: { row }, totalMustBe100: false };
	const said = async (share: unknown, dryRun: boolean) => {
		await sandbox.reset();
		const item = { id: 1001, share } as IDataObject;
		const result = await employees([item], { ...parameters, dryRun });
		expect(result.error).toBeUndefined();
		const texts = (hintsOf(result) ?? []).map(({ message }) => message);
		return /A point before three digits .*/.exec(texts.join())?.[0];
	};
	const message =
		'A point before three digits was read as a decimal point. If thousands are meant, leave it out: 3.100 is 3.1, not 3100.';
	for (const dryRun of [true, false]) {
		expect(await said(' 3.100', dryRun)).toBe(message);
		for (const share of [3.125, '3.10', '0.125', '3.1000', '1234.500', '3100']) {
			expect(await said(share, dryRun)).toBeUndefined();
		}
	}
});
