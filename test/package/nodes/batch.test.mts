/** Batches of items: concurrency, order, and items that fail. */
import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';
import type { NodeDraft } from '../../../dev/engine/index.mts';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	updateCostCenters,
	soapCalls,
} from '../../../dev/package/calls.mts';
import { sentTexts, sentWrites } from '../requests.mts';
import {
	useConnected,
	useCredential,
	useSandbox,
	useScriptedServer,
} from '../../support/setUp.mts';
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';

const { sandbox, payroll, credential } = useSandbox();
beforeEach(async () => {
	await sandbox.configure({ latencyMs: 0, holdUntilOpen: 0, employees: 400 });
});

const employees = (count: number) => Array.from({ length: count }, (_, i) => ({ id: 1001 + i }));
const UNKNOWN = 4711;
const CONTINUE = { onError: 'continueRegularOutput' } as const;
/** The employees that something was written for, in order. */
const writtenIds = async () =>
	(await sentWrites(sandbox)).map((text) => Number(/<EmployeeId>(\d+)</.exec(text)?.[1]));

describe('concurrency', () => {
	it('of reads is 32 at most by default, as long as the service refuses none', async () => {
		await sandbox.configure({ holdUntilOpen: 16, latencyMs: 100 });
		const { error } = await payroll.run(employees(250), credential.employee(getAddresses));
		expect(error).toBeUndefined();
		const { maxInFlight } = await sandbox.stats();
		expect(maxInFlight).toBeGreaterThan(16);
		expect(maxInFlight).toBeLessThanOrEqual(32);
	});

	it('of writes is in input order by default', async () => {
		await sandbox.configure({ latencyMs: 10 });
		const input = employees(12).reverse();
		const { json } = await payroll.run(input, credential.employee(updateCostCenters));
		expect(await writtenIds()).toEqual(input.map(({ id }) => id));
		expect(json('Payroll').map(({ EmployeeId }) => EmployeeId)).toEqual(input.map(({ id }) => id));
	});

	it("never lets one employee's calls overtake each other", async () => {
		await sandbox.configure({ holdUntilOpen: 3, latencyMs: 15 });
		const node = credential.employee({
			...createAddress,
			street: '={{ $json.id }} {{ $itemIndex }}',
			options: { concurrency: 8 },
		});
		const input = Array.from({ length: 24 }, (_, i) => ({ id: 1001 + (i % 3) }));
		const { error } = await payroll.run(input, node);
		expect(error).toBeUndefined();
		expect((await sandbox.stats()).maxInFlight).toBe(3);
		const streets = await sentTexts(sandbox, 'Street');
		for (const { id } of input.slice(0, 3)) {
			const own = input.flatMap((item, i) => (item.id === id ? [`${id} ${i}`] : []));
			expect(streets.filter((street) => street.startsWith(`${id} `))).toEqual(own);
		}
	});
});

it('a batch of writes is checked before the first is sent: an invalid item at its end', async () => {
	const input = Array.from({ length: 60 }, (_, i) => {
		return { id: 1001 + (i % 3), period: i === 59 ? 'x' : 6 };
	});
	const period = '={{ $json.period }}';
	const parameters = { ...createAddress, period, options: { concurrency: 20 } };
	const { error } = await payroll.run(input, credential.employee(parameters));
	expect(error).toMatchObject({
		message: 'Row 61, \'Period\': "x" is not a whole number.',
		// n8n would add "[item 59]".
		context: { itemIndex: undefined },
	});
	expect((await sandbox.stats()).soapCalls).toEqual({});
});

describe('a batch with an item that fails', () => {
	const input = [
		{ id: 1001, note: 'a' },
		{ id: UNKNOWN, note: 'b' },
		{ id: 1002, note: 'c' },
	];
	const failing = {
		code: 'FAULT_REFUSED',
		message: expect.stringMatching(/employee/i),
		description: expect.stringMatching(/ Employee ID 4711, Period 6, Year 2026\.$/),
		httpStatus: 500,
		request: { EmployeeId: UNKNOWN, Period: 6, Year: 2026 },
		details: expect.any(String),
	};

	it('goes on with "continue"; the failed item keeps its input and its place', async () => {
		const node = credential.employee(getCostCenters, {
			onError: 'continueRegularOutput',
		});
		const { items, status } = await payroll.run(input, node);
		expect(status).toBe('success');
		const failed = items('Payroll').filter(({ json }) => json.error !== undefined);
		expect(failed).toEqual([
			{ json: { id: UNKNOWN, note: 'b', error: failing }, pairedItem: { item: 1 } },
		]);
		const sources = items('Payroll').map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(sources).toEqual([...sources].sort());
		expect(new Set(sources)).toEqual(new Set([0, 1, 2]));
	});

	it('sends each item to the error output if the credential is not usable', async () => {
		const broken = await payroll.connect(sandbox, { soapUrl: 'ftp://payroll.example' });
		await sandbox.reset();
		const node = payroll.node('payrollEmployee', broken, getCostCenters, {
			onError: 'continueErrorOutput',
		});
		const { items } = await payroll.run(input, node);
		expect(items('Payroll', 0)).toEqual([]);
		expect(items('Payroll', 1).map(({ json }) => json.note)).toEqual(['a', 'b', 'c']);
		const { error } = items('Payroll', 1)[0]?.json ?? {};
		expect(error).toEqual({
			code: 'CREDENTIAL_FIELD_INVALID',
			message: "The credential's SOAP Address is not usable",
			description: expect.not.stringContaining('Employee ID'),
		});
		expect(await sandbox.requests()).toEqual([]);
	});

	it('was not written if n8n could not read the credential', async () => {
		const read = jest.spyOn(payroll.credentials, 'getDecrypted');
		read.mockRejectedValue(new Error('The database is locked'));
		const { json } = await payroll.run(input, credential.employee(createAddress, CONTINUE));
		read.mockRestore();
		const error = { code: 'RENEWAL_FAILED', outcome: 'notApplied' };
		expect(json('Payroll')).toMatchObject(Array(3).fill({ error }));
	});
});

