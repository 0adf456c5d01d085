/** A write whose answer is lost: the node reads what the service has before it reports. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	chain,
	retryWorkflow,
	runWorkflow,
	type NodeDraft,
	type Result,
} from '../../../dev/engine/index.mts';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	updateCompany,
	updateCostCenters,
	type Chosen,
} from '../../../dev/package/calls.mts';
import { withTool } from '../../../dev/package/tools.mts';
import { shortenDeadlines } from '../../support/clock.mts';
import { forward } from '../../support/forward.mts';
import type { Received, Script } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
/** Stands between the node and the sandbox. */
const service = useScriptedServer();
const credential = useCredential(payroll, sandbox, () => ({ soapUrl: service.url }));

const EMPLOYEE = 1001;
const keys = { EmployeeId: EMPLOYEE, Period: 6, Year: 2026 };

/** Answers a request in its own way. */
type Act = (response: Parameters<Script>[0], request: Received) => void | Promise<void>;

const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
const html = { 'Content-Type': 'text/html' };
const fault = (text: string) =>
	'<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault>' +
	`<faultcode>soap:Server</faultcode><faultstring>${text}</faultstring></soap:Fault></soap:Body></soap:Envelope>`;

const executed = async (request: Received) => await forward(sandbox.url, request);
const passOn: Act = async (response, request) => {
	const { status, headers, body } = await executed(request);
	response.writeHead(status, headers).end(body);
};
const cut: Act = (response) => void response.destroy();
const broken: Act = (response) => void response.writeHead(500, html).end('<h1>Error</h1>');
/** Executes a request, then answers otherwise. */
const after =
	(act: Act): Act =>
	async (response, request) => {
		await executed(request);
		await act(response, request);
	};

const isWrite = ({ body }: Received) => /<\w+_(?:Insert|Update) /.test(body);
/** The operations that were called, in order. */
const called = () => service.received.map(({ body }) => /<soap:Body><(\w+)/.exec(body)?.[1]);

/** What the service does with writes and with reads. */
function play(write: Act, read: Act = passOn): void {
	service.play(async (response, _, request) => {
		await (isWrite(request) ? write : read)(response, request);
	});
}

const address: Chosen = { ...createAddress, street: 'Lost Street' };
const rows = (...codes: Array<readonly [code: string, percentage: number]>): INodeParameters => ({
	costCenteren: {
		row: codes.map(([costCenterCode, percentage]) => ({ costCenterCode, percentage })),
	},
});
const update = (keepOthers: boolean): Chosen => ({
	...updateCostCenters,
	...rows(['4900', 100]),
	...{ keepOthers, totalMustBe100: false },
});

interface Case {
	readonly name: string;
	readonly parameters: Chosen;
	readonly get: Chosen;
	readonly read: string;
	readonly write: string;
	/** Whether the current records are read before the write. */
	readonly readsFirst: boolean;
}

const insertCase = { get: getAddresses, read: 'Address_GetListCurrent', write: 'Address_Insert' };
const updateCase = { get: getCostCenters, read: 'CostCenter_Get', write: 'CostCenter_Update' };
const cases: readonly Case[] = [
	{ name: 'an address', ...insertCase, parameters: address, readsFirst: false },
	{
		name: 'an address with Skip If It Exists',
		...insertCase,
		parameters: { ...address, skipIfExists: true },
		readsFirst: true,
	},
	{ name: 'cost centers', ...updateCase, parameters: update(false), readsFirst: true },
	{
		name: 'cost centers with Keep Other Cost Centers',
		...updateCase,
		parameters: update(true),
		readsFirst: true,
	},
];

/** The calls of a case: those of a write that is not doubted, and so many looks. */
const calls = ({ readsFirst, read, write }: Case, looks: number) => [
	...(readsFirst ? [read] : []),
	write,
	...Array.from({ length: looks }, () => read),
];

