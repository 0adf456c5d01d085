/* Nodes whose token expires; renewal.test.mts and tokens.test.mts have the session of one call. */
import type { INodeParameters } from 'n8n-workflow';
import { renewElsewhere } from '../../../dev/package/account.mts';
import { getAddresses, getCostCenters, getHourCodes } from '../../../dev/package/calls.mts';
import { useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
beforeEach(async () => {
	await sandbox.configure({ expiryAs: 'status', reuse: 'refuse', tokenLatencyMs: 100 });
});
afterEach(() => jest.restoreAllMocks());

const employees = (count: number) => Array.from({ length: count }, (_, i) => ({ id: 1001 + i }));

/** A connected credential; the requests of connecting are not counted. */
async function connected(changes = {}): Promise<string> {
	const credential = await payroll.connect(sandbox, changes);
	await sandbox.reset();
	return credential;
}

/** A node that reads about employees, all at the same time. */
const parallel = (credential: string, operation: INodeParameters, more = {}) =>
	payroll.node('payrollEmployee', credential, { ...operation, options: { concurrency: 50 } }, more);
const continues = { onError: 'continueRegularOutput' };

const cases = [
	['HTTP 401', 'status', '1.1'],
	['a SOAP 1.1 fault with HTTP 500', 'fault', '1.1'],
	['a SOAP 1.2 fault with HTTP 500', 'fault', '1.2'],
] as const;

describe.each(cases)('an expired token that is rejected with %s', (_, expiryAs, soapVersion) => {
	let credential: string;
	beforeEach(async () => {
		credential = await connected({ soapVersion });
		await sandbox.configure({ expiryAs, reuse: 'revoke' });
		await sandbox.expireAccessTokens();
	});

	it('is renewed once for 50 parallel items, and all of them succeed', async () => {
		const { items, error } = await payroll.run(employees(50), parallel(credential, getCostCenters));
		expect(error).toBeUndefined();
		const sources = new Set(items('Payroll').map(({ json }) => json.EmployeeId));
		expect(sources.size).toBe(50);
		expect(await sandbox.stats()).toMatchObject({
			refreshesSucceeded: 1,
			refreshesRefused: 0,
			tokenRequests: { refresh_token: 1 },
			soapExecuted: { CostCenter_Get: 50 },
		});
	});

	it('is renewed once for two nodes and three workflows at once', async () => {
		const results = await Promise.all([
			payroll.run(employees(20), parallel(credential, getCostCenters)),
			payroll.run(employees(20), parallel(credential, getAddresses)),
			payroll.run(
				Array.from({ length: 10 }, () => ({ id: 100 })),
				payroll.node('payrollHourCodes', credential, getHourCodes),
			),
		]);
		expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
		expect(await sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 1 },
			refreshesSucceeded: 1,
		});
	});
});

it('a refresh token that another process spent is tried once, until the account is connected again', async () => {
	const credential = await connected();
	await sandbox.expireAccessTokens();
	await renewElsewhere(payroll, sandbox, credential);
	await sandbox.reset();
	const node = parallel(credential, getAddresses, continues);
	const { json } = await payroll.run(employees(10), node);
	expect(json('Payroll')).toHaveLength(10);
	for (const item of json('Payroll')) {
		expect(item.error).toMatchObject({
			message: 'The credential needs to be reconnected',
			description: expect.stringContaining('log in again'),
		});
	}
	expect((await sandbox.stats()).tokenRequests).toEqual({ refresh_token: 1 });

	const fresh = await payroll.credentials.stored(await payroll.connect(sandbox));
	await payroll.credentials.patch(credential, { oauthTokenData: fresh.oauthTokenData ?? {} });
	const again = await payroll.run(employees(3), node);
	expect(again.json('Payroll').filter(({ error }) => error !== undefined)).toEqual([]);
}, 30_000);
