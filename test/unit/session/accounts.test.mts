import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import type { Exchange } from '../../../nodes/shared/exchange/exchange.ts';
import { inNode } from '../../../dev/package/node-context.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { connectedTo } from '../../support/credential.mts';
import { requestTo } from '../../support/exchange.mts';
import { exchangeIn, withHelpers } from '../../support/host.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';

/** Two users of one n8n process: n8n resolves one credential to a different account for each. */
const users = ['anna', 'bert'] as const;
type User = (typeof users)[number];

const service = useScriptedServer();
const identity = useScriptedServer();
const payrolls = { anna: usePackage(), bert: usePackage() };
let isOpaque: boolean;
let credential: string;
let count = 0;

/** Tokens of a user, by their number. */
function tokensOf(user: User, number: number) {
	const claims = Buffer.from(JSON.stringify({ sub: user, jti: `${credential}-${number}` }));
	const access = isOpaque
		? `${credential}-${user}-${number}`
		: `e30.${claims.toString('base64url')}.c2ln`;
	return {
		access_token: access,
		refresh_token: `${credential}/${user}/${number}`,
		token_type: 'Bearer',
	};
}

/** The refresh tokens that were spent. */
let spent: Set<string>;

/** The refresh tokens that were presented to the identity server. */
const presented = () =>
	identity.received.map(({ body }) => new URLSearchParams(body).get('refresh_token'));

/** The access tokens that the service received from a user, in order. */
const received = (user: User) =>
	service.received
		.filter(({ path }) => path === `/${user}`)
		.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));

async function store(user: User, number: number): Promise<void> {
	const data = connectedTo(identity.url, { oauthTokenData: tokensOf(user, number) });
	await payrolls[user].credentials.store(credential, 'Payroll', CREDENTIAL_TYPE, data);
}

const storedOf = async (user: User) => await payrolls[user].accessToken(credential);

/** A host that renews a credential as often as asked at the same time, as n8n 1 does. */
function withoutLease(context: IExecuteFunctions, user: User): IExecuteFunctions {
	async function refreshOAuth2Token(this: IExecuteFunctions): Promise<unknown> {
		const { oauthTokenData } = await this.getCredentials(CREDENTIAL_TYPE);
		const { refresh_token = '' } = oauthTokenData as Record<string, string>;
		const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token });
		const response = await fetch(`${identity.url}/connect/token`, { method: 'POST', body });
		const tokens = (await response.json()) as Record<string, string>;
		if (!response.ok) throw Object.assign(new Error('refused'), { body: tokens });
		await payrolls[user].credentials.patch(credential, { oauthTokenData: tokens });
		return tokens;
	}
	return withHelpers(context, { refreshOAuth2Token });
}

/** Uses the exchange of a user's run. */
async function exchanging<T>(
	user: User,
	work: (exchange: Exchange) => Promise<T>,
	hasLease = true,
): Promise<T> {
	return await inNode(payrolls[user], credential, async (context) => {
		return await work(
			await exchangeIn(hasLease ? context : withoutLease(context, user), service.url),
		);
	});
}

async function send(user: User, exchange: Exchange): Promise<string> {
	return await exchange(requestTo(`${service.url}/${user}`), ({ body }) => ({
		value: body.toString(),
	}));
}

const call = async (user: User) =>
	await exchanging(user, async (exchange) => await send(user, exchange));

/** Refuses all users' tokens with this number. */
function refuse(number: number): void {
	const refused: Array<string | undefined> = users.map(
		(user) => tokensOf(user, number).access_token,
	);
	service.play((response, _, { headers }) => {
		const isRefused = refused.includes(headers.authorization?.replace('Bearer ', ''));
		response.writeHead(isRefused ? 401 : 200).end(isRefused ? '' : 'good');
	});
}

describe.each([
	['name their subject', false],
	['are opaque', true],
])('one credential of two users whose access tokens %s', (_, opaque) => {
	beforeEach(async () => {
		isOpaque = opaque;
		count += 1;
		credential = `shared-${count}`;
		for (const user of users) await store(user, 1);
		spent = new Set();
		identity.play((response, __, { body }) => {
			const token = new URLSearchParams(body).get('refresh_token') ?? '';
			const [, user, number] = token.split('/');
			const isReused = spent.has(token);
			spent.add(token);
			const answer = isReused
				? { error: 'invalid_grant' }
				: tokensOf(user as User, Number(number) + 1);
			response.writeHead(isReused ? 400 : 200, { 'Content-Type': 'application/json' });
			// Time for the other user's request to arrive.
			void sleep(2500).then(() => response.end(JSON.stringify(answer)));
		});
	});

	it('renews the tokens of each user once, and signs nothing with those of the other', async () => {
		refuse(1);
		const calls = [...users, ...users, ...users].map(async (user) => await call(user));
		expect(await Promise.all(calls)).toEqual(Array(6).fill('good'));
		expect(presented().sort()).toEqual(users.map((user) => tokensOf(user, 1).refresh_token));
		for (const user of users) {
			const [first, second] = [1, 2].map((number) => tokensOf(user, number).access_token);
			expect(await storedOf(user)).toBe(second);
			expect(received(user).sort()).toEqual([first, first, first, second, second, second].sort());
		}
	});

	it('uses what another process renewed for one user, and renews for the other', async () => {
		refuse(1);
		const calls = users.map(async (user) => {
			return await exchanging(user, async (exchange) => {
				if (user === 'anna') await store('anna', 2);
				return await send(user, exchange);
			});
		});
		expect(await Promise.all(calls)).toEqual(['good', 'good']);
		expect(presented()).toEqual([tokensOf('bert', 1).refresh_token]);
		expect(received('anna').at(-1)).toBe(tokensOf('anna', 2).access_token);
		expect(received('bert').at(-1)).toBe(tokensOf('bert', 2).access_token);
	});

	it('renews for one user when the refresh token of the other is spent', async () => {
		refuse(1);
		spent.add(tokensOf('anna', 1).refresh_token);
		const [anna, bert] = await Promise.allSettled(users.map(async (user) => await call(user)));
		expect(anna).toMatchObject({
			reason: { message: 'The credential needs to be reconnected' },
		});
		expect(bert).toEqual({ status: 'fulfilled', value: 'good' });
	});

	it('spends a refresh token once, even if two runs know the account by different tokens', async () => {
		refuse(1);
		const both = async (early: Exchange, late: Exchange) => {
			expect(await send('anna', early)).toBe('good');
			refuse(2);
			const sent = [early, late].map(async (exchange) => await send('anna', exchange));
			expect(await Promise.all(sent)).toEqual(['good', 'good']);
		};
		await exchanging(
			'anna',
			async (early) => {
				await store('anna', 2);
				await exchanging('anna', async (late) => await both(early, late), false);
			},
			false,
		);
		expect(presented()).toEqual([tokensOf('anna', 2).refresh_token]);
	});
});