describe('a cancelled run', () => {
	const server = useScriptedServer();
	const scripted = useConnected(payroll, server);

	it.each([
		['reads', { ...getAddresses, options: { concurrency: 5 } }, 5],
		['writes', createAddress, 1],
	])('ends at once: %s under way are aborted, and nothing further is sent', async (...row) => {
		const [, parameters, open] = row;
		let cut = 0;
		server.play((response) => void response.on('close', () => (cut += 1)));
		const workflow = payroll.start(employees(20), scripted.employee(parameters));
		while (server.received.length < open) await sleep(20);
		workflow.cancel();
		expect((await workflow.done).status).toBe('canceled');
		expect(server.received).toHaveLength(open);
		while (cut < open) await sleep(20);
	});
});

describe('where the call of each item goes', () => {
	const OTHER = 'other-company';

	function employee(
		id: string,
		parameters: INodeParameters,
		more: Partial<NodeDraft> = CONTINUE,
	): NodeDraft {
		return payroll.node('payrollEmployee', id, parameters, more);
	}

	/** The employees whose calls failed, with title and description of the error. */
	function failures(items: IDataObject[]): string[] {
		return items.flatMap(({ id, error }) => {
			const { message, description } = (error ?? {}) as IDataObject;
			return error === undefined
				? []
				: [`${String(id)}: ${String(message)}. ${String(description)}`];
		});
	}

	describe('the option Domain', () => {
		const options = { domain: '={{ $json.dom }}' };

		it.each(soapCalls)(
			'is sent with $name, for each item its own',
			async ({ node, parameters, id }) => {
				const isEmployee = node === 'payrollEmployee';
				const domains = [sandbox.domain, OTHER, sandbox.domain];
				const input = domains.map((dom, index) => ({ id: isEmployee ? id + index : id, dom }));
				const draft = payroll.node(node, credential.id, { ...parameters, options }, CONTINUE);
				const { json } = await payroll.run(input, draft);
				const sent = await sentTexts(sandbox, 'Domain');
				const others = sent.filter((domain) => domain !== sandbox.domain);
				expect(others).toEqual([OTHER]);
				expect(sent.length).toBeGreaterThan(2);
				const failed = failures(json('Payroll'));
				expect(failed).toEqual([expect.stringContaining("check 'Domain' in the node's options")]);
			},
		);

		it('fails an item for which it is empty or not usable, with nothing sent', async () => {
			const faulty = ['a\nb', '#N/A'].map((dom, i) => ({ id: 1003 + i, dom }));
			const input = [{ id: 1001 }, { id: 1002, dom: sandbox.domain }, ...faulty];
			const { json } = await payroll.run(
				input,
				employee(credential.id, { ...createAddress, options }),
			);
			expect(failures(json('Payroll'))).toEqual([
				expect.stringMatching(
					/^1001: The Domain of this item is not usable\. .*it is empty for this item/,
				),
				expect.stringMatching(/^1003: The Domain of this item is not usable\. .*control character/),
				expect.stringMatching(/^1004: The Domain of this item is not usable\. .*a failed formula/),
			]);
			expect(await sentTexts(sandbox, 'EmployeeId')).toEqual(['1002']);
		});

		it('puts rows of different Domains into different calls', async () => {
			const rows = [sandbox.domain, OTHER, sandbox.domain].map((dom, i) => ({
				...{ EmployeeId: 1001, Period: 6, Year: 2026, dom },
				...{ CostCenter: { Code: `${4100 + 100 * i}` }, Percentage: [50, 100, 50][i] ?? 0 },
			}));
			const parameters = { ...updateCostCenters, specifyCostCenteren: 'items', options };
			await payroll.run(rows, employee(credential.id, parameters));
			expect(new Set(await sentTexts(sandbox, 'Domain'))).toEqual(new Set([sandbox.domain, OTHER]));
			const [sent = '', ...others] = await sentWrites(sandbox);
			expect(others).toEqual([]);
			expect([...sent.matchAll(/<Code>(4\d00)</g)].map(([, code]) => code)).toEqual([
				'4100',
				'4300',
			]);
		});
	});

	describe('a read-only credential', () => {
		const readOnly = useCredential(payroll, sandbox, () => ({ readOnly: true }));

		it.each(soapCalls)('refuses $name if it writes, before anything is sent', async (call) => {
			const { node, parameters, id, name } = call;
			const isRead = soapOperations.find((one) => one.name === name)?.effect === 'read';
			const { error } = await payroll.run([{ id }], payroll.node(node, readOnly.id, parameters));
			expect(error?.message).toBe(isRead ? undefined : 'The credential is read-only');
			expect((await sandbox.requests()).length).toBe(isRead ? 1 : 0);
		});

		it('refuses also a write that reads first, and allows a dry run', async () => {
			const run = async (switches: INodeParameters) =>
				await payroll.run(
					[{ id: 1001 }],
					employee(readOnly.id, { ...updateCostCenters, ...switches }, {}),
				);
			expect((await run({ keepOthers: true })).error?.description).toContain("'Read Only'");
			expect(await sandbox.requests()).toEqual([]);
			const { json, error } = await run({ dryRun: true });
			expect([error, json('Payroll')[0]?.dryRun]).toEqual([undefined, true]);
		});
	});
});
