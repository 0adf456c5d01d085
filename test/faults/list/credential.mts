/** A field of the credential that is wrong: found before anything is sent, or refused by the service. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
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

/** A field that is not usable: nothing is sent. */
function unusableField(changes: ICredentialDataDecryptedObject, message: RegExp): Fault {
	const [[name = '', value = ''] = []] = Object.entries(changes);
	return {
		name: `${name} ${JSON.stringify(value)}`,
		credential: () => changes,
		ofWholeRun: true,
		expect: refused(message, 0),
	};
}

export const field: Group = {
	name: 'Credential, a field that is not usable',
	faults: [
		unusableField({ oauthTokenData: {} }, /not connected.*give consent/s),
		unusableField({ domain: ' ' }, /Domain is not usable.*it is empty/s),
		unusableField(
			{ soapUrl: 'http://soap.example.com' },
			/SOAP Address is not usable.*this machine/s,
		),
	],
};

function saying(status: number, message: string, headers: Record<string, string> = {}): Act {
	return json(status, { message }, headers);
}

const KEY = /mentions the subscription key.*'Subscription Key'/s;
const SCOPE = /mentions a scope.*'Scopes'/s;
const DOMAIN = /domain is unknown.*mentions a domain.*'Domain'/s;
const NAMESPACE = /'SOAP Namespace'/;

const renewed = { renewals: 1 };

/**
 * A fault with this text, as a refusal and as a failure of the service: the advice is the same, and
 * of a write only the refusal says that it was not applied.
 */
function faults(name: string, text: string, message: RegExp): Fault[] {
	const blaming = (blame: Blame): Act => reply((call) => soapFault(call, text, { blame }));
	const read = error(1, 0, message);
	return [
		fault(
			`a fault of the sender, ${name}`,
			blaming('sender'),
			soap(read, notApplied(1, 0, message)),
		),
		fault(
			`a fault of the service, ${name}`,
			blaming('service'),
			soap(read, unknown(1, 0, message)),
		),
	];
}

export const refusedField: Group = {
	name: 'Credential, a field that the service does not accept',
	faults: [
		{
			name: 'another subscription key',
			credential: () => ({ subscriptionKey: 'another-subscription-key' }),
			renewals: 1,
			expect: refused(/refused access.*mentions the subscription key/s, 2),
		},
		fault(
			'403, a missing subscription key',
			saying(403, 'Access denied due to missing subscription key.'),
			refused(KEY),
		),
		fault(
			'403, a missing scope',
			saying(403, '', { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' }),
			refused(SCOPE),
		),
		fault(
			'401, a missing scope',
			saying(401, 'The required scope is missing'),
			refused(/refused access.*mentions a scope/s, 2),
			renewed,
		),
		{
			name: 'another domain',
			credential: () => ({ domain: 'another-domain' }),
			expect: { ...soap(error(1, 0, DOMAIN), notApplied(1, 0, DOMAIN)), restRead: complete() },
		},
		{
			name: 'another namespace',
			credential: () => ({ soapNamespace: 'http://other.example/soap/v3' }),
			expect: {
				...soap(error(1, 0, NAMESPACE), notApplied(1, 0, NAMESPACE)),
				restRead: complete(),
			},
		},
		...faults('another SOAP version', 'Possible SOAP version mismatch', /'SOAP Version'/),
		...faults('a missing key', 'Access denied due to missing subscription key.', KEY),
		...faults('a missing scope', 'The required scope is missing.', SCOPE),
		...faults('the domain', 'The domain is locked.', /mentions a domain.*'Domain'/s),
		...faults('no words', '', /gave no reason: The payroll service (?:refused|failed)/),
		fault('415', saying(415, 'No'), refused(/HTTP 415.*'SOAP Version'/s)),
		fault('405', saying(405, 'No'), refused(/HTTP 405.*'(?:REST|SOAP) Address'/s)),
		fault('407', saying(407, 'No'), refused(/HTTP 407.*refused the call/s)),
		fault('the REST address for everything', json(200, []), {
			soapRead: error(1, 0, /no readable answer.*'SOAP Address'/s),
		}),
	],
};
