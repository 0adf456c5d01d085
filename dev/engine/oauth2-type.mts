import type { ICredentialType, INodeProperties } from 'n8n-workflow';

/*
 * Stands in for n8n's own `oAuth2Api`, which OAuth2 credentials extend. The original is part of
 * n8n-nodes-base, which is not installed here. Only the field names, types, defaults and display
 * conditions matter.
 */

const unlessRegistered = { show: { useDynamicClientRegistration: [false] } };
const withConsent = {
	show: { grantType: ['authorizationCode', 'pkce'], useDynamicClientRegistration: [false] },
};

/** A text field with n8n's display condition. */
function text(name: string, extra: Partial<INodeProperties> = {}): INodeProperties {
	const displayOptions = unlessRegistered;
	return { displayName: name, name, type: 'string', default: '', displayOptions, ...extra };
}

/** A drop-down whose options are shown by their values. */
function choice(name: string, values: string[], byDefault: string): INodeProperties {
	const options = values.map((value) => ({ name: value, value }));
	return text(name, { type: 'options', options, default: byDefault });
}

/** n8n's `oAuth2Api` credential type, as far as it affects a credential that extends it. */
export const oAuth2Api: ICredentialType = {
	name: 'oAuth2Api',
	displayName: 'OAuth2 API',
	genericAuth: true,
	properties: [
		text('useDynamicClientRegistration', {
			type: 'hidden',
			default: false,
			displayOptions: {},
		}),
		choice('grantType', ['authorizationCode', 'clientCredentials', 'pkce'], 'authorizationCode'),
		text('authUrl', { required: true, displayOptions: withConsent }),
		text('accessTokenUrl', { required: true }),
		text('clientId', { required: true }),
		text('clientSecret', { required: true, typeOptions: { password: true } }),
		text('scope'),
		text('authQueryParameters', { displayOptions: withConsent }),
		choice('authentication', ['body', 'header'], 'header'),
		{
			displayName: 'ignoreSSLIssues',
			name: 'ignoreSSLIssues',
			type: 'boolean',
			default: false,
			doNotInherit: true,
		},
		{
			displayName: 'tokenExpiredStatusCode',
			name: 'tokenExpiredStatusCode',
			type: 'number',
			default: 401,
			doNotInherit: true,
		},
	],
};
