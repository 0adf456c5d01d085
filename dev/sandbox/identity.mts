/** The identity provider of docs/dev/interface.md, sections 4.1 and 5, based on oidc-provider. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLocalJWKSet, errors, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import { IdentityStore } from './adapter.mts';
import { delay } from './http.mts';
import type { Journal } from './journal.mts';
import { handleInteraction } from './interactions.mts';
import { errorPage } from './pages.mts';
import { loadProvider } from './provider.mts';
import type { Context, Provider } from './provider.mts';
import type { Connection, Modes } from './options.mts';

const days = 24 * 60 * 60;

/** Result of checking an access token. */
export type Verdict = 'valid' | 'invalid' | 'expired';

export interface Identity {
	/** Answers a request to one of the provider's own paths. */
	handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
	/** Verifies an access token: signature, issuer, audience, `exp`, and forced expiry. */
	verify(accessToken: string): Promise<Verdict>;
	/** Treats every access token issued up to now as expired. */
	expireAccessTokens(): void;
}

interface Deps {
	connection: Connection;
	modes: Readonly<Modes>;
	journal: Journal;
}

/** Takes the connection details and modes; gives a running identity provider. */
export async function createIdentity({ connection, modes, journal }: Deps): Promise<Identity> {
	const audience = `${connection.url}/api`;
	const [ProviderClass, keys] = await Promise.all([
		loadProvider(),
		// An elliptic key is generated in a millisecond, an RSA key in a tenth of a second.
		generateKeyPair('ES256', { extractable: true }),
	]);
	const jwk = { ...(await exportJWK(keys.privateKey)), alg: 'ES256', use: 'sig', kid: 'sandbox' };
	const { d: _private, ...publicJwk } = jwk;
	const keySet = createLocalJWKSet({ keys: [publicJwk] });
	const store = new IdentityStore(() => modes.reuse === 'refuse');
	const provider = new ProviderClass(
		connection.url,
		configuration({ connection, modes, audience, store, jwk }),
	);
	const issued = new Set<string>();
	const expired = new Set<string>();
	provider.on('access_token.issued', ({ jti }) => issued.add(jti));
	listen(provider, { audience, journal, store });

	const callback = provider.callback();
	let tokenQueue = Promise.resolve();
	// oidc-provider reads and then spends a refresh token in two steps; one request at a time
	// makes single use hold against clients that send the same token twice at once.
	const oneByOne = (req: IncomingMessage, res: ServerResponse): Promise<void> => {
		const turn = tokenQueue.then(() => callback(req, res));
		tokenQueue = turn.catch(() => undefined);
		return turn;
	};

	return {
		async handle(req, res) {
			const url = new URL(req.url ?? '/', connection.url);
			if (url.pathname.startsWith('/interaction/')) {
				await handleInteraction(req, res, { provider, connection });
			} else if (url.pathname === '/connect/token') {
				await delay(modes.tokenLatencyMs);
				await oneByOne(req, res);
			} else if (url.pathname === '/connect/authorize' && !url.searchParams.has('state')) {
				// docs/dev/interface.md, section 4.1 requires `state`; oidc-provider does not.
				res.writeHead(400, { 'Content-Type': 'text/html; charset=utf-8' });
				res.end(errorPage({ error: 'invalid_request', error_description: 'missing state' }));
			} else {
				if (url.pathname === '/connect/authorize') {
					// By OpenID Connect `offline_access` needs prompt=consent; there is no such
					// parameter in docs/dev/interface.md, section 4.1, and always a consent page.
					url.searchParams.set('prompt', 'consent');
					req.url = url.pathname + url.search;
				}
				await callback(req, res);
			}
		},
		async verify(accessToken) {
			try {
				const options = { issuer: connection.url, audience };
				const { payload } = await jwtVerify(accessToken, keySet, options);
				return expired.has(payload.jti ?? '') ? 'expired' : 'valid';
			} catch (error) {
				return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
			}
		},
		expireAccessTokens() {
			for (const jti of issued) expired.add(jti);
		},
	};
}

