import { renewElsewhere } from '../../../dev/package/account.mts';
import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { useBench } from './bench.mts';

const example = exampleWorkflow('keep-connection-alive.json');

const bench = useBench();

async function refreshToken(): Promise<string | undefined> {
	const { oauthTokenData } = await bench.payroll.credentials.stored(bench.credential.id);
	return (oauthTokenData as Record<string, string>).refresh_token;
}

it('exchanges the refresh token even if the access token is fresh, and writes nothing', async () => {
	const before = await refreshToken();
	const { error, json } = await bench.run(example);
	expect(error).toBeUndefined();
	// Without a company the REST API is not tried, which is no failure.
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
	expect(await refreshToken()).toMatch(/./);
	expect(await refreshToken()).not.toBe(before);

	// The next run uses the token of this one.
	expect((await bench.run(example)).json('All Is Well')).toHaveLength(1);
});

it('fails if a part of the connection does not work, and names the field to check', async () => {
	const { credentials } = bench.payroll;
	const { soapNamespace = '' } = await credentials.stored(bench.credential.id);
	await credentials.patch(bench.credential.id, { soapNamespace: 'https://other.example' });
	const { error, json } = await bench.run(example);
	await credentials.patch(bench.credential.id, { soapNamespace });
	expect(error?.message).toMatch(/SOAP Namespace/);
	expect(json('All Is Well')).toEqual([]);
});

it('fails and says what to do if the connection has ended', async () => {
	const { payroll, sandbox, credential } = bench;
	await renewElsewhere(payroll, sandbox, credential.id);
	const { error, status, json } = await bench.run(example);
	expect(status).toBe('error');
	expect(error?.message).toMatch(
		/^The credential needs to be reconnected\. .*Open the credential and connect/,
	);
	expect(json('All Is Well')).toEqual([]);
});
