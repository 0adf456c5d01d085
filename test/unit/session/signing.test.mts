import type { IHttpRequestOptions } from 'n8n-workflow';
import { CREDENTIAL } from '../../../nodes/shared/credential/connection.ts';
import type { RequestContext } from '../../../nodes/shared/host/context.ts';
import { signingContext } from '../../../nodes/shared/credential/contexts.ts';
import { inNode } from '../../../dev/package/node-context.mts';
import { getCostCenters } from '../../../dev/package/calls.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);
beforeEach(() => server.play((response) => void response.end()));
afterEach(() => jest.restoreAllMocks());

/** The access token that n8n signs a request with. */
async function signed(context: RequestContext): Promise<unknown> {
	const options: IHttpRequestOptions = { url: server.url, encoding: 'text' };
	await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options);
	return options.headers?.Authorization;
}

/** Signs requests in a node's run whose session has the token. */
async function withSigning(
	work: (signing: RequestContext) => Promise<void>,
	token = () => account.first,
): Promise<void> {
	await inNode(payroll, account.credential, async (context) => {
		await work(signingContext(context, token));
	});
}

const reads = () => payroll.credentials.storage.reads;

describe('the credential that requests are signed with', () => {
	it('is read once for all requests, also for simultaneous ones', async () => {
		await withSigning(async (signing) => {
			const before = reads();
			const bearers = await Promise.all([signed(signing), signed(signing), signed(signing)]);
			bearers.push(await signed(signing));
			expect(bearers).toEqual(Array.from({ length: 4 }, () => `Bearer ${account.first}`));
			expect(reads() - before).toBe(1);
		});
	});

	it('is read again when the session has a new token', async () => {
		let token = account.first;
		await withSigning(
			async (signing) => {
				await signed(signing);
				await account.store({ access_token: 'another' });
				expect(await signed(signing)).toBe(`Bearer ${account.first}`);
				token = 'another';
				expect(await signed(signing)).toBe('Bearer another');
				expect(await signed(signing)).toBe('Bearer another');
			},
			() => token,
		);
	});

	it('is read again by the next request after a failed reading', async () => {
		await withSigning(async (signing) => {
			account.beforeReading(1, async () => await Promise.reject(new Error('no database')));
			const failed = await Promise.allSettled([signed(signing), signed(signing)]);
			expect(failed).toMatchObject([
				{ status: 'rejected', reason: { message: expect.stringContaining('no database') } },
				{ status: 'rejected', reason: { message: expect.stringContaining('no database') } },
			]);
			expect(await signed(signing)).toBe(`Bearer ${account.first}`);
		});
	});

	it('is a copy that n8n may change', async () => {
		await withSigning(async (signing) => {
			const data = await signing.getCredentials(CREDENTIAL);
			data.oauthTokenData = {};
			expect(await signed(signing)).toBe(`Bearer ${account.first}`);
		});
	});
});

describe('a run', () => {
	const node = () => payroll.node('payrollEmployee', account.credential, getCostCenters);
	const items = (count: number) => Array.from({ length: count }, () => ({ id: 1001 }));

	it('reads the credential no more often for many items than for one', async () => {
		const readings = async (count: number) => {
			const before = reads();
			const { error } = await payroll.run(items(count), node());
			expect(error).toBeUndefined();
			return reads() - before;
		};
		expect(await readings(30)).toBe(await readings(1));
	});
});
