import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/**
 * Whether n8n gave a mock credential: the AI builder of n8n 2 (2.41) evaluates workflows that have no
 * credential, answers every request of the node itself and sends none. Needed while it does.
 */
export function isMocked(data: ICredentialDataDecryptedObject): boolean {
	return data.__evalMockedCredential === true;
}

/**
 * Replaces n8n's mock credential, whose addresses are empty. Even a request that was sent would
 * reach nobody: no host name ends with `.invalid` (RFC 6761).
 */
export const MOCK_CREDENTIAL: ICredentialDataDecryptedObject = {
	clientId: 'evaluated-client',
	clientSecret: 'evaluated-secret',
	subscriptionKey: 'evaluated-key',
	domain: 'evaluated-domain',
	identityUrl: 'https://payroll.invalid',
	restUrl: 'https://payroll.invalid',
	soapUrl: 'https://payroll.invalid',
	soapNamespace: 'https://payroll.invalid/soap/v3',
	soapVersion: '1.1',
	dependsOnItem: false,
	oauthTokenData: {
		// A JSON Web Token that expires in the year 2100, so that it is never renewed.
		access_token: `e30.${Buffer.from('{"exp":4102444800}').toString('base64url')}.e30`,
		refresh_token: 'evaluated-refresh-token',
	},
};
