import { mentionedIn, type Mention } from '../../../nodes/shared/errors/phrases.ts';

const mentioned = (text: string): Mention | undefined => mentionedIn(text, true);

it.each<[Mention, string[]]>([
	[
		'key',
		['No subscription key', 'subscription-key', 'Subscription_Key', 'subscriptionkey is wrong'],
	],
	[
		'scopes',
		[
			...['insufficient scope', 'insufficient_scope', 'insufficient-scope', 'InsufficientScope'],
			...['missing scope', 'It lacks scopes', 'lack of the scope', 'A need for this scope'],
			...['needs a scope', 'requires the scope', 'require scopes', 'a required scope'],
			...['without the scope', 'no scope', 'not authorised for the read scope'],
			...['scope missing', 'The scopes are required', 'scope: insufficient'],
			...['scopes were not granted'],
		],
	],
	['domain', ['The domain is unknown', 'Onbekend domein']],
	['operation', ['Unknown SOAPAction', 'SOAP Action', 'the action parameter']],
	['version', ['soap:VersionMismatch', 'SOAP version mismatch']],
	['quota', ['Out of call volume quota', 'The quota is exceeded', 'exceeds the quota']],
	[
		'login',
		['Login failed', 'Log in first', 'You are not logged in', 'Not signed in', 'niet ingelogd'],
	],
])('%s is mentioned in its phrases', (mention, texts) => {
	expect(texts.filter((text) => mentioned(text) !== mention)).toEqual([]);
});

it('other words mention nothing', () => {
	const texts = [
		...['subscription xkey', 'resubscription key', 'subscription keys', 'a scope'],
		...['insufficient. scope', 'nothing scope', 'no\nscope', 'no. scope', 'missing telescope'],
		...['scope\nmissing', 'scoped missing', 'scope dismissing', 'domains', 'subdomain'],
		...['The quota of employees is 7', 'Catalog invalid', 'loginnaam', 'signed'],
	];
	expect(texts.filter((text) => mentioned(text) !== undefined)).toEqual([]);
	expect(mentionedIn('SOAPAction')).toBeUndefined();
});
