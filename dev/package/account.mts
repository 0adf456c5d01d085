/** An account of the sandbox, connected in a credential, for tests of its session. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { RequestHost } from '../../nodes/shared/host/requests.ts';
import { credentialStateOf } from '../../nodes/shared/exchange/account.ts';
import type { Session, SessionRun } from '../../nodes/shared/session/session.ts';
import type { SandboxControl } from '../sandbox/client.mts';
import { refresh } from '../sandbox/oauth.mts';
import { inNode } from './node-context.mts';
import type { Payroll } from './payroll.mts';

/** The identity server's answer: `access_token`, `refresh_token` and what goes with them. */
export type Tokens = Record<string, string>;

/**
 * Spends the refresh token of a credential as another process would, without storing the answer.
 */
export async function renewElsewhere(
	payroll: Payroll,
	sandbox: SandboxControl,
	credential: string,
): Promise<Tokens> {
	const { oauthTokenData } = await payroll.credentials.stored(credential);
	const response = await refresh(sandbox, (oauthTokenData as Tokens).refresh_token);
	return (await response.json()) as Tokens;
}

/** A node's run, as a session needs it. */
export function runIn(context: IExecuteFunctions): SessionRun {
	return {
		host: new RequestHost(context, context.getExecutionCancelSignal()),
		limits: { timeoutMs: 60_000, maxBytes: 10_000 },
	};
}

/** The session of a node's credential, and the node's run. */
export function sessionIn(context: IExecuteFunctions): {
	readonly session: Session;
	readonly run: SessionRun;
} {
	const run = runIn(context);
	return { session: credentialStateOf(run.host.credentialId).session, run };
}

/** A freshly connected credential; what connecting took is not counted. */
export class Account {
	private constructor(
		readonly payroll: Payroll,
		readonly sandbox: SandboxControl,
		readonly credential: string,
		/** The access token it was connected with. */
		readonly first: string,
	) {}

	static async connect(payroll: Payroll, sandbox: SandboxControl, changes = {}): Promise<Account> {
		const credential = await payroll.connect(sandbox, changes);
		await sandbox.reset();
		return new Account(payroll, sandbox, credential, await payroll.accessToken(credential));
	}

	/** Works with the credential's session, in a node. */
	async inSession<T>(
		work: (session: Session, run: SessionRun, context: IExecuteFunctions) => Promise<T>,
	): Promise<T> {
		return await inNode(this.payroll, this.credential, async (context) => {
			const { session, run } = sessionIn(context);
			return await work(session, run, context);
		});
	}

	/** The token that the session knows. */
	async token(): Promise<string | undefined> {
		return await this.inSession(async ({ token }) => token);
	}

	/** Renews a rejected token; gives the error, if any. */
	async renew(rejected: string): Promise<unknown> {
		return await this.inSession(async (session, run) => {
			return await session.renew(run, rejected, true).catch((error: unknown) => error);
		});
	}

	/** How often the identity server was asked for new tokens. */
	async renewals(): Promise<number> {
		return (await this.sandbox.stats()).tokenRequests.refresh_token ?? 0;
	}

	/** The access token that is stored now. */
	async stored(): Promise<string> {
		return await this.payroll.accessToken(this.credential);
	}

	/** The token response that is stored now. */
	async tokens(): Promise<Tokens> {
		const { oauthTokenData } = await this.payroll.credentials.stored(this.credential);
		return oauthTokenData as Tokens;
	}

	/** Changes what is stored of the tokens, as another process would. */
	async store(changes: Tokens): Promise<void> {
		await this.patch({ oauthTokenData: { ...(await this.tokens()), ...changes } });
	}

	/** Stores a token of an hour with so many seconds left; the refresh token beside it stays good. */
	async storeToken(secondsLeft: number): Promise<string> {
		const exp = Math.floor(Date.now() / 1000) + secondsLeft;
		const claims = Buffer.from(JSON.stringify({ iat: exp - 3600, exp })).toString('base64url');
		const token = `e30.${claims}.c2ln`;
		await this.store({ access_token: token });
		return token;
	}

	/** Changes what is stored of the credential. */
	async patch(changes: Parameters<Payroll['credentials']['patch']>[1]): Promise<void> {
		await this.payroll.credentials.patch(this.credential, changes);
	}
}