async function run(parameters: Chosen, more: Partial<NodeDraft> = {}, input = [{ id: EMPLOYEE }]) {
	return await payroll.run(input, credential.employee(parameters, more));
}

/** The item of a write whose answer arrives, on the sample data; the Id is that of any new record. */
async function usualItem({ parameters }: Case): Promise<IDataObject> {
	play(passOn);
	const [item = {}] = (await run(parameters)).json('Payroll');
	await sandbox.reset();
	return 'Id' in item ? { ...item, Id: expect.any(Number) as number } : item;
}

const dataOf = ({ error }: Result) => error?.context?.data as IDataObject | undefined;
const hintsOf = ({ run: { data } }: Result) =>
	data.resultData.runData.Payroll?.[0]?.hints?.map(({ message }) => message);
const continues = { onError: 'continueRegularOutput' } as const;

describe.each(cases)('$name', (one) => {
	it.each<[string, Act]>([
		['the connection breaks', cut],
		['a web page with HTTP 500 comes', broken],
		['HTTP 200 with a web page comes', (response) => void response.writeHead(200, html).end('<p>')],
		['HTTP 202 comes', (response) => void response.writeHead(202).end()],
		[
			'an unclear fault comes',
			(response) => void response.writeHead(500, xml).end(fault('Out of memory')),
		],
		['another answer comes', (response) => void response.writeHead(200, xml).end('<a/>')],
	])('is applied if the service has it after %s', async (_, act) => {
		const usual = await usualItem(one);
		play(after(act));
		const result = await run(one.parameters);
		expect(result.error).toBeUndefined();
		expect(result.json('Payroll')).toEqual([{ ...usual, outcome: 'applied' }]);
		expect(called()).toEqual(calls(one, 1));
		const hints = hintsOf(result);
		expect(hints).toContainEqual(
			expect.stringMatching(
				/^The answer was lost, and the service has all values.*: Employee ID 1001/,
			),
		);
	});

	it('has the Id of the record that the service has', async () => {
		play(after(cut));
		const [item] = (await run(one.parameters)).json('Payroll');
		const records = (await run(one.get)).json('Payroll');
		if (one.write === 'Address_Insert') expect(item?.Id).toBe(records.at(-1)?.Id);
	});

	it('is found 2 seconds later, if it arrives late', async () => {
		const usual = await usualItem(one);
		let late: Received | undefined;
		play(
			(response, request) => {
				late = request;
				response.destroy();
			},
			async (response, request) => {
				await passOn(response, request);
				// What arrived is carried out once it was looked for in vain.
				if (late) await executed(late);
				late = undefined;
			},
		);
		expect((await run(one.parameters)).json('Payroll')).toEqual([{ ...usual, outcome: 'applied' }]);
		expect(called()).toEqual(calls(one, 2));
		const [first, second] = service.received.slice(-2);
		// Time passes ten times as fast.
		expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(190);
	});

	it.each<[string, Partial<NodeDraft>]>([
		['', {}],
		[', with Continue', continues],
		[', with the error output', { onError: 'continueErrorOutput' }],
	])('is an error if it is still not there%s', async (_, more) => {
		play(broken);
		const result = await run(one.parameters, more);
		const outputs = result.outputs('Payroll').flat();
		const data = dataOf(result) ?? (outputs[0]?.json.error as IDataObject);
		expect(data).toMatchObject({ outcome: 'unknown', code: 'SERVICE_ERROR' });
		expect(result.error?.description ?? data.description).toMatch(
			/^The service reported an internal error\. The change was not there 2 seconds later; it may still arrive\. The change may have been applied: look/,
		);
		expect(called()).toEqual(calls(one, 2));
	});

	it.each([
		['answers with an error', broken],
		['breaks the connection', cut],
	])('is an error if the service %s when it is read', async (_, act) => {
		play(after(broken), (response, request) => {
			return service.received.some(isWrite) ? act(response, request) : passOn(response, request);
		});
		const result = await run(one.parameters);
		expect(dataOf(result)).toMatchObject({ outcome: 'unknown', code: 'SERVICE_ERROR' });
		expect(result.error?.description).toContain('Whether the change is there could not be read.');
		expect(called()).toEqual(calls(one, 2));
	});

	it('is looked for again when n8n runs the node again, and never sent again', async () => {
		const usual = await usualItem(one);
		let [late, arrives]: [Received | undefined, boolean] = [undefined, false];
		play(
			(response, request) => {
				late = request;
				response.destroy();
			},
			async (response, request) => {
				if (late && arrives) {
					await executed(late);
					late = undefined;
				}
				await passOn(response, request);
			},
		);
		const options = payroll.workflow(
			chain([{ id: EMPLOYEE }], credential.employee(one.parameters)),
		);
		const failed = await runWorkflow(options);
		expect(dataOf(failed)?.outcome).toBe('unknown');
		const before = service.received.length;
		const retried = await retryWorkflow(options, failed);
		expect(dataOf(retried)?.outcome).toBe('unknown');
		expect(called().slice(before)).toEqual([one.read]);
		arrives = true;
		const found = await retryWorkflow(options, retried);
		expect(found.error).toBeUndefined();
		expect(found.json('Payroll')).toEqual([
			expect.objectContaining({ outcome: 'applied', ...keys }),
		]);
		const [item = {}] = found.json('Payroll');
		for (const name of ['success', 'written', 'created', 'Id']) {
			expect(item[name]).toEqual(usual[name]);
		}
		expect(called().filter((name) => name === one.write)).toHaveLength(1);
	});

	it('is not looked for by a dry run', async () => {
		play(cut);
		await run({ ...one.parameters, dryRun: true });
		expect(called()).toEqual(one.readsFirst ? [one.read] : []);
	});

	it('is not looked for after a refusal', async () => {
		play((response) => void response.writeHead(404).end());
		expect(dataOf(await run(one.parameters))?.outcome).toBe('notApplied');
		expect(called()).toEqual(calls(one, 0));
	});
});

