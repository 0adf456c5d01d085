/** A field of the credential that is wrong: found before anything is sent, or refused by the service. */
import { json } from '../acts.mts';
import { complete, error, fault, notApplied, refused, soap, type Group } from '../fault.mts';

const DOMAIN = /domain is unknown.*mentions a domain.*'Domain'/s;

/** `test/package/credentials` and `test/package/nodes/check.test.mts` have more fields. */
export const field: Group = {
	name: 'Credential, a field that is not accepted',
	faults: [
		{
			name: 'another subscription key',
			credential: () => ({ subscriptionKey: 'another-subscription-key' }),
			renewals: 1,
			expect: refused(/refused access.*mentions the subscription key/s, 2),
		},
		{
			name: 'another domain',
			credential: () => ({ domain: 'another-domain' }),
			expect: { ...soap(error(1, 0, DOMAIN), notApplied(1, 0, DOMAIN)), restRead: complete() },
		},
		fault('405', json(405, { message: 'No' }), refused(/HTTP 405.*'(?:REST|SOAP) Address'/s)),
	],
};
