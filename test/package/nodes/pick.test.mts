/** A current record picked in the editor: the list, and what a run makes of the choice. */
import {
	NodeApiError,
	type INodeParameters,
	type INodeParameterResourceLocator,
} from 'n8n-workflow';
import { soapFault } from '../../../dev/sandbox/soap-reply.mts';
import { getCostCenters, updateCostCenters } from '../../../dev/package/calls.mts';
import { replying } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { XML } from '../soap.mts';

const { sandbox, payroll } = useSandbox();
const service = useScriptedServer();
const credential = useCredential(payroll, sandbox);
const scripted = useCredential(payroll, sandbox, () => ({ soapUrl: service.url }));

/** With three cost centers. */
const EMPLOYEE = 1003;

/** The list of the editor, for these parameters as far as the editor has evaluated them. */
async function list(changes: INodeParameters = {}, filter?: string, used = credential) {
	const parameters = { ...updateCostCenters, employeeId: String(EMPLOYEE), ...changes };
	const node = used.employee(parameters);
	return await payroll.list(node, 'currentCostCenters', filter);
}

/** What the editor shows of an error, and everything that n8n's server sends to the browser. */
async function failure(listing: Promise<unknown>) {
	const error: unknown = await listing.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (!(error instanceof NodeApiError)) throw error ?? new Error('There was no error');
	const { message, description, httpCode } = error;
	return { message, description, httpCode, sent: JSON.stringify([message, { ...error }]) };
}

interface Current {
	readonly Id: number;
	readonly Percentage: number;
	readonly CostCenter: { readonly Code: string; readonly Description: string };
}

async function current(): Promise<Current[]> {
	const node = credential.employee(getCostCenters);
	return (await payroll.run([{ id: EMPLOYEE }], node)).json('Payroll') as unknown as Current[];
}

describe('the list', () => {
	it('names the current cost centers by code, description and share', async () => {
		const records = await current();
		expect(records).toHaveLength(3);
		expect(await list()).toEqual(
			records.map(({ Id, Percentage, CostCenter: { Code, Description } }) => ({
				name: `${Code} ${Description}, ${Percentage} % (${Id})`,
				value: String(Id),
			})),
		);
	});

	it('is searched by all of these, ignoring case and whitespace', async () => {
		const all = await list();
		for (const { Id, Percentage, CostCenter } of await current()) {
			const { Code, Description } = CostCenter;
			const words = [`${Code} ${Description}`, Description.toUpperCase(), `${Percentage}% (${Id}`];
			for (const word of words) {
				const found = await list({}, word);
				expect(found).toContainEqual(expect.objectContaining({ value: String(Id) }));
				expect(found.length).toBeLessThan(all.length);
			}
		}
		expect(await list({}, 'no such thing')).toEqual([]);
	});

	it('takes numbers, and options without a Domain', async () => {
		expect(await list({ employeeId: EMPLOYEE, options: {} })).toHaveLength(3);
	});

	it.each([
		[{ employeeId: '', period: '', year: '' }, "Enter 'Employee ID', 'Period' and 'Year' first"],
		[{ period: null }, "Enter 'Period' first"],
		[{ employeeId: '={{ $json.id }}' }, "Enter 'Employee ID' first"],
		[{ employeeId: 'Jansen', year: undefined }, "Enter 'Employee ID' and 'Year' first"],
	] as const)('for %j says what it needs: %s', async (changes, message) => {
		const error = await failure(list(changes as INodeParameters));
		expect(error.message).toBe(message);
		expect(error.description).toContain('execute the previous nodes');
		expect((await sandbox.stats()).soapCalls).toEqual({});
	});

	it('uses the Domain of the options, and fails if that is empty', async () => {
		await expect(list({ options: { domain: 'other' } })).rejects.toThrow();
		const [request] = await sandbox.requests();
		expect(request?.body).toContain('<Domain>other</Domain>');

		await sandbox.reset();
		// In place of options that it cannot evaluate, n8n 1 gives `null`.
		for (const options of [{ domain: '={{ $json.domain }}' }, null]) {
			const error = await failure(list({ options }));
			expect(error.message).toBe('The Domain of this item is not usable');
		}
		expect(await sandbox.requests()).toEqual([]);
	});
});

it('a list renews an expired token once, together with other lists and runs', async () => {
	const records = await current();
	await sandbox.reset();
	await sandbox.expireAccessTokens();
	const [one, other, run] = await Promise.all([list(), list(), current()]);
	expect(one).toHaveLength(3);
	expect(other).toEqual(one);
	expect(run).toEqual(records);
	expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 0 });
});

describe('an error', () => {
	it('is what the service says', async () => {
		const { message, description } = await failure(list({ employeeId: '999999' }));
		expect(message).toContain('999999');
		expect(description).toBe('The payroll service refused the call. Correct the values.');
	});

	it('masks every secret', async () => {
		service.play((response, index, request) => {
			const { headers, body } = request;
			const repeated = `${headers.authorization} ${String(headers['x-subscription-key'])} ${body}`;
			const fault = soapFault('1.1', 'Client', `Not for ${repeated}`);
			return replying(500, XML, fault.body)(response, index, request);
		});
		const error = await failure(list({}, undefined, scripted));
		expect(error.message).toMatch(/^Not for /);
		expect(error.httpCode).toBe('500');
		const token = await payroll.accessToken(scripted.id);
		for (const secret of [token, sandbox.subscriptionKey, sandbox.domain, sandbox.clientSecret]) {
			expect(error.sent).not.toContain(secret);
		}
	});

	it('is a service that does not answer within 15 seconds, retries included', async () => {
		service.play(() => {});
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		const spy = jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((milliseconds) => timeout(milliseconds / 100));
		const error = await failure(list({}, undefined, scripted));
		expect(spy).toHaveBeenCalledWith(15_000);
		spy.mockRestore();
		expect(error.message).toBe('The payroll service did not answer in time');
		expect(error.description).toBe(
			'Open the list again later, or enter the value without the list.',
		);
	});
});

describe('a run', () => {
	const picked = (mode: string, value: string | number): INodeParameterResourceLocator => ({
		__rl: true,
		mode,
		value,
	});

	it.each([
		['picked', (id: number) => picked('list', String(id))],
		['typed', (id: number) => picked('id', String(id))],
		['an expression', () => picked('id', '={{ $json.record }}')],
		['a number', (id: number) => id],
		['an expression in place of the whole field', () => '={{ $json.record }}'],
	])('takes a Record ID that is %s', async (_, given) => {
		const [, second] = await current();
		const { Id } = second as Current;
		const row = { percentage: 12.5, fields: { id: given(Id) } };
		const node = credential.employee({
			...updateCostCenters,
			costCenteren: { row: [row] } as INodeParameters,
			keepOthers: true,
			totalMustBe100: false,
		});
		const { error } = await payroll.run([{ id: EMPLOYEE, record: Id }], node);
		expect(error).toBeUndefined();
		const after = await current();
		expect(after).toHaveLength(3);
		expect(after.find((record) => record.Id === Id)?.Percentage).toBe(12.5);
	});

	it('fails if nothing was picked', async () => {
		const node = credential.employee({
			...updateCostCenters,
			costCenteren: { row: [{ percentage: 12.5, fields: { id: picked('list', '') } }] },
		});
		const { error } = await payroll.run([{ id: EMPLOYEE }], node);
		expect(error?.message).toContain('Record ID');
	});
});