it('a tool of an agent gets the item', async () => {
	play(after(cut));
	const tool = credential.employee(address, {
		type: `${payroll.host.packageName}.payrollEmployeeTool`,
	});
	const parameters = { ...tool.parameters, employeeId: EMPLOYEE };
	await withTool(payroll, credential.id, { ...tool, parameters }, async (one) => {
		expect(JSON.stringify(await one.invoke({}))).toContain('applied');
	});
});

it('Retry On Fail sends nothing again that was found', async () => {
	play(after(cut));
	const { json } = await run(
		address,
		{ ...continues, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		[{ id: 4711 }, { id: EMPLOYEE }],
	);
	expect(json('Payroll')[1]).toMatchObject({ ...keys, outcome: 'applied' });
	const own = service.received.filter(({ body }) => body.includes(`Id>${EMPLOYEE}<`));
	expect(own.filter(isWrite)).toHaveLength(1);
});

it('an address that differs in upper case alone may have been there, if nobody looked before', async () => {
	play(passOn);
	await run(address);
	play(cut);
	const result = await run({ ...address, street: 'LOST STREET' });
	expect(dataOf(result)?.outcome).toBe('unknown');
	play(cut);
	const same = await run(address);
	expect(same.json('Payroll')).toEqual([
		{ ...keys, Id: expect.any(Number) as number, outcome: 'applied' },
	]);
	expect(hintsOf(same)?.[0]).toContain('it may have had them before');
});

it('two rows of which the service has one are not applied', async () => {
	play(passOn);
	await run({ ...update(false), ...rows(['4900', 50]) });
	play(cut);
	const result = await run({ ...update(false), ...rows(['4900', 50], ['4901', 50]) });
	expect(dataOf(result)?.outcome).toBe('unknown');
});

it.each([true, false])(
	'cost centers that were to be kept, but are lost, are not applied (Total Must Be 100 %%: %j)',
	async (totalMustBe100) => {
		play(after(cut), async (response, request) => {
			const { status, headers, body } = await executed(request);
			const isWritten = service.received.some(isWrite);
			const lost =
				/<EmployeeCostCenter>(?:(?!<\/EmployeeCostCenter>).)*>4100<.*?<\/EmployeeCostCenter>/s;
			response.writeHead(status, headers).end(isWritten ? String(body).replace(lost, '') : body);
		});
		const given = { ...rows(['4900', 0]), totalMustBe100 };
		const node = credential.employee({ ...update(true), ...given });
		const options = payroll.workflow(chain([{ id: EMPLOYEE }], node));
		const failed = await runWorkflow(options);
		expect(dataOf(failed)).toMatchObject({ outcome: 'unknown', code: 'CONNECTION_LOST' });
		// What was to be kept is not known any more, but its share is.
		if (!totalMustBe100) return;
		expect(dataOf(await retryWorkflow(options, failed))?.outcome).toBe('unknown');
		expect(called().filter((name) => name === 'CostCenter_Update')).toHaveLength(1);
	},
);

it('what has no reader is not looked for', async () => {
	play(after(cut));
	const result = await payroll.run([{ id: 100 }], credential.company(updateCompany));
	expect(dataOf(result)?.outcome).toBe('unknown');
	expect(called()).toEqual(['Address_Update']);
});

it('a service that is silent is waited for at most 10 seconds for each look', async () => {
	shortenDeadlines();
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	play(broken, () => undefined);
	const result = await run(address);
	expect(dataOf(result)).toMatchObject({ outcome: 'unknown', code: 'SERVICE_ERROR' });
	expect(timeout.mock.calls.flat().filter((time) => time >= 10_000)).toEqual([
		...[60_000, 10_000, 10_000],
	]);
	jest.restoreAllMocks();
});

it('a batch looks no further after five looks in a row in vain, until a call succeeds', async () => {
	const ids = Array.from({ length: 12 }, (_, index) => EMPLOYEE + index);
	const good = 1008;
	play((response, request) => {
		const isGood = request.body.includes(`<EmployeeId>${good}<`);
		return isGood ? passOn(response, request) : broken(response, request);
	});
	const result = await run(
		address,
		continues,
		ids.map((id) => ({ id })),
	);
	expect(called().filter((name) => name === 'Address_GetListCurrent')).toHaveLength(9 * 2);
	const said = result
		.json('Payroll')
		.map(({ error }) => (error as IDataObject | undefined)?.description as string | undefined);
	const isLooked = said.map((text) => text?.includes('2 seconds later'));
	expect(isLooked).toEqual([
		...[true, true, true, true, true, false, false],
		...[undefined, true, true, true, true],
	]);
	expect(said[5]).toContain('was not read');
});

it('a batch looks on as long as some are found', async () => {
	const ids = Array.from({ length: 9 }, (_, index) => EMPLOYEE + index);
	play((response, request) => {
		const isApplied = request.body.includes('<EmployeeId>1005<');
		return (isApplied ? after(cut) : cut)(response, request);
	});
	const parameters = { ...address, options: { concurrency: 1 } };
	const result = await run(
		parameters,
		continues,
		ids.map((id) => ({ id })),
	);
	const outcomes = result
		.json('Payroll')
		.map(({ outcome, error }) => outcome ?? (error as IDataObject).outcome);
	expect(outcomes).toEqual(ids.map((id) => (id === 1005 ? 'applied' : 'unknown')));
	expect(called().filter((name) => name === 'Address_GetListCurrent')).toHaveLength(8 * 2 + 1);
});

it('what the service refused with a code is looked for by no try', async () => {
	play(after((response) => void response.writeHead(500, xml).end(fault('1205: Deadlock'))));
	const result = await run(address, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
	expect(dataOf(result)?.outcome).toBe('refused');
	expect(called()).toEqual(['Address_Insert']);
});
