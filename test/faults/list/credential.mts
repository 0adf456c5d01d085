/** A field of the credential that is not right: found before anything is sent, or told by the service. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { soapFault, type Blame } from '../echo.mts';
import {
	complete,
	each,
	error,
	notApplied,
	refused,
	reply,
	unknown,
	writes,
	type Act,
	type Expectations,
	type Fault,
	type Group,
} from '../fault.mts';
import { answer } from '../message.mts';

/** A field that is not usable: nothing is sent. */
function unusable(changes: ICredentialDataDecryptedObject, message: RegExp): Fault {
	const [[name = '', value = ''] = []] = Object.entries(changes);
	return {
		name: `${name} ${JSON.stringify(value)}`,
		credential: () => changes,
		ofAll: true,
		expect: each(error(0, 0, message), notApplied(0, 0, message)),
	};
}

export const field: Group = {
	name: 'Credential, a field that is not usable',
	faults: [
		unusable({ oauthTokenData: {} }, /not connected.*give consent/s),
		unusable({ domain: ' ' }, /Domain is not usable.*it is empty/s),
		unusable({ domain: 'a\nb' }, /Domain is not usable.*line break/s),
		unusable({ subscriptionKey: 'ключ' }, /Subscription Key is not usable.*HTTP header/s),
		unusable({ soapNamespace: 'a"b' }, /SOAP Namespace is not usable.*without quotes/s),
		unusable({ soapVersion: '2' }, /SOAP Version is not usable.*1\.1 or 1\.2/s),
		unusable({ soapUrl: 'http://soap.example.com' }, /SOAP Address is not usable.*this machine/s),
		unusable({ restUrl: 'https://a b' }, /REST Address is not usable.*blank/s),
		unusable({ identityUrl: 'https://user@a' }, /Identity Address is not usable.*user name/s),
	],
};

/** A SOAP call that is refused; REST may know nothing of it. */
function ofSoap(message: RegExp): Expectations {
	return { soapRead: error(1, 0, message), ...writes(notApplied(1, 0, message)) };
}

const JSON_TYPE = 'application/json; charset=utf-8';

function says(status: number, text: string, headers: Record<string, string> = {}): Act {
	return reply(() => answer(status, JSON_TYPE, JSON.stringify({ message: text }), headers));
}

const KEY = /speaks of the subscription key.*'Subscription Key'/s;
const SCOPE = /speaks of a scope.*'Scopes'/s;

/** Refused whatever the token, so that it is renewed once. */
function refusedTwice(message: RegExp): Expectations {
	return each(error(2, 0, message), notApplied(2, 0, message));
}

/**
 * A fault of these words, as a refusal and as a failure of the service: the advice is the same, and
 * of a write only the refusal says that it was not applied.
 */
function faults(name: string, text: string, message: RegExp): Fault[] {
	const service = (blame: Blame): Act =>
		reply((call) => {
			const { type, body } = soapFault(call, text, blame);
			return answer(500, type, body);
		});
	const read = error(1, 0, message);
	return [
		{
			name: `a fault of the sender, ${name}`,
			service: service('sender'),
			expect: { soapRead: read, ...writes(notApplied(1, 0, message)) },
		},
		{
			name: `a fault of the service, ${name}`,
			service: service('service'),
			expect: { soapRead: read, ...writes(unknown(1, 0, message)) },
		},
	];
}

export const refusedField: Group = {
	name: 'Credential, a field that the service does not accept',
	faults: [
		{
			name: 'another subscription key',
			credential: () => ({ subscriptionKey: 'another-subscription-key' }),
			renewals: 1,
			expect: refusedTwice(/refused access.*speaks of the subscription key/s),
		},
		{
			name: '403, a missing subscription key',
			service: says(403, 'Access denied due to missing subscription key.'),
			expect: refused(KEY),
		},
		{
			name: '403, a missing scope',
			service: says(403, '', { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' }),
			expect: refused(SCOPE),
		},
		{
			name: '401, a missing scope',
			service: says(401, 'The required scope is missing'),
			renewals: 1,
			expect: refusedTwice(/refused access.*speaks of a scope/s),
		},
		{
			name: '403, the domain',
			service: says(403, 'Unknown domain'),
			expect: refused(/speaks of a domain/),
		},
		{
			name: 'another domain',
			credential: () => ({ domain: 'another-domain' }),
			expect: {
				...ofSoap(/domain is unknown.*speaks of a domain.*'Domain'/s),
				restRead: complete(),
			},
		},
		{
			name: 'another namespace',
			credential: () => ({ soapNamespace: 'http://other.example/soap/v3' }),
			expect: { ...ofSoap(/'SOAP Namespace'/), restRead: complete() },
		},
		...faults('another SOAP version', 'Possible SOAP version mismatch', /'SOAP Version'/),
		...faults('an unknown action', 'A valid action parameter is missing.', /'SOAP Namespace'/),
		...faults('a missing key', 'Access denied due to missing subscription key.', KEY),
		...faults('a missing scope', 'The required scope is missing.', SCOPE),
		...faults('the domain', 'The domain is locked.', /speaks of a domain.*'Domain'/s),
		...faults('no words', '', /gave no reason: The payroll service (?:refused|failed)/),
		{
			name: '401, the domain',
			service: says(401, 'Unknown domain'),
			renewals: 1,
			expect: refusedTwice(/refused access.*speaks of a domain/s),
		},
		{ name: '415', service: says(415, 'No'), expect: refused(/HTTP 415.*'SOAP Version'/s) },
		{
			name: '405',
			service: says(405, 'No'),
			expect: refused(/HTTP 405.*'(?:REST|SOAP) Address'/s),
		},
		{ name: '418', service: says(418, 'No'), expect: refused(/HTTP 418.*refused the call/s) },
		{
			name: 'the REST address for everything',
			service: reply(() => answer(200, JSON_TYPE, '[]')),
			expect: { soapRead: error(1, 0, /no readable answer.*'SOAP Address'/s) },
		},
	],
};
