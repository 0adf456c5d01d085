import { renewElsewhere } from '../../../dev/package/account.mts';
import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { Bench } from './bench.mts';

const example = exampleWorkflow('keep-connection-alive.json');

let bench: Bench;

beforeAll(async () => (bench = await Bench.open()));
afterAll(async () => await bench.close());
beforeEach(async () => await bench.sandbox.reset());

it('exchanges the refresh token, however fresh the access token is, and writes nothing', async () => {
	const before = await bench.payroll.credentials.stored(bench.credential);
	const { error, json } = await bench.run(example);
	expect(error).toBeUndefined();
	// Without a company, the REST API is not tried: that is no failure.
	expect(json('All Is Well')).toEqual([
		expect.objectContaining({
			ok: null,
			renewed: true,
			restApi: { ok: null, message: expect.stringMatching(/^Not tried/) as string },
			soapApi: expect.objectContaining({ ok: true }) as object,
		}),
	]);
	expect(await bench.sandbox.stats()).toMatchObject({
		tokenRequests: { refresh_token: 1 },
		refreshesSucceeded: 1,
		soapCalls: { Address_GetListCurrent: 1 },
	});
	const { oauthTokenData } = await bench.payroll.credentials.stored(bench.credential);
	const [old, current] = [before.oauthTokenData, oauthTokenData] as Array<Record<string, string>>;
	expect(current?.refresh_token).toMatch(/./);
	expect(current?.refresh_token).not.toBe(old?.refresh_token);

	// The next week's, with the token of this week.
	expect((await bench.run(example)).json('All Is Well')).toHaveLength(1);
});

it('fails where a part of the connection does not work, and says which field to look at', async () => {
	const { payroll, credential } = bench;
	const { soapNamespace = '' } = await payroll.credentials.stored(credential);
	await payroll.credentials.patch(credential, { soapNamespace: 'https://other.example' });
	try {
		const { error, json } = await bench.run(example);
		expect(error?.message).toMatch(/SOAP Namespace/);
		expect(json('All Is Well')).toEqual([]);
	} finally {
		await payroll.credentials.patch(credential, { soapNamespace });
	}
});

it('fails and says what to do where the connection has ended', async () => {
	const { payroll, sandbox, credential } = bench;
	await renewElsewhere(payroll, sandbox, credential);
	const { error, status, json } = await bench.run(example);
	expect(status).toBe('error');
	expect(error?.message).toMatch(
		/^The credential needs to be reconnected\. .*Open the credential and connect/,
	);
	expect(json('All Is Well')).toEqual([]);
});
