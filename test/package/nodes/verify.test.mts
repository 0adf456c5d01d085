/** Verify: what a write left at the service is read again. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chain, retryWorkflow, runWorkflow, type NodeDraft } from '../../../dev/engine/index.mts';
import { createAddress, updateCostCenters } from '../../../dev/package/calls.mts';
import { forward } from '../../support/forward.mts';
import type { Received } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
/** Stands between the node and the sandbox. */
const service = useScriptedServer();
const credential = useCredential(payroll, sandbox, () => ({ soapUrl: service.url }));

const isWrite = ({ body }: Received) => /<\w+_(?:Insert|Update) /.test(body);
/** The operations that were called, in order. */
const called = () => service.received.map(({ body }) => /<soap:Body><(\w+)/.exec(body)?.[1]);

/** What the service answers to a read, by what it has; `undefined` breaks the connection. */
type Shown = (answer: string, readsSinceWrite: number) => string | undefined;

/** Passes calls on to the sandbox, which shows the records otherwise once something was written. */
function play(shown: Shown = (answer) => answer): void {
	let reads: number | undefined;
	service.play(async (response, _, request) => {
		const { status, headers, body } = await forward(sandbox.url, request);
		if (isWrite(request)) reads = 0;
		else if (reads !== undefined) reads += 1;
		const text = isWrite(request) || !reads ? String(body) : shown(String(body), reads);
		if (text === undefined) response.destroy();
		else response.writeHead(status, headers).end(text);
	});
}
beforeEach(() => play());

const row = (costCenterCode: string, percentage: number | string, fields = {}) =>
	({ costCenterCode, percentage, fields }) as INodeParameters;
/** Employee 1002 has 4200 (62.5 %) and 4300 (37.5 %). */
const update = (rows: INodeParameters[], more: INodeParameters = {}): INodeParameters => {
	const { verify: _, ...parameters } = updateCostCenters;
	return { ...parameters, keepOthers: true, costCenteren: { row: rows }, ...more };
};
const half = update([row('4200', '50'), row('4300', '50.00')]);

const { verify: _verify, ...insert } = createAddress;

async function run(parameters: INodeParameters, more: Partial<NodeDraft> = {}, ids = [1002]) {
	const drawing = chain(
		ids.map((id) => ({ id })),
		credential.employee(parameters, more),
	);
	const result = await runWorkflow(payroll.workflow(drawing));
	const { data } = result.run;
	const hints = data.resultData.runData.Payroll?.[0]?.hints?.map(({ message }) => message) ?? [];
	return { ...result, drawing, items: result.json('Payroll'), hints };
}
const dataOf = ({ error }: { error?: unknown }) =>
	(error as { context: { data: IDataObject } } | undefined)?.context.data;

/** The records of an answer, in another order. */
const reversed: Shown = (answer) => {
	const records = answer.match(/<EmployeeCostCenter>.*?<\/EmployeeCostCenter>/gs) ?? [];
	return answer.replace(records.join(''), [...records].reverse().join(''));
};

