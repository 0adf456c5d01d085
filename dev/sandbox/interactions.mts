/** The login and consent steps between /connect/authorize and the redirect. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { html, send } from './http.mts';
import type { Connection } from './options.mts';
import { consentPage, errorPage, loginPage } from './pages.mts';
import type { InteractionDetails, Provider } from './provider.mts';

interface Deps {
	provider: Provider;
	connection: Connection;
}

/** Shows the page of an interaction (GET) or processes its form (POST). */
export async function handleInteraction(
	req: IncomingMessage,
	res: ServerResponse,
	{ provider, connection }: Deps,
): Promise<void> {
	const form = req.method === 'POST' ? new URLSearchParams(await text(req)) : undefined;
	let details: InteractionDetails;
	try {
		details = await provider.interactionDetails(req, res);
	} catch {
		const error_description = 'This sign-in has expired, or was started in another browser.';
		send(res, html(400, errorPage({ error: 'invalid_request', error_description })));
		return;
	}
	const finish = (result: object, mergeWithLastSubmission = false) =>
		provider.interactionFinished(req, res, result, { mergeWithLastSubmission });
	if (form?.get('action') === 'cancel') {
		await finish({ error: 'access_denied', error_description: 'The user did not consent' });
	} else if (details.prompt.name === 'login') {
		const login = form?.get('user') ?? '';
		const known = login === connection.user && form?.get('password') === connection.password;
		if (form && known) await finish({ login: { accountId: login } });
		else send(res, html(form ? 401 : 200, loginPage({ user: login, refused: form !== undefined })));
	} else if (form) {
		await finish({ consent: { grantId: await grant(provider, details) } }, true);
	} else {
		const scopes = (details.params.scope ?? '').split(' ').filter((scope) => scope !== '');
		send(res, html(200, consentPage({ client: 'n8n', user: connection.user, scopes })));
	}
}

/** Records the user's consent to everything that was requested. */
async function grant(provider: Provider, details: InteractionDetails): Promise<string> {
	const { prompt, params, session, grantId } = details;
	const earlier = grantId === undefined ? undefined : await provider.Grant.find(grantId);
	const consent =
		earlier ??
		new provider.Grant({ accountId: session?.accountId ?? '', clientId: params.client_id });
	consent.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(' '));
	for (const [resource, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {})) {
		consent.addResourceScope(resource, scopes.join(' '));
	}
	return await consent.save();
}