function configuration(of: {
	connection: Connection;
	modes: Readonly<Modes>;
	audience: string;
	store: IdentityStore;
	jwk: object;
}): object {
	const { connection, modes, audience, store, jwk } = of;
	return {
		adapter: (kind: string) => store.adapter(kind),
		clients: [
			{
				client_id: connection.clientId,
				client_secret: connection.clientSecret,
				client_name: 'n8n',
				redirect_uris: connection.redirectUris,
				grant_types: ['authorization_code', 'refresh_token'],
				response_types: ['code'],
				token_endpoint_auth_method: 'client_secret_basic',
			},
		],
		clientAuthMethods: ['client_secret_basic'],
		clientDefaults: { id_token_signed_response_alg: 'ES256' },
		clockTolerance: 0,
		cookies: { keys: [randomBytes(32).toString('hex')] },
		enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
		expiresWithSession: async () => false,
		features: {
			devInteractions: { enabled: false },
			dPoP: { enabled: false },
			pushedAuthorizationRequests: { enabled: false },
			resourceIndicators: {
				enabled: true,
				defaultResource: async () => audience,
				getResourceServerInfo: async () => ({
					audience,
					scope: connection.scopes.join(' '),
					accessTokenFormat: 'jwt',
					accessTokenTTL: modes.accessTokenSeconds,
					jwt: { sign: { alg: 'ES256' } },
				}),
			},
			revocation: {
				enabled: true,
				allowedPolicy: async (_ctx: Context, client: ClientId, token: ClientId) =>
					client.clientId === token.clientId,
			},
			rpInitiatedLogout: { enabled: false },
			userinfo: { enabled: false },
		},
		findAccount: async (_ctx: Context, sub: string) => ({
			accountId: sub,
			claims: async () => ({ sub }),
		}),
		interactions: { url: async (_ctx: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
		jwks: { keys: [jwk] },
		pkce: { required: () => false },
		renderError: async (ctx: Context, out: Record<string, string>) => {
			ctx.type = 'html';
			ctx.body = errorPage(out);
		},
		responseTypes: ['code'],
		rotateRefreshToken: true,
		routes: {
			authorization: '/connect/authorize',
			token: '/connect/token',
			revocation: '/connect/revocation',
			jwks: '/.well-known/jwks',
		},
		scopes: connection.scopes,
		ttl: {
			AccessToken: () => modes.accessTokenSeconds,
			AuthorizationCode: 5 * 60,
			// The consent outlives its refresh tokens: each exchange starts another 30 days.
			Grant: 3650 * days,
			IdToken: 3600,
			Interaction: 3600,
			RefreshToken: 30 * days,
			Session: days,
		},
	};
}

interface ClientId {
	clientId: string;
}

/** Counts token requests, and has redirect and discovery follow docs/dev/interface.md, section 4.1. */
function listen(
	provider: Provider,
	{ audience, journal, store }: { audience: string; journal: Journal; store: IdentityStore },
): void {
	const isRefresh = (ctx: Context) => ctx.oidc?.params?.['grant_type'] === 'refresh_token';
	provider.on('grant.success', (ctx) => {
		if (isRefresh(ctx)) journal.stats.refreshesSucceeded += 1;
	});
	provider.on('grant.error', (ctx) => {
		const spent = store.spent.has(ctx.oidc?.params?.['refresh_token'] ?? '');
		if (isRefresh(ctx) && spent) journal.stats.refreshesRefused += 1;
	});
	provider.on('authorization.success', (ctx, out) => {
		const granted = ctx.oidc?.entities?.Grant?.getResourceScope(audience).split(' ') ?? [];
		const asked = ctx.oidc?.requestParamScopes ?? new Set<string>();
		out.scope = granted.filter((scope) => asked.has(scope)).join(' ');
		delete out.iss;
	});
	provider.on('server_error', (_ctx, error) => console.error(error));
	provider.use(async (ctx, next) => {
		await next();
		if (ctx.oidc?.route === 'token') {
			journal.count('tokenRequests', ctx.oidc.params?.['grant_type'] ?? '');
		}
		if (ctx.oidc?.route === 'discovery' && typeof ctx.body === 'object') {
			ctx.body = { ...ctx.body, authorization_response_iss_parameter_supported: false };
		}
	});
}
