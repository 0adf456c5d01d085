import { ACCESS_PHRASES, adviceOn, FAULT_PHRASES } from '../../../nodes/shared/errors/advice.ts';

const fieldOf = (text: string): string | undefined =>
	/'([^']+)'/.exec(adviceOn(text, FAULT_PHRASES) ?? '')?.[1];

it.each<[string, string[]]>([
	[
		'Subscription Key',
		['No subscription key', 'subscription-key', 'Subscription_Key', 'subscriptionkey is wrong'],
	],
	[
		'Scopes',
		[
			...['insufficient scope', 'insufficient_scope', 'insufficient-scope', 'InsufficientScope'],
			...['missing scope', 'It lacks scopes', 'lack of the scope', 'A need for this scope'],
			...['needs a scope', 'requires the scope', 'require scopes', 'a required scope'],
			...['without the scope', 'no scope', `no ${'x'.repeat(38)} scope`],
			...['scope missing', 'The scopes are required', 'scope: insufficient'],
			...['scopes were not granted', `scope ${'x'.repeat(38)} missing`],
		],
	],
	['Domain', ['The domain is unknown', 'Onbekend domein']],
	['SOAP Namespace', ['Unknown SOAPAction', 'SOAP Action', 'the action parameter']],
	['SOAP Version', ['soap:VersionMismatch', 'SOAP version mismatch']],
	[
		'Requests per Second',
		['Out of call volume quota', 'The quota is exceeded', 'exceeds the quota'],
	],
	[
		'Switch account',
		['Login failed', 'Log in first', 'You are not logged in', 'Not signed in', 'niet ingelogd'],
	],
])('%s is the field to check for its phrases', (field, texts) => {
	expect(texts.filter((text) => fieldOf(text) !== field)).toEqual([]);
});

it('other words call for no advice', () => {
	const texts = [
		...['subscription xkey', 'resubscription key', 'subscription keys', 'a scope'],
		...['insufficient. scope', 'nothing scope', 'no\nscope', 'no. scope', 'missing telescope'],
		...[`no ${'x'.repeat(39)} scope`, `scope ${'x'.repeat(39)} missing`, 'scope. missing'],
		...['scope\nmissing', 'scoped missing', 'scope dismissing', 'domains', 'subdomain'],
		...['The quota of employees is 7', 'Catalog invalid', 'loginnaam', 'signed'],
		...['mySOAPAction', 'actions parameter', 'reaction parameter', 'version mismatch'],
	];
	expect(texts.filter((text) => fieldOf(text) !== undefined)).toEqual([]);
	expect(adviceOn('SOAPAction', ACCESS_PHRASES)).toBeUndefined();
});
