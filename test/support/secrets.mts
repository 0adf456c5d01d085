import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

/** The secrets of a stored credential, its tokens first; nothing so short that any text holds it. */
export function secretsOf(data: ICredentialDataDecryptedObject): string[] {
	const { appSecret, subscriptionKey, domain, oauthTokenData } = data;
	const { access_token, refresh_token } = oauthTokenData as IDataObject;
	const encoded = encodeURIComponent(String(appSecret));
	const all = [access_token, refresh_token, appSecret, encoded, subscriptionKey, domain];
	return all.filter((value): value is string => typeof value === 'string' && value.length >= 8);
}

/** Fails if one of these secrets stands in what a run shows or stores. */
export function expectNoSecret(secrets: readonly string[], shown: unknown): void {
	const text = JSON.stringify(shown);
	for (const secret of secrets) expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
}
