/** What the editor asks of a service while a builder edits a node: the list of operations. */
import { NodeApiError, type INodeParameters } from 'n8n-workflow';
import { getCostCenters } from '../../../dev/package/calls.mts';
import { replying, type Script } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll, credential } = useSandbox();
const service = useScriptedServer();
const scripted = useCredential(payroll, sandbox, () => ({ soapUrl: service.url }));

/** The list of the editor, for these parameters as far as the editor has evaluated them. */
async function list(changes: INodeParameters = {}, used = credential) {
	const node = used.employee({ resource: 'custom', operation: 'call', ...changes });
	return await payroll.list(node, 'searchOperations');
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

/** Answers only requests that have the token. */
const withToken =
	(script: Script): Script =>
	(response, index, request) =>
		request.headers.authorization === undefined
			? void response.writeHead(401).end()
			: script(response, index, request);

afterEach(async () => {
	await sandbox.configure({ description: 'open' });
});

describe('the list', () => {
	it('fails if the Domain of the options is empty', async () => {
		// In place of options that it cannot evaluate, n8n 1 gives `null`.
		for (const options of [{ domain: '={{ $json.domain }}' }, null]) {
			const error = await failure(list({ options } as INodeParameters));
			expect(error.message).toBe('The Domain of this item is not usable');
		}
		expect(await sandbox.requests()).toEqual([]);
	});

	it('renews an expired token once, together with other lists and runs', async () => {
		const read = async () =>
			(await payroll.run([{ id: 1003 }], credential.employee(getCostCenters))).json('Payroll');
		const records = await read();
		await sandbox.configure({ description: 'token' });
		await sandbox.expireAccessTokens();
		const [one, other, run] = await Promise.all([list(), list(), read()]);
		expect(one).not.toHaveLength(0);
		expect(other).toEqual(one);
		expect(run).toEqual(records);
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 0 });
	});
});

describe('an error', () => {
	it('masks every secret', async () => {
		service.play(
			withToken((response, index, request) => {
				const { authorization, 'x-subscription-key': key } = request.headers;
				const said = `Not for ${authorization} ${String(key)} ${sandbox.domain} ${sandbox.clientSecret}`;
				return replying(400, 'text/plain', said)(response, index, request);
			}),
		);
		const options = { domain: 'domain-of-the-options' };
		const error = await failure(list({ options }, scripted));
		expect(error.message).toBe('The description of the EmployeeService cannot be read');
		expect(error.httpCode).toBe('400');
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
		const error = await failure(list({}, scripted));
		expect(spy).toHaveBeenCalledWith(15_000);
		spy.mockRestore();
		expect(error.message).toBe('The payroll service did not answer in time');
		expect(error.description).toBe(
			'The list could not be read. Check whether the service is available, then open the list again.',
		);
	});
});
