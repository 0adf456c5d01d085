/** A field of the credential that is wrong: found before anything is sent, or refused by the service. */
import { json, reply, type Act } from '../acts.mts';
import { soapFault, type Blame } from '../echo.mts';
import {
	complete,
	error,
	fault,
	notApplied,
	refused,
	soap,
	unknown,
	type Fault,
	type Group,
} from '../fault.mts';

function saying(status: number, message: string, headers: Record<string, string> = {}): Act {
	return json(status, { message }, headers);
}

const KEY = /mentions the subscription key.*'Subscription Key'/s;
const SCOPE = /mentions a scope.*'Scopes'/s;
const DOMAIN = /domain is unknown.*mentions a domain.*'Domain'/s;

/**
 * A fault with this text, as a refusal and as a failure of the service: the advice is the same, and
 * of a write only the refusal says that it was not applied.
 */
function faults(name: string, text: string, message: RegExp): Fault[] {
	const blaming = (blame: Blame): Act => reply((call) => soapFault(call, text, { blame }));
	const read = error(1, 0, message);
	const [refusal, failure] = [notApplied(1, 0, message), unknown(1, 0, message)];
	return [
		fault(`a fault of the sender, ${name}`, blaming('sender'), soap(read, refusal)),
		fault(`a fault of the service, ${name}`, blaming('service'), soap(read, failure)),
	];
}

/** `test/package/credentials` and `test/package/nodes/check.test.mts` have more fields. */
export const field: Group = {
	name: 'Credential, a field that is not accepted',
	faults: [
		{
			name: 'no tokens',
			credential: () => ({ oauthTokenData: {} }),
			ofWholeRun: true,
			expect: refused(/not connected.*give consent/s, 0),
		},
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
		fault(
			'403, a missing scope',
			saying(403, '', { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' }),
			refused(SCOPE),
		),
		fault(
			'401, a missing scope',
			saying(401, 'The required scope is missing'),
			refused(/refused access.*mentions a scope/s, 2),
			{ renewals: 1 },
		),
		...faults('a missing key', 'Access denied due to missing subscription key.', KEY),
		...faults('no words', '', /gave no reason: The payroll service (?:refused|failed)/),
		fault('415', saying(415, 'No'), {
			...refused(/HTTP 415.*'SOAP Version'/s),
			restRead: error(1, 0, /HTTP 415.*refused the call\. (?!.*'SOAP Version')/s),
		}),
		fault('405', saying(405, 'No'), refused(/HTTP 405.*'(?:REST|SOAP) Address'/s)),
		fault('407', saying(407, 'No'), refused(/HTTP 407.*refused the call/s)),
	],
};
