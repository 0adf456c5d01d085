/* A current record that is picked in the editor: the list, and what a run makes of the choice. */
import {
	NodeApiError,
	type INodeParameters,
	type INodeParameterResourceLocator,
} from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { getCostCenters, Payroll, updateCostCenters } from '../../../dev/package/payroll.mts';
import { scriptedServer, type ScriptedServer } from '../../support/scripted.mts';

let sandbox: SandboxClient;
let service: ScriptedServer;
let payroll: Payroll;
let credential: string;

beforeAll(async () => {
	[sandbox, service, payroll] = await Promise.all([
		launchSandbox(),
		scriptedServer(),
		Payroll.load(),
	]);
	credential = await payroll.connect(sandbox);
});
afterAll(async () => await Promise.all([sandbox.stop(), service.close()]));
beforeEach(async () => await sandbox.reset());

/** With three cost centers. */
const EMPLOYEE = 1003;

/** A node in the editor: its parameters as far as the editor has evaluated them. */
function edited(changes: INodeParameters = {}, used = credential) {
	const parameters = { ...updateCostCenters, employeeId: String(EMPLOYEE), ...changes };
	return payroll.node('payrollEmployee', used, parameters);
}

async function list(changes?: INodeParameters, filter?: string, used?: string) {
	return await payroll.list(edited(changes, used), 'currentCostCenters', filter);
}

/** What the editor shows of an error; with all that n8n's server sends to the browser. */
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
	const node = payroll.node('payrollEmployee', credential, getCostCenters);
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

	it('is searched in all of these, whatever the case and the blanks', async () => {
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

	it.each([
		['numbers, as older workflows have them', { employeeId: EMPLOYEE }],
		['options without a Domain', { options: {} }],
	])('takes %s', async (_, changes) => {
		expect(await list(changes)).toHaveLength(3);
	});

	it.each([
		[{ employeeId: '', period: '', year: '' }, "Enter 'Employee ID', 'Period' and 'Year' first"],
		[{ period: null }, "Enter 'Period' first"],
		[{ employeeId: '={{ $json.id }}' }, "Enter 'Employee ID' first"],
		[{ employeeId: 'Jansen', year: undefined }, "Enter 'Employee ID' and 'Year' first"],
	] as const)('says what it needs, of %j: %s', async (changes, message) => {
		const error = await failure(list(changes as INodeParameters));
		expect(error.message).toBe(message);
		expect(error.description).toContain('execute the nodes before this one');
		expect((await sandbox.stats()).soapCalls).toEqual({});
	});

	it('is that of the Domain in the options, and of none where the option comes to nothing', async () => {
		await expect(list({ options: { domain: 'other' } })).rejects.toThrow();
		const [request] = await sandbox.requests();
		expect(request?.body).toContain('<Domain>other</Domain>');

		await sandbox.reset();
		for (const options of [{ domain: '={{ $json.domain }}' }, { domain: null }, null]) {
			const error = await failure(list({ options } as INodeParameters));
			expect(error.message).toBe('The Domain of this item is not usable');
		}
		expect(await sandbox.requests()).toEqual([]);
	});
});

describe('the session', () => {
	it('renews an expired token once for lists and runs together', async () => {
		const records = await current();
		await sandbox.reset();
		await sandbox.expireAccessTokens();
		const [one, other, run] = await Promise.all([list(), list(), current()]);
		expect(one).toHaveLength(3);
		expect(other).toEqual(one);
		expect(run).toEqual(records);
		const { refreshesSucceeded, refreshesRefused } = await sandbox.stats();
		expect({ refreshesSucceeded, refreshesRefused }).toEqual({
			refreshesSucceeded: 1,
			refreshesRefused: 0,
		});
	});
});

describe('an error', () => {
	it('is a sentence of the service', async () => {
		const { message, description } = await failure(list({ employeeId: '999999' }));
		expect(message).toContain('999999');
		expect(description).toBe('The payroll service refused the call. Correct the values.');
	});

	it('keeps every secret', async () => {
		const scripted = await payroll.connect(sandbox, { soapUrl: service.url });
		service.play((response, _, { headers, body }) => {
			const told = `${headers.authorization} ${String(headers['x-subscription-key'])} ${body}`;
			const text = told.replace(/[<>&]/g, ' ');
			response.writeHead(500, { 'Content-Type': 'text/xml; charset=utf-8' });
			response.end(
				`<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>Not for ${text}</faultstring></s:Fault></s:Body></s:Envelope>`,
			);
		});
		const error = await failure(list({}, undefined, scripted));
		expect(error.message).toMatch(/^Not for /);
		expect(error.httpCode).toBe('500');
		const token = await payroll.accessToken(scripted);
		for (const secret of [token, sandbox.subscriptionKey, sandbox.domain, sandbox.clientSecret]) {
			expect(error.sent).not.toContain(secret);
		}
	});

	it('tells of a redirect, which is not followed', async () => {
		const scripted = await payroll.connect(sandbox, { soapUrl: service.url });
		service.play((response) => void response.writeHead(302, { Location: sandbox.url }).end());
		const error = await failure(list({}, undefined, scripted));
		expect(error.message).toBe('The payroll service answered with a redirect (HTTP 302)');
		expect(service.received).toHaveLength(1);
	});

	it('ends an answer that is too large', async () => {
		const scripted = await payroll.connect(sandbox, { soapUrl: service.url });
		service.play((response) => void response.end(Buffer.alloc(9 * 2 ** 20, ' ')));
		const error = await failure(list({}, undefined, scripted));
		expect(error.message).toMatch(/too large|larger/i);
	});

	it('ends the wait for a service that does not answer, retries included', async () => {
		const scripted = await payroll.connect(sandbox, { soapUrl: service.url });
		service.play(() => {});
		const begun = performance.now();
		const error = await failure(list({}, undefined, scripted));
		expect(performance.now() - begun).toBeLessThan(20_000);
		expect(error.message).toBe('The payroll service did not answer in time');
		expect(error.description).toBe('Open the list again later, or enter the value By ID.');
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
		['a number, as older workflows have it', (id: number) => id],
		['an expression in place of the whole field', () => '={{ $json.record }}'],
	])('takes a Record ID that is %s', async (_, given) => {
		const [, second] = await current();
		const { Id } = second as Current;
		const row = { fields: { id: given(Id), percentage: 12.5 } };
		const node = payroll.node('payrollEmployee', credential, {
			...updateCostCenters,
			costCenteren: { row: [row] } as INodeParameters,
			keepOthers: true,
		});
		const { error } = await payroll.run([{ id: EMPLOYEE, record: Id }], node);
		expect(error).toBeUndefined();
		const after = await current();
		expect(after).toHaveLength(3);
		expect(after.find((record) => record.Id === Id)?.Percentage).toBe(12.5);
	});

	it('says where nothing was picked', async () => {
		const node = payroll.node('payrollEmployee', credential, {
			...updateCostCenters,
			costCenteren: { row: [{ fields: { id: picked('list', ''), percentage: 12.5 } }] },
		});
		const { error } = await payroll.run([{ id: EMPLOYEE }], node);
		expect(error?.message).toContain('Record ID');
	});
});