describe('cost centers that were written', () => {
	it.each<[string, Shown, INodeParameters?]>([
		['as they were sent', (answer) => answer],
		[
			'with other notations of numbers',
			(answer) => answer.replace('>50<', '>50.000<').replace('>50.00<', '>50<'),
		],
		['in another order', reversed],
		['with other Record IDs', (answer) => answer.replace(/<Id>500/g, '<Id>700')],
		[
			'with a description that the service adds',
			(answer) =>
				answer.replace('<Code>4900</Code>', '<Code>4900</Code><Description>R</Description>'),
			update([row('4900', 100)], { keepOthers: false }),
		],
		[
			'without a cost center that was given 0 %',
			(answer) => answer.replace(/<EmployeeCostCenter>.*?<\/EmployeeCostCenter>/s, ''),
			update([row('4200', 0), row('4300', 100)]),
		],
	])('are verified: %s', async (_, shown, parameters = half) => {
		play(shown);
		const { items, error, hints } = await run(parameters);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ EmployeeId: 1002, written: true, verified: true }]);
		expect(called()).toEqual(['CostCenter_Get', 'CostCenter_Update', 'CostCenter_Get']);
		expect(hints.join()).not.toContain('verified');
	});

	it.each<[string, Shown, string]>([
		[
			'another share',
			(answer) => answer.replace('>50<', '>5<'),
			'Sent, and not there: (Cost Center Code 4200, ',
		],
		[
			'a cost center less',
			(answer) => answer.replace(/<EmployeeCostCenter>.*?<\/EmployeeCostCenter>/s, ''),
			').',
		],
		[
			'no cost center',
			(answer) => answer.replace(/<EmployeeCostCenter>.*<\/EmployeeCostCenter>/s, ''),
			'',
		],
	])('are an error with what stands there, %s', async (_, shown, text) => {
		play(shown);
		const result = await run(half);
		expect(result.error?.message).toBe('The payroll service has other values than were written');
		expect(result.error?.description).toContain(text);
		expect(dataOf(result)).toMatchObject({ code: 'WRITTEN_OTHERWISE', outcome: 'applied' });
		expect(called()).toEqual([
			...['CostCenter_Get', 'CostCenter_Update', 'CostCenter_Get', 'CostCenter_Get'],
		]);
	});

	it('are an error if the service keeps those that are not sent', async () => {
		await sandbox.configure({ costCenterUpdate: 'change' });
		const { error } = await run(update([row('4900', 100)], { keepOthers: false }));
		await sandbox.configure({ costCenterUpdate: 'replace' });
		expect(error?.description).toBe(
			'There, and not sent: (Cost Center Code 4200, Cost Center Description R&amp;D &lt;lab&gt; "Noord", Cost Center ID 12, Cost Type Code 410, Cost Type Description Overwerk &gt; 40 uur, Percentage 62.5, Default true) ' +
				'and (Cost Center Code 4300, Cost Center Description Café &amp; Keuken, Cost Center ID 13, Cost Type Code 420, Cost Type Description Vakantiegeld &amp; 13e maand, Percentage 37.5, Default false). ' +
				"'Verify' read this after the change. Correct what differs in the payroll service. " +
				'The change was applied: a retry of this execution does not send it again. Employee ID 1002, Period 6, Year 2026.',
		);
	});

	it('are verified if the change arrives late', async () => {
		let before = '';
		service.play(async (response, index, request) => {
			const { status, headers, body } = await forward(sandbox.url, request);
			if (index === 0) before = String(body);
			const text = index === 2 ? before : String(body);
			response.writeHead(status, headers).end(text);
		});
		expect((await run(half)).items).toMatchObject([{ written: true, verified: true }]);
		expect(called()).toHaveLength(4);
	});

	it('are not verified if they cannot be read, and the write is a success', async () => {
		play(() => undefined);
		const { items, error, hints } = await run(half);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ written: true, verified: false }]);
		expect(hints).toContain('1 written, but not verified: the records could not be read again');
	});

	it('are not read again with Verify off, in a dry run, or if nothing changes', async () => {
		for (const [parameters, calls] of [
			[{ ...half, verify: false }, ['CostCenter_Get', 'CostCenter_Update']],
			[half, ['CostCenter_Get']],
			[{ ...update([row('4200', 60), row('4300', 40)]), dryRun: true }, ['CostCenter_Get']],
		] as const) {
			play();
			const { items } = await run(parameters as INodeParameters);
			expect(items[0]).not.toHaveProperty('verified');
			expect(called()).toEqual(calls);
		}
	});

	it('are verified after a lost answer, too', async () => {
		service.play(async (response, _, request) => {
			const { status, headers, body } = await forward(sandbox.url, request);
			if (isWrite(request)) response.destroy();
			else response.writeHead(status, headers).end(body);
		});
		expect((await run(half)).items).toMatchObject([{ outcome: 'applied', verified: true }]);
	});
});

