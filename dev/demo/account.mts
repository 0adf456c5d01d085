/** Connects an account as a user does: login, consent, redirect, code, tokens. */
import { authorizationUri, exchangeCode } from '../engine/index.mts';
import { authorize } from '../sandbox/login.mts';
import type { SandboxClient } from '../sandbox/client.mts';
import { credentialData, type Payroll } from '../package/payroll.mts';

/**
 * Runs the authorization code grant over HTTP and reports each step, but never a code or a token.
 *
 * @returns the credential's id
 * @throws {Error} if a step fails
 */
export async function connectAccount(
	payroll: Payroll,
	sandbox: SandboxClient,
	say: (step: string) => void,
): Promise<string> {
	const id = await payroll.store(credentialData(sandbox));
	const start = new URL(await authorizationUri(payroll.credentials, id));
	say(`Authorization address  ${start.origin}${start.pathname}`);

	const { user, password } = sandbox;
	const callback = await authorize(start, { user, password });
	const granted = callback.searchParams.get('scope')?.split(' ') ?? [];
	say(`Login and consent      ${user}, ${granted.length} scopes, with offline_access`);
	if (!granted.includes('offline_access')) throw new Error('offline_access was not granted');

	const given = callback.searchParams.get('state');
	if (given === null || given !== start.searchParams.get('state')) {
		throw new Error('The state that came back is not the one that was sent');
	}
	if (!callback.searchParams.get('code')) throw new Error('No code came back');
	say(
		`Redirect               ${callback.origin}${callback.pathname}: code received, state as sent`,
	);

	// n8n checks the state once more, with the secret it has stored for it.
	await exchangeCode(payroll.credentials, callback.toString());
	const { oauthTokenData } = await payroll.credentials.stored(id);
	const tokens = oauthTokenData as Record<string, unknown> | undefined;
	if (!tokens?.access_token || !tokens.refresh_token) throw new Error('No tokens were stored');
	say(`Tokens stored          access token for ${String(tokens.expires_in)} s, refresh token`);
	return id;
}
