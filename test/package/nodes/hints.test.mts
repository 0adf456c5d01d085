/** Hints of a run; test/unit/run/hints.test.mts has their words. */
import type { IDataObject, INodeParameters, NodeExecutionHint } from 'n8n-workflow';
import {
	addTool,
	agent,
	chain,
	runWorkflow,
	trigger,
	type Result,
} from '../../../dev/engine/index.mts';
import { withoutCostCenter } from '../../../dev/sandbox/state.mts';
import {
	getAddresses,
	getCostCenters,
	getHourCodes,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { stopClock } from '../../support/clock.mts';
import { forwarding, type Received } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { soapList, XML } from '../soap.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const identity = useScriptedServer();
const credential = useCredential(payroll, sandbox);
/** Its SOAP services are the scripted server. */
const scripted = useCredential(payroll, sandbox, () => ({ soapUrl: server.url }));
/** Its identity server is slow. */
const slow = useCredential(payroll, sandbox);
beforeAll(async () => await payroll.credentials.patch(slow.id, { identityUrl: identity.url }));
afterEach(() => jest.restoreAllMocks());

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
function costCenters(percentages: ReadonlyArray<string | undefined>): string {
	const rows = percentages.map((percentage, i) => {
		const share = percentage === undefined ? '' : `<Percentage>${percentage}</Percentage>`;
		return `<EmployeeCostCenter><Id>${i + 1}</Id>${share}</EmployeeCostCenter>`;
	});
	return soapList('CostCenter_Get', rows.join(''));
}

/** Has the service answer with these percentages, employee by employee from 1001 on. */
function play(...byEmployee: ReadonlyArray<ReadonlyArray<string | undefined>>): void {
	server.play((response, _index, request) => {
		response.writeHead(200, { 'Content-Type': XML });
		response.end(costCenters(byEmployee[idIn(request) - 1001] ?? []));
	});
}

describe('no hint is given if', () => {
	it('records were read', async () => {
		const result = await employees(ids(30), getCostCenters);
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toEqual([]);
	});

	it('records were written', async () => {
		expect(hintsOf(await employees(ids(2), updateCostCenters))).toEqual([]);
	});

	it('a list had one page', async () => {
		await sandbox.configure({ hourCodeBody: 'metadata' });
		const node = credential.hourCodes(getHourCodes);
		expect(hintsOf(await payroll.run([{ id: 100 }], node))).toEqual([]);
		await sandbox.configure({ hourCodeBody: 'array' });
	});
});

describe('percentages that do not add up to 100', () => {
	it('are reported of the employees that were read, at most five of them by name', async () => {
		const even = ['33.33', '33.33', '33.34'];
		const odd = ['60', '30'];
		play(odd, even, ['50.005', '50.005'], ['100.0000000000000000000000'], odd, odd, odd, odd, odd);
		const result = await employees(ids(9), getCostCenters, scripted);
		const place = (id: number) => `Employee ID ${id}, Period 6, Year 2026`;
		expect(hintsOf(result)).toEqual([
			hint(
				'warning',
				`Percentage does not add up to 100: ${place(1001)} (90); ${place(1003)} (100.01); ` +
					`${place(1005)} (90); ${place(1006)} (90); ${place(1007)} (90); and 2 more.`,
			),
		]);
	});

	const written = hint(
		'warning',
		'Percentage does not add up to 100: Employee ID 1001, Period 6, Year 2026 (90).',
	);
	const row = (percentage: number) => ({ costCenterCode: '4100', percentage });
	const uneven = { ...updateCostCenters, costCenteren: { row: [row(60), row(30)] } };

	it.each([true, false])(
		'are reported of the rows that are written (dry run: %s)',
		async (dryRun) => {
			const result = await employees(ids(1), { ...uneven, dryRun });
			expect(result.error).toBeUndefined();
			const dry = dryRun ? [hint('info', 'Dry run: nothing was written.')] : [];
			expect(hintsOf(result)).toEqual([...dry, written]);
			expect((await sandbox.stats()).soapExecuted).toEqual(dryRun ? {} : { CostCenter_Update: 1 });
		},
	);

	it('are reported of all rows that are written if the others are kept', async () => {
		const costCenteren = { row: [{ costCenterCode: '9999', percentage: -10 }] };
		const parameters = { ...updateCostCenters, costCenteren, keepOthers: true };
		const result = await employees(ids(1), parameters);
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toEqual([written]);
	});

	it('are reported of the input items of a call, with the fields that are not sent', async () => {
		const item = (EmployeeId: number, Percentage: number) => ({
			EmployeeId,
			Period: 6,
			Year: 2026,
			CostCenter: { Code: '4100', Color: 'red' },
			Percentage,
			'<b>bold</b>': 1,
			[sandbox.domain]: 1,
			...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`more${i}`, i])),
		});
		const parameters = { ...updateCostCenters, specifyCostCenteren: 'items' };
		const result = await employees([item(1001, 60), item(1002, 100), item(1001, 30)], parameters);
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toEqual([
			written,
			hint(
				'warning',
				'Not sent, since the operation does not have these fields: CostCenter.Color, &lt;b&gt;bold&lt;/b&gt;, ***, ' +
					'more0, more1, more2, more3, more4, more5, more6, and 3 more.',
			),
		]);
	});
});

