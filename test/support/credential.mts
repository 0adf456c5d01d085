import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { credentialData } from '../../dev/package/payroll.mts';

/** The data of a connected credential, all of whose addresses are this one, and whose SOAP answers are those of soap.mts. */
export function connectedTo(
	url: string,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject {
	const namespace = 'http://payroll.example/soap/v3';
	const service = { url, namespace, clientId: 'id', clientSecret: 'secret', scopes: [] };
	return {
		...credentialData({ ...service, subscriptionKey: 'key', domain: 'demo' }),
		oauthTokenData: { access_token: 'token', refresh_token: 'refresh', token_type: 'Bearer' },
		...changes,
	};
}
