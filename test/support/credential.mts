import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { credentialData } from '../../dev/package/payroll.mts';

/** The data of a connected credential, all of whose addresses are this one. */
export function connectedTo(
	url: string,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject {
	const service = { url, namespace: url, clientId: 'id', clientSecret: 'secret', scopes: [] };
	return {
		...credentialData({ ...service, subscriptionKey: 'key', domain: 'demo' }),
		oauthTokenData: { access_token: 'token', refresh_token: 'refresh', token_type: 'Bearer' },
		...changes,
	};
}