it('employees without records are named, also if there are no items at all', async () => {
	const place = `Employee ID ${withoutCostCenter}, Period 6, Year 2026`;
	const alone = await employees([{ id: withoutCostCenter }], getCostCenters);
	expect(alone.json('Payroll')).toEqual([]);
	expect(hintsOf(alone)).toEqual([hint('info', `No records for ${place}.`)]);
	play([], ['100'], [], [], [], [], [], []);
	const many = await employees(ids(8), getCostCenters, scripted);
	expect(hintsOf(many)).toEqual([
		hint(
			'info',
			expect.stringMatching(/^No records for (?:Employee ID 100[13-6], [^;]*; ){5}and 2 more\.$/),
		),
	]);
});

it.each([
	[{ pageSize: 10 }, 'Read 5 pages with 9 requests.'],
	[{ pageSize: 10, checkForChanges: false }, 'Read 5 pages.'],
])('pages are counted, and the requests if there were more (%j)', async (options, message) => {
	const node = credential.hourCodes({ ...getHourCodes, options });
	expect(hintsOf(await payroll.run([{ id: 100 }], node))).toEqual([hint('info', message)]);
});

it('retried requests are counted, also beside an item that failed', async () => {
	const seen = new Map<number, number>();
	server.play((response, _index, request) => {
		const id = idIn(request);
		seen.set(id, (seen.get(id) ?? 0) + 1);
		const isGood = id === 1001 || (id < 1004 && (seen.get(id) ?? 0) > 2);
		if (isGood) response.writeHead(200, { 'Content-Type': XML }).end(costCenters(['100']));
		else response.writeHead(id === 1004 ? 404 : 503, { 'Retry-After': '0' }).end();
	});
	const result = await employees(ids(4), getCostCenters, scripted, 'continueRegularOutput');
	expect(result.json('Payroll').map(({ error }) => error !== undefined)).toEqual([
		false,
		false,
		false,
		true,
	]);
	expect(hintsOf(result)).toEqual([
		hint('warning', '1 of 4 items failed: Employee ID 1004.'),
		hint('info', '2 requests were retried after a temporary failure.'),
	]);
});

it.each([
	[7.4, [hint('info', 'Waited 7 seconds for a new access token: the identity server is slow.')]],
	[4.9, []],
])('a wait of %d seconds for a new access token gives: %j', async (seconds, expected) => {
	await sandbox.expireAccessTokens();
	const setAhead = stopClock();
	identity.play(async (...call) => {
		setAhead(seconds);
		await forwarding(sandbox.url)(...call);
	});
	const result = await employees(ids(10), getAddresses, slow);
	expect(result.error).toBeUndefined();
	expect(hintsOf(result)).toEqual(expected);
});

it('hints of a tool of an agent stand in the run of the tool', async () => {
	const input = { employee: withoutCostCenter };
	let drawing = chain(trigger(), agent([{ tool: 'Payroll', input }]));
	drawing = addTool(
		drawing,
		'Agent',
		credential.employee(
			{ ...getCostCenters, employeeId: "={{ $fromAI('employee', 'Employee number', 'number') }}" },
			{ type: `${payroll.host.packageName}.payrollEmployeeTool` },
		),
	);
	const result = await runWorkflow(payroll.workflow(drawing));
	expect(result.error).toBeUndefined();
	expect(hintsOf(result)).toEqual([
		hint('info', expect.stringMatching(/^No records for Employee ID 1060/)),
	]);
});
