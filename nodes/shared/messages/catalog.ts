/** The words of every failure: the one place that names labels of the forms for a call that failed. */
import type { Mention } from '../errors/phrases';
import type { FactsOf, Failure, Known, ServiceError } from '../errors/ServiceError';
import { counted, sentences } from '../errors/words';
import { SERVICE_SAYS } from '../host/nodes';

/** How to log in again: n8n shows a credential whose tokens have expired as connected. */
const LOG_IN_AGAIN = "choose 'Switch account' ('Reconnect' in an older n8n) and log in again";

/** The advice for what the words of an answer mention: it only repeats that. */
export const MENTIONED: Readonly<Record<Mention, string>> = {
	// A gateway limits the calls of a subscription.
	quota:
		"The service limits the number of calls, and the limit is reached. Make fewer calls: 'Requests per Second' in the credential limits them. Or ask the payroll provider for a larger quota.",
	key: "The answer mentions the subscription key: check 'Subscription Key' in the credential.",
	scopes: `The answer mentions a scope: the consent probably does not cover this call. Choose the scopes that it needs under 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`,
	domain:
		"The answer mentions a domain: check 'Domain' in the node's options, if it is there, or else in the credential, and whether the connected user has access to it.",
	operation:
		"The service does not know the operation by this name: check 'SOAP Namespace' in the credential.",
	version: "The service expects another version of SOAP: change 'SOAP Version' in the credential.",
	login: `The answer mentions the login: open the credential, ${LOG_IN_AGAIN}. If that does not help, ask the payroll provider what the user may do.`,
};

/** Returns what the code of a fault usually means, as public clients treat it. It never decides about a write. */
function adviceOnCode(serviceCode: string): string {
	const code = Number(serviceCode);
	if ((code >= 1001 && code <= 1004) || code === 2003) {
		return "This code usually means that access is refused: check whether the connected user may do this for this employee or company, then 'Domain' in the node's options or in the credential, and 'Subscription Key' and 'Scopes' in the credential.";
	}
	if (code === 1006 || code === 9999) {
		return 'This code usually means that the service itself failed, whatever the values are. If that continues, ask the payroll provider.';
	}
	return code >= 2001
		? 'This code usually means that the service does not accept a value. Correct the value that the message is about.'
		: 'Check the values, and look up the code in the documentation of the payroll service.';
}

const CONNECT_AGAIN = `Open the credential. It still shows 'Account connected': ${LOG_IN_AGAIN}.`;
const CORRECT = 'The payroll service refused the call. Correct the values.';
const UNREADABLE = 'The payroll service gave no readable answer';
const NOT_JSON = 'The payroll service sent a page that cannot be read as JSON';
const BY_NAME = "To call it without a description, choose the operation 'By Name'.";
const CHECK_SERVICE =
	"Check 'Service', 'SOAP Address' and 'SOAP Namespace' in the credential, and whether the service is available.";

export type Words = readonly [title: string, advice: string];

/** The words of failures with the same title. */
const titled = <F extends Failure>(title: string, advice: Readonly<Record<F, string>>) =>
	Object.fromEntries(
		Object.entries<string>(advice).map(([name, own]): [string, Words] => [name, [title, own]]),
	) as Record<F, Words>;

const byStatus = ({ httpStatus, fault }: Known) =>
	fault ?? `The payroll service answered with HTTP ${httpStatus}`;

/** The words for a refused call; if a fault says why, the values may be wrong. */
const refused = (facts: Known, advice: string): Words => [
	byStatus(facts),
	facts.fault === undefined ? advice : CORRECT,
];

/** The recipient of a request to the address in this field of the credential. */
const peerOf = (field: string) =>
	field === 'Identity Address' ? 'identity server' : 'payroll service';

