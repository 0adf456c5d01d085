import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { Sender } from '../../../nodes/shared/credential/requestHost.ts';
import { inNode } from '../../../dev/package/node-context.mts';
import { hostOf, withHelpers } from '../../support/host.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);
beforeEach(() => server.play((response) => void response.end()));
afterEach(() => jest.restoreAllMocks());

/** The access token that n8n signs a request with. */
async function signed(signing: Sender): Promise<unknown> {
	const options: IHttpRequestOptions = { url: server.url, encoding: 'text' };
	await signing.send(options, new AbortController().signal);
	return options.headers?.Authorization;
}

/** Signs requests in a node's run whose session has the token. */
async function withSigning(
	work: (signing: Sender) => Promise<void>,
	token = () => account.first,
	change = (context: IExecuteFunctions) => context,
): Promise<void> {
	await inNode(payroll, account.credential, async (context) => {
		await work(hostOf(change(context)).signed(token));
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

	it('is a copy that n8n may change', async () => {
		const changing = (context: IExecuteFunctions) => {
			const { httpRequestWithAuthentication } = context.helpers;
			return withHelpers(context, {
				async httpRequestWithAuthentication(
					this: IExecuteFunctions,
					type: string,
					options: IHttpRequestOptions,
				) {
					(await this.getCredentials(type)).oauthTokenData = {};
					return (await httpRequestWithAuthentication.call(this, type, options)) as unknown;
				},
			});
		};
		await withSigning(
			async (signing) => expect(await signed(signing)).toBe(`Bearer ${account.first}`),
			() => account.first,
			changing,
		);
	});
});