describe('an address that was written', () => {
	const element = (name: string, text: string) => (answer: string) =>
		answer.replace(
			new RegExp(`(<${name}>)[^<]*(</${name}></EmployeeAddress>|</${name}>)(?!.*</${name}>)`, 's'),
			`$1${text}$2`,
		);

	it.each<[string, Shown, INodeParameters?]>([
		['as it was sent', (answer) => answer],
		['in another notation', element('City', 'AMSTERDAM')],
		['with another postal code notation', element('PostalCode', '1016ea')],
		['with another Address ID than was given', (answer) => answer, { addressFields: { id: 7 } }],
		['under another Id than the service told', (answer) => answer.replace(/<Id>\d+/g, '<Id>1')],
	])('is verified: %s', async (_, shown, more = {}) => {
		play(shown);
		const { items, error } = await run({ ...insert, ...more });
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ Id: expect.any(Number), verified: true }]);
		expect(called()).toEqual(['Address_Insert', 'Address_GetListCurrent']);
	});

	it('is an error with what stands there, if it has other values', async () => {
		play(element('City', 'Delft'));
		const result = await run(insert);
		expect(result.error?.description).toMatch(
			/^Sent, and not there: \(Street Keizersgracht, House Number 241, Postal Code 1016 EA, City Amsterdam, Type HomeAddress\)\. There, and not sent: \(Street Keizersgracht, House Number 241, Postal Code 1016 EA, City Delft, Type HomeAddress\)\. /,
		);
		expect(dataOf(result)).toMatchObject({ code: 'WRITTEN_OTHERWISE', outcome: 'applied' });
	});

	it('is not verified if it is not among the current ones, as one of another period may not be', async () => {
		play((answer) => answer.replace(/<EmployeeAddress>.*<\/EmployeeAddress>/s, ''));
		const { items, error, hints } = await run(insert);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ Id: expect.any(Number), verified: false }]);
		expect(hints).toContain('1 written, but not verified: no current address has the values');
		expect(called()).toHaveLength(2);
	});
});

describe('a write that stands otherwise', () => {
	const isUpdate = (name: string | undefined) => name === 'CostCenter_Update';
	const otherwise: Shown = (answer) => answer.replace('>50<', '>5<');

	it('is not sent again by Retry On Fail, nor by a retry of the execution', async () => {
		play(otherwise);
		const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const failed = await run(half, tries);
		const { error } = failed;
		expect(error?.message).toBe('The payroll service has other values than were written');
		expect(called().filter(isUpdate)).toHaveLength(1);
		const retried = await retryWorkflow(payroll.workflow(failed.drawing), failed);
		expect(retried.error?.message).toBe(error?.message);
		expect(dataOf(retried)).toMatchObject({ outcome: 'applied' });
		expect(called().filter(isUpdate)).toHaveLength(1);
	});

	it('stops a batch, which counts it as applied', async () => {
		play(otherwise);
		const { error } = await run(
			update([row('4900', 50), row('4910', '50.00')], { keepOthers: false }),
			{},
			[1001, 1002, 1003],
		);
		expect(error?.description).toContain(
			'1 of 3 items were applied: Employee ID 1001. 2 were refused or not sent.',
		);
		expect(called().filter(isUpdate)).toHaveLength(1);
	});

	it('is an item with the error if the node continues', async () => {
		play((answer) => answer.replace('>62<', '>6<'));
		const rows = update(
			[
				row('4900', '={{ $json.id === 1001 ? 62 : 50 }}'),
				row('4910', '={{ $json.id === 1001 ? 38 : 50 }}'),
			],
			{ keepOthers: false },
		);
		const { items } = await run(rows, { onError: 'continueRegularOutput' }, [1001, 1002]);
		expect(items).toMatchObject([
			{ id: 1001, error: { code: 'WRITTEN_OTHERWISE', outcome: 'applied' } },
			{ EmployeeId: 1002, verified: true },
		]);
	});
});