/** The words of each failure, some by its facts; `describe` returns those of the failure that caused it. */
export const failures: {
	readonly [F in Failure]:
		| Words
		| ((facts: FactsOf[F] & Known, describe: (cause: ServiceError) => Words) => Words);
} = {
	CREDENTIAL_NOT_CONNECTED: [
		'The credential is not connected',
		"Open the credential and connect the account: choose 'Connect' ('Connect my account' in an older n8n), log in and give consent.",
	],
	...titled('The credential needs to be reconnected', {
		'CREDENTIAL_NOT_CONNECTED/noRefreshToken': `No refresh token is stored, so n8n cannot renew the access token. ${CONNECT_AGAIN}`,
		'CREDENTIAL_NOT_CONNECTED/invalid_grant': `The refresh token is no longer accepted: nothing ran for 30 days, the consent was withdrawn, or the token was used before (by another n8n, or before a backup was restored). ${CONNECT_AGAIN}`,
	}),
	CREDENTIAL_READ_ONLY: [
		'The credential is read-only',
		"Nothing was sent. To write with it, turn off 'Read Only' in the credential.",
	],
	CREDENTIAL_FIELD_INVALID: ({ field, reason }) => [
		`The credential's ${field} is not usable`,
		`Open the credential and correct '${field}': ${reason}.`,
	],
	DOMAIN_INVALID: ({ reason }) => [
		'The Domain of this item is not usable',
		`Correct 'Domain' in the node's options: ${reason}. Remove the option to use the Domain of the credential.`,
	],
	'DOMAIN_INVALID/ofModel': [
		"'Domain' in the node's options is an expression, which may depend on what an AI model writes",
		'For a tool of an AI agent, enter the Domain itself, or remove the option to use that of the credential.',
	],

	// Renewals: the OAuth errors of RFC 6749, section 5.2, and what else failed.
	...titled('The access token could not be renewed', {
		'RENEWAL_REFUSED/invalid_client':
			"The identity server does not accept the app: check 'Client ID' and 'Client Secret' in the credential.",
		'RENEWAL_REFUSED/unauthorized_client':
			"The identity server does not allow the app to renew tokens: check 'Client ID' in the credential, and how the app was registered.",
		'RENEWAL_REFUSED/invalid_scope': `The identity server does not accept the scopes: check 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`,
		'RENEWAL_REFUSED/insecure':
			"The certificate of the identity server was not accepted: check 'Identity Address' in the credential.",
		'RENEWAL_REFUSED/otherServer':
			"The answer does not look like that of an identity server: check 'Identity Address' in the credential.",
		IDENTITY_SERVER_BUSY:
			'The identity server is busy, or not available at the moment. Nothing is wrong with the credential.',
		'RENEWAL_FAILED/unreached':
			"The identity server could not be reached: check 'Identity Address' in the credential, and whether it is available.",
		RENEWAL_FAILED:
			"The identity server did not answer as expected. If this continues, check 'Identity Address', 'Client ID' and 'Client Secret' in the credential.",
	}),
	'RENEWAL_FAILED/credential': ({ reason }) => [
		'n8n could not read the credential',
		`The reason is: ${reason}. Try again; if this continues, look in n8n's log.`,
	],
	'RENEWAL_FAILED/timeout': [
		'The identity server did not answer in time',
		"The access token could not be renewed. Raise 'Timeout (Seconds)' in the node's options if that is expected.",
	],

	// Answers by their HTTP status.
	REDIRECTED: ({ httpStatus, target, field }) => [
		`The payroll service answered with a redirect (HTTP ${httpStatus})`,
		`${target && `It leads to ${target}. `}Redirects are not followed, so that no other address receives the access token. Enter the final address under '${field}' in the credential.`,
	],
	CALL_REFUSED: (facts) => {
		const known: Readonly<Record<number, string>> = {
			400: 'The service reports a bad request. Check the values.',
			405: `Check '${facts.field}' in the credential.`,
			...(facts.field === 'SOAP Address' && { 415: "Check 'SOAP Version' in the credential." }),
		};
		return refused(facts, known[facts.httpStatus] ?? 'The service refused the call.');
	},
	ACCESS_REFUSED: (facts) =>
		refused(
			facts,
			`The consent probably does not cover this call: check 'Scopes' in the credential, then ${LOG_IN_AGAIN}. If it does, check 'Subscription Key'.`,
		),
	NOT_FOUND: (facts) => {
		const isSoap = facts.field === 'SOAP Address';
		const others = isSoap ? "'Service', if the operation has it" : 'the values given';
		return refused(facts, `Check '${facts.field}' in the credential, and ${others}.`);
	},
	RATE_LIMITED: (facts) => [
		byStatus(facts),
		facts.httpStatus === 403
			? MENTIONED.quota
			: "The service asks to slow down. Limit 'Concurrency' in the node's options, or 'Requests per Second' in the credential.",
	],
	UNAVAILABLE: (facts) => [byStatus(facts), 'The service is not available at the moment.'],
	SERVICE_ERROR: (facts) => [byStatus(facts), 'The service reported an internal error.'],
	STATUS_UNKNOWN: (facts) => [
		byStatus(facts),
		'Only an answer with HTTP 200 has a result; the meaning of this one is unknown.',
	],
	'NOT_FOUND/subject': ({ name }) => [
		`${name} was not found, or 'REST Address' in the credential is wrong`,
		"The payroll service answered with HTTP 404. Check the values given; if they are right, correct 'REST Address' in the credential.",
	],
	TOKEN_REJECTED: ({ isFresh }) => [
		'The payroll service does not accept the access token',
		sentences(
			isFresh && 'The token was just renewed, but it was still rejected.',
			`Check 'Subscription Key' and 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`,
		),
	],
	// The advice is that for what it mentions.
	'ACCESS_REFUSED/401': ['The payroll service refused access', ''],

	// SOAP faults.
	'TOKEN_REJECTED/fault': ({ fault }) => [
		fault,
		`The payroll service refused the call. If it means the access token, check 'Subscription Key' and 'Scopes' in the credential, then ${LOG_IN_AGAIN}. Otherwise, correct the values.`,
	],
	FAULT_REFUSED: ({ fault, serviceCode }) => [
		fault,
		serviceCode === undefined ? CORRECT : adviceOnCode(serviceCode),
	],
	FAULT_CODED: ({ fault, serviceCode }) => [fault, adviceOnCode(serviceCode)],
	FAULT_UNCLEAR: ({ fault }) => [
		fault,
		'The payroll service failed while it handled the call. Check the values.',
	],

	// Requests without an answer.
	NOT_REACHED: ({ field, cause }) => [
		`The ${peerOf(field)} ${/^E(?:NOTFOUND|AI_AGAIN)$/.test(cause) ? 'was not found' : 'refused the connection'}`,
		`Check '${field}' in the credential, and whether the service is available.`,
	],
	CONNECTION_INSECURE: ({ field, cause }) => [
		`No secure connection to the ${peerOf(field)} could be made`,
		`Its certificate was not accepted (${cause}). Check '${field}' in the credential.`,
	],
	'CONNECTION_LOST/secure': ({ field, cause }) => [
		`The secure connection to the ${peerOf(field)} failed`,
		`It could not be made, or it broke before the answer was complete (${cause}). Check '${field}' in the credential, and whether the service is available.`,
	],
	CONNECTION_LOST: ({ field, cause }) => [
		`The connection to the ${peerOf(field)} broke`,
		`It ended before the answer was complete (${cause}).`,
	],
	REQUEST_FAILED: ({ field }) => [
		`The request to the ${peerOf(field)} failed`,
		`n8n could not carry it out. Check '${field}' in the credential, and whether n8n may reach that address.`,
	],
	ANSWER_TIMEOUT: ({ field, seconds }) => [
		`The ${peerOf(field)} did not answer in time`,
		`The answer was not complete after ${counted(seconds, 'second')}. Raise 'Timeout (Seconds)' in the node's options if that is expected.`,
	],
	'ANSWER_TIMEOUT/list': [
		'The payroll service did not answer in time',
		'The list could not be read. Check whether the service is available, then open the list again.',
	],
	ANSWER_TOO_LARGE: ({ field, bytes }) => [
		`The answer of the ${peerOf(field)} is too large`,
		`It is larger than ${bytes} bytes. ${field === 'Identity Address' ? "Check 'Identity Address' in the credential." : "Raise 'Response Size Limit (MiB)' in the node's options if that is expected."}`,
	],
	CALL_INTERRUPTED: [
		'The run ended while the call was under way',
		'The execution was stopped before the payroll service had answered.',
	],
	'CALL_INTERRUPTED/killed': [
		'n8n stopped in the middle of this run',
		'n8n kept no record of this item, so nothing is sent for it. Look in the payroll service whether the change is there, and start a new execution with the items that are missing.',
	],
	'CALL_INTERRUPTED/otherSecret': [
		'The client secret has changed since this call was recorded',
		'It is not known whether the change was applied, so nothing is sent. Look in the payroll service, and start a new execution if the change is missing.',
	],
	EARLIER_CHANGE_IN_DOUBT: [
		'An earlier change of the same employee or company is in doubt',
		'It may still arrive, and would then undo this one. So this one was not sent. Look in the payroll service what stands there.',
	],

	// Answers that cannot be used.
	ANSWER_UNREADABLE: ({ reason }) => [
		UNREADABLE,
		`${reason}. Check 'SOAP Address', 'SOAP Namespace' and 'SOAP Version' in the credential.`,
	],
	'ANSWER_UNREADABLE/text': ({ text }) => [UNREADABLE, `It is the text ${text}.`],
	...titled(UNREADABLE, {
		'ANSWER_UNREADABLE/multipart':
			'It is a multipart message (MTOM), which this node does not read. Ask the payroll provider to answer without MTOM.',
		'ANSWER_UNREADABLE/webPage': "It is a web page. Check 'SOAP Address' in the credential.",
	}),
	'ANSWER_UNREADABLE/part': ({ reason }) => [
		'The payroll service sent something that cannot be read',
		`${reason}.`,
	],
	'ANSWER_UNREADABLE/characters': [
		'The answer of the payroll service cannot be decoded',
		'It is not valid in the character set that it declares. Ask the payroll provider: this is an error of the service.',
	],
	'ANSWER_UNREADABLE/page': ({ reason }) => [
		NOT_JSON,
		`${reason} Check 'REST Address' in the credential.`,
	],
	'ANSWER_UNREADABLE/pageText': ({ text }) => [NOT_JSON, `It is not JSON. ${SERVICE_SAYS}${text}`],
	'ANSWER_TOO_LARGE/parts': ({ limit }) => [
		UNREADABLE,
		`It has more than ${limit}. Request less data at once.`,
	],
	FILE_UNUSABLE: ({ element, reason }) => [
		`The answer has no file in ${element}`,
		`${reason} Check 'File Content In' and 'File Content Is' in the node's options.`,
	],
	'FILE_UNUSABLE/otherText': ({ element, text }) => [
		`The answer has no file in ${element}`,
		`The service sent ${text} in its place. If that is the file, choose Text under 'File Content Is' in the node's options.`,
	],
	'FILE_UNUSABLE/notStored': ({ reason }) => [
		'n8n could not store the file of the answer',
		`n8n said: ${reason}.`,
	],
	'FILE_UNUSABLE/notKept': [
		'An earlier try of this run got a file, which was not kept',
		"n8n keeps files in memory here, and only one that it stores can be used again. The call is not sent again, since it may change something: if it only reads, add the option 'Only Reads'. Otherwise start a new execution.",
	],
	WRITTEN_OTHERWISE: ({ difference }) => [
		'The payroll service has other values than were written',
		`${difference} 'Verify' read this after the change. Correct what differs in the payroll service.`,
	],
	NOT_CHANGED: ({ when }) => [
		'The payroll service answered with success, and still has what it had',
		`'Verify' read the records ${when}. The change may still arrive: a retry of this execution reads them again, and sends nothing.`,
	],
	WRITE_UNCONFIRMED: ({ got }) => [
		`The payroll service did not confirm the change: ${got}`,
		'Its answer is not the one that is specified for a success. Look up in the documentation of the service what it means.',
	],

	// Lists and descriptions.
	'SERVICE_ERROR/page': ({ fault }) => [
		`The payroll service reported an error: ${fault}`,
		'It answered with HTTP 200, so the page may have been read only in part. Look up the error in the documentation of the service.',
	],
	'LIST_INCOMPLETE/noList': [
		'The payroll service sent a page without a list in it',
		"Expected a list, or an object that holds exactly one list. Check 'Path', if the operation has it, and 'REST Address' in the credential.",
	],
	LIST_INCOMPLETE: ({ contradiction }) => [
		'The list of the payroll service is not complete',
		`${contradiction} If the list changed while it was being read, run the node again, or raise 'Page Size' in the node's options so that the list fits on one page. Otherwise check 'First Page'.`,
	],
	'LIST_INCOMPLETE/whole': ({ contradiction }) => [
		'The list of the payroll service is not complete',
		`${contradiction} So the list has pages: turn off 'Not Paged'. If its pages have other parameters than pageNumber and pageSize, keep 'Not Paged', enter them under 'Parameters', and turn off 'Return All'.`,
	],
	'LIST_INCOMPLETE/repeats': [
		'The payroll service sent the same record on two pages',
		"The list changed while it was being read, has no fixed order, or the service ignores the page number, so that others may be missing. If this happens again, raise 'Page Size' in the node's options so that the list fits on one page. A list that the service sends at once is read by Other List with 'Not Paged'.",
	],
	'LIST_INCOMPLETE/endless': ({ limit }) => [
		'The list of the payroll service does not end',
		`It did not end after ${limit}. If it is that long, read it in parts, with 'Limit' and 'First Page'. If the service sends fewer records on a page than were asked for, lower 'Page Size' in the node's options.`,
	],
	DESCRIPTION_UNREADABLE: ({ service, because, httpStatus }, describe) => {
		const isError = typeof because !== 'string';
		const [reason, own] = isError ? describe(because) : [because, CHECK_SERVICE];
		const advice =
			httpStatus === 404
				? "Check 'Service', and 'SOAP Address' in the credential. If both are right, the service has no description."
				: own;
		// A service that is busy, or cannot be reached, does not answer a call by name either.
		const isAway =
			isError && (httpStatus === undefined || /^(?:UNAVAILABLE|RATE_LIMITED)$/.test(because.code));
		return [
			`The description of the ${service} cannot be read`,
			sentences(`${reason.replace(/\.$/, '')}.`, advice, !isAway && BY_NAME),
		];
	},

	// The node and its operations.
	OPERATION_UNUSABLE: ({ name }) => [
		`The service has no operation ${name}`,
		"Check 'Service', and choose the operation from the list again.",
	],
	'OPERATION_UNUSABLE/untyped': ({ name, reason }) => [
		`${name} cannot be called with typed parameters. ${reason}`,
		"Choose the operation 'By Name', and give its parameters as JSON.",
	],
	'OPERATION_UNUSABLE/customApiCall': [
		'This node does not run Custom API Call',
		"Use n8n's HTTP Request node with this credential. To call any other SOAP operation, use Other Operation: Call of Payroll Employee or Payroll Company.",
	],
	'OPERATION_UNUSABLE/unknown': ({ operation, resource }) => [
		`The operation "${operation}" of "${resource}" is not known`,
		'The workflow was probably made with another version of this package. Choose the resource and the operation again.',
	],
	'OPERATION_UNUSABLE/agent': ({ operation, resource }) => [
		`The operation "${operation}" of "${resource}" cannot be used as a tool of an AI agent`,
		'Run it in a workflow, without an AI agent.',
	],
	'OPERATION_UNUSABLE/columnsOfAgent': [
		'A tool of an AI agent cannot read columns of input items',
		"They would be those of the agent. Map each column manually, or choose another way than 'From Input Items', and let the model define the values.",
	],
	'OPERATION_UNUSABLE/noService': [
		"Choose a 'Service' first",
		'Expected the name of a service, such as DebtorService. If it is an expression, execute the previous nodes, so that the editor can evaluate it.',
	],

	// Connection: Check and Revoke.
	'REDIRECTED/tokenEndpoint': ({ httpStatus }) => [
		`The token endpoint of the identity server answers with a redirect (HTTP ${httpStatus})`,
		"n8n follows it when it renews the access token, so that another address may receive the refresh token. Enter the final address under 'Identity Address' in the credential.",
	],
	'UNDECIDED/noCompany': ['Not tried', "Enter a 'Company ID' to try the REST API."],
	'UNDECIDED/soapFailed': ['Not tried', 'Correct the SOAP calls first.'],
	'UNDECIDED/busy': [
		'The identity server is busy',
		'It is not known whether its token endpoint redirects. Check again later.',
	],
	'UNDECIDED/fault': ({ fault }) => [
		`The service answered with a fault that may be about employee 0: ${fault}`,
		"Without an 'Employee ID', Check asks for employee 0, who should not exist. Enter the ID of an employee who does, to find out.",
	],
	DESCRIPTIONS_DIFFER: ({ differences }) => [
		'The payroll service describes operations of this package differently',
		`${differences}. Check the workflows that use these operations, and look for a new version of this package.`,
	],
	REVOCATION_FAILED: ({ httpStatus }) => [
		`The identity server did not revoke the token (HTTP ${httpStatus})`,
		"Check 'Identity Address', 'Client ID' and 'Client Secret' in the credential, and whether the server is available. A redirect is not followed.",
	],
	'REVOCATION_FAILED/renewed': [
		'The tokens were renewed repeatedly while they were being revoked',
		'Stop the workflows that use the credential before you revoke it.',
	],
	UNEXPECTED: ({ message }) => [
		`Unexpected error: ${message}`,
		'This is a bug of the node, please report it. If n8n logs errors, its log has the details.',
	],
};
