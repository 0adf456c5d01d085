/**
 * Loads oidc-provider without its warnings. It has no types, so the few that are used are declared
 * here.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Details of a running interaction (login or consent). */
export interface InteractionDetails {
	uid: string;
	prompt: {
		name: string;
		details: {
			missingOIDCScope?: string[];
			missingResourceScopes?: Record<string, string[]>;
		};
	};
	params: { client_id: string; scope?: string; redirect_uri: string };
	session?: { accountId: string };
	grantId?: string;
}

/** A user's consent. */
export interface Grant {
	addOIDCScope(scope: string): void;
	addResourceScope(resource: string, scope: string): void;
	save(): Promise<string>;
}

/** The provider's view of one request. */
export interface Context {
	body: unknown;
	type: string;
	oidc?: {
		route?: string;
		params?: Record<string, string | undefined>;
		entities?: { Grant?: { getResourceScope(resource: string): string } };
		requestParamScopes?: Set<string>;
	};
}

export interface Provider {
	readonly Grant: {
		new (of: { accountId: string; clientId: string }): Grant;
		find(id: string): Promise<Grant | undefined>;
	};
	callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
	use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void;
	interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<InteractionDetails>;
	interactionFinished(
		req: IncomingMessage,
		res: ServerResponse,
		result: object,
		options: { mergeWithLastSubmission: boolean },
	): Promise<void>;
	on(event: 'authorization.success', listener: (ctx: Context, out: Redirect) => void): void;
	on(event: 'grant.success' | 'grant.error', listener: (ctx: Context) => void): void;
	on(event: 'access_token.issued', listener: (token: { jti: string }) => void): void;
	on(event: 'server_error', listener: (ctx: Context, error: Error) => void): void;
}

/** Query parameters of the redirect back to the client. */
export interface Redirect {
	code?: string;
	scope?: string;
	state?: string;
	iss?: string;
}

export type ProviderClass = new (issuer: string, configuration: object) => Provider;

/**
 * Loads oidc-provider. It asks for Node 22 in a notice and uses one function of it, `URL.parse`:
 * with that supplied it does all of this sandbox's work on Node 20, so the notice is held back.
 */
export async function loadProvider(): Promise<ProviderClass> {
	const modern = URL as typeof URL & { parse?: (url: string, base?: string) => URL | null };
	modern.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
	const { warn } = console;
	console.warn = (...parts: unknown[]) => {
		if (!String(parts[0]).includes('Unsupported runtime')) warn(...parts);
	};
	try {
		const name: string = 'oidc-provider';
		const module = (await import(name)) as { default: ProviderClass };
		return module.default;
	} finally {
		console.warn = warn;
	}
}
