/** The words of every error of a call, as data. */
import { LOG_IN_AGAIN, QUOTA_USED, REPORTED, SERVICE_SAYS } from './advice';
import { type Code, codes, type ErrorFields, messageOf, ServiceError } from './ServiceError';

/** Title and advice, with the names of facts in braces, and what else is known of each such failure. */
type Words = readonly [title: string, advice: string, fields?: ErrorFields];

/** Only an answer with this status is read. */
const READ = { httpStatus: 200 };
/** Reading a list again may help: it may have changed between two pages. */
const MAY_PASS = { isTransient: true };
const CONNECT_AGAIN = `Open the credential. It still shows 'Account connected': ${LOG_IN_AGAIN}.`;
const RECONNECT = 'The credential needs to be reconnected';
const NOT_RENEWED = 'The access token could not be renewed';
const STATUS = 'The payroll service answered with HTTP {status}';
const UNREADABLE = 'The payroll service gave no readable answer';
const NOT_JSON = 'The payroll service sent a page that cannot be read as JSON';
const NO_FILE = 'The answer has no file in {element}';
const NO_DESCRIPTION = 'The description of the {service} cannot be read';
const BY_NAME = "To call it without a description, choose the operation 'By Name'.";
const CHECK_TOKEN = `Check 'Subscription Key' and 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`;

/** The words of each failure, by its code and, where several share a code, what tells them apart. */
export const failures = {
	CREDENTIAL_NOT_CONNECTED: [
		'The credential is not connected',
		"Open the credential and connect the account: choose 'Connect' ('Connect my account' in an older n8n), log in and give consent.",
	],
	'CREDENTIAL_NOT_CONNECTED/noRefreshToken': [
		RECONNECT,
		`No refresh token is stored, so n8n cannot renew the access token. ${CONNECT_AGAIN}`,
	],
	'CREDENTIAL_NOT_CONNECTED/invalid_grant': [
		RECONNECT,
		`The refresh token is no longer accepted: nothing ran for 30 days, the consent was withdrawn, or the token was used before (by another n8n, or before a backup was restored). ${CONNECT_AGAIN}`,
	],
	CREDENTIAL_READ_ONLY: [
		'The credential is read-only',
		"Nothing was sent. To write with it, turn off 'Read Only' in the credential.",
	],
	CREDENTIAL_FIELD_INVALID: [
		"The credential's {field} is not usable",
		"Open the credential and correct '{field}': {reason}.",
	],
	DOMAIN_INVALID: [
		'The Domain of this item is not usable',
		"Correct 'Domain' in the node's options: {reason}. Remove the option to use the Domain of the credential.",
	],
	'DOMAIN_INVALID/ofModel': [
		"'Domain' in the node's options is an expression, which may depend on what an AI model writes",
		'For a tool of an AI agent, enter the Domain itself, or remove the option to use that of the credential.',
	],

	// Renewals: the OAuth errors of RFC 6749, section 5.2, and what else failed.
	'RENEWAL_REFUSED/invalid_client': [
		NOT_RENEWED,
		"The identity server does not accept the app: check 'Client ID' and 'Client Secret' in the credential.",
	],
	'RENEWAL_REFUSED/unauthorized_client': [
		NOT_RENEWED,
		"The identity server does not allow the app to renew tokens: check 'Client ID' in the credential, and how the app was registered.",
	],
	'RENEWAL_REFUSED/invalid_scope': [
		NOT_RENEWED,
		`The identity server does not accept the scopes: check 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`,
	],
	'RENEWAL_REFUSED/insecure': [
		NOT_RENEWED,
		"The certificate of the identity server was not accepted: check 'Identity Address' in the credential.",
	],
	'RENEWAL_REFUSED/otherServer': [
		NOT_RENEWED,
		"The answer does not look like that of an identity server: check 'Identity Address' in the credential.",
	],
	IDENTITY_SERVER_BUSY: [
		NOT_RENEWED,
		'The identity server is busy, or not available at the moment. Nothing is wrong with the credential: run the workflow again later.',
	],
	'RENEWAL_FAILED/unreached': [
		NOT_RENEWED,
		"The identity server could not be reached: check 'Identity Address' in the credential, and whether it is available.",
	],
	RENEWAL_FAILED: [
		NOT_RENEWED,
		"The identity server did not answer as expected. If this continues, check 'Identity Address', 'Client ID' and 'Client Secret' in the credential.",
	],
	'RENEWAL_FAILED/timeout': [
		'The identity server did not answer in time',
		"The access token could not be renewed. Raise 'Timeout (Seconds)' in the node's options if that is expected.",
	],

	// Answers by their HTTP status.
	REDIRECTED: [
		'The payroll service answered with a redirect (HTTP {status})',
		"{target}Redirects are not followed, so that no other address receives the access token. Enter the final address under '{field}' in the credential.",
	],
	CALL_REFUSED: [STATUS, 'The service refused the call.'],
	'CALL_REFUSED/400': [STATUS, 'The service reports a bad request. Check the values.'],
	'CALL_REFUSED/405': [STATUS, "Check '{field}' in the credential."],
	'CALL_REFUSED/415': [STATUS, "Check 'SOAP Version' in the credential."],
	'ACCESS_REFUSED/403': [
		STATUS,
		`The consent probably does not cover this call: check 'Scopes' in the credential, then ${LOG_IN_AGAIN}. If it does, check 'Subscription Key'.`,
	],
	NOT_FOUND: [STATUS, "Check '{field}' in the credential, and the values given."],
	'NOT_FOUND/service': [
		STATUS,
		"Check '{field}' in the credential, and 'Service', if the operation has it.",
	],
	RATE_LIMITED: [
		STATUS,
		"The service asks to slow down. Limit 'Concurrency' in the node's options, or 'Requests per Second' in the credential.",
	],
	'RATE_LIMITED/quota': [STATUS, QUOTA_USED],
	UNAVAILABLE: [STATUS, 'The service is not available at the moment.'],
	SERVICE_ERROR: [STATUS, 'The service reported an internal error.'],
	STATUS_UNKNOWN: [
		STATUS,
		'Only an answer with HTTP 200 has a result; the meaning of this one is unknown.',
	],
	'NOT_FOUND/subject': [
		"{name} was not found, or 'REST Address' in the credential is wrong",
		"The payroll service answered with HTTP 404. Check the values given; if they are right, correct 'REST Address' in the credential.",
		{ httpStatus: 404 },
	],
	TOKEN_REJECTED: [
		'The payroll service does not accept the access token',
		CHECK_TOKEN,
		{ httpStatus: 401 },
	],
	'TOKEN_REJECTED/fresh': [
		'The payroll service does not accept the access token',
		`The token was just renewed, but it was still rejected. ${CHECK_TOKEN}`,
		{ httpStatus: 401 },
	],
	'ACCESS_REFUSED/401': ['The payroll service refused access', '{advice}', { httpStatus: 401 }],

	// SOAP faults.
	'TOKEN_REJECTED/fault': [
		'{fault}',
		`The payroll service refused the call. If it means the access token, check 'Subscription Key' and 'Scopes' in the credential, then ${LOG_IN_AGAIN}. Otherwise, correct the values.`,
	],
	FAULT_REFUSED: ['{fault}', 'The payroll service refused the call. Correct the values.'],
	FAULT_CODED: ['{code}: {fault}', '{advice}'],
	FAULT_UNCLEAR: [
		'{fault}',
		'The payroll service failed while it handled the call. Check the values.',
	],

	// Requests without an answer. `peer` is the payroll service or the identity server.
	NOT_REACHED: [
		'The {peer} refused the connection',
		"Check '{field}' in the credential, and whether the service is available.",
	],
	'NOT_REACHED/name': [
		'The {peer} was not found',
		"Check '{field}' in the credential, and whether the service is available.",
	],
	CONNECTION_INSECURE: [
		'No secure connection to the {peer} could be made',
		"Its certificate was not accepted ({cause}). Check '{field}' in the credential.",
	],
	'CONNECTION_LOST/secure': [
		'The secure connection to the {peer} failed',
		"It could not be made, or it broke before the answer was complete ({cause}). Check '{field}' in the credential, and whether the service is available.",
	],
	CONNECTION_LOST: [
		'The connection to the {peer} broke',
		'It ended before the answer was complete ({cause}).',
	],
	REQUEST_FAILED: [
		'The request to the {peer} failed',
		"n8n could not carry it out. Check '{field}' in the credential, and whether n8n may reach that address.",
	],
	ANSWER_TIMEOUT: [
		'The {peer} did not answer in time',
		"The answer was not complete after {time}. Raise 'Timeout (Seconds)' in the node's options if that is expected.",
	],
	'ANSWER_TIMEOUT/list': [
		'The payroll service did not answer in time',
		'The list could not be read. Check whether the service is available, then open the list again.',
	],
	ANSWER_TOO_LARGE: [
		'The answer of the payroll service is too large',
		"It is larger than {bytes} bytes. Raise 'Response Size Limit (MiB)' in the node's options if that is expected.",
	],
	'ANSWER_TOO_LARGE/identity': [
		'The answer of the identity server is too large',
		"It is larger than {bytes} bytes. Check 'Identity Address' in the credential.",
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
	ANSWER_UNREADABLE: [
		UNREADABLE,
		"{reason}. Check 'SOAP Address', 'SOAP Namespace' and 'SOAP Version' in the credential.",
		READ,
	],
	'ANSWER_UNREADABLE/text': [UNREADABLE, 'It is the text {text}.', READ],
	'ANSWER_UNREADABLE/multipart': [
		UNREADABLE,
		'It is a multipart message (MTOM), which this node does not read. Ask the payroll provider to answer without MTOM.',
		READ,
	],
	'ANSWER_UNREADABLE/webPage': [
		UNREADABLE,
		"It is a web page. Check 'SOAP Address' in the credential.",
		READ,
	],
	'ANSWER_UNREADABLE/part': [
		'The payroll service sent something that cannot be read',
		'{reason}.',
		READ,
	],
	'ANSWER_UNREADABLE/characters': [
		'The answer of the payroll service cannot be decoded',
		'It is not valid in the character set that it declares. Ask the payroll provider: this is an error of the service.',
		READ,
	],
	'ANSWER_UNREADABLE/page': [NOT_JSON, "{reason} Check 'REST Address' in the credential.", READ],
	'ANSWER_UNREADABLE/pageText': [NOT_JSON, `It is not JSON. ${SERVICE_SAYS}{text}`, READ],
	'ANSWER_TOO_LARGE/parts': [
		UNREADABLE,
		'It has more than {limit}. Request less data at once.',
		READ,
	],
	FILE_UNUSABLE: [
		NO_FILE,
		"{reason} Check 'File Content In' and 'File Content Is' in the node's options.",
		READ,
	],
	'FILE_UNUSABLE/otherText': [
		NO_FILE,
		"The service sent {text} in its place. If that is the file, choose Text under 'File Content Is' in the node's options.",
		READ,
	],
	'FILE_UNUSABLE/notStored': [
		'n8n could not store the file of the answer',
		'n8n said: {reason}.',
		READ,
	],
	'FILE_UNUSABLE/notKept': [
		'An earlier try of this run got a file, which was not kept',
		"n8n keeps files in memory here, and only one that it stores can be used again. The call is not sent again, since it may change something: if it only reads, add the option 'Only Reads'. Otherwise start a new execution.",
	],
	WRITTEN_OTHERWISE: [
		'The payroll service has other values than were written',
		"{difference} 'Verify' read this after the change. Correct what differs in the payroll service.",
	],
	NOT_CHANGED: [
		'The payroll service answered with success, and still has what it had',
		"'Verify' read the records {when}. The change may still arrive: a retry of this execution reads them again, and sends nothing.",
	],
	WRITE_UNCONFIRMED: [
		'The payroll service did not confirm the change: {got}',
		'Its answer is not the one that is specified for a success. Look up in the documentation of the service what it means.',
		READ,
	],

	// Lists and descriptions.
	'SERVICE_ERROR/page': [
		`${REPORTED}{said}`,
		'It answered with HTTP 200, so the page may have been read only in part. Look up the error in the documentation of the service.',
		{ ...READ, isQuote: true, isTransient: false },
	],
	'LIST_INCOMPLETE/noList': [
		'The payroll service sent a page without a list in it',
		"Expected a list, or an object that holds exactly one list. Check 'REST Address' in the credential.",
		READ,
	],
	LIST_INCOMPLETE: [
		'The list of the payroll service is not complete',
		"{contradiction} If the list changed while it was being read, run the node again, or raise 'Page Size' in the node's options so that the list fits on one page. Otherwise check 'First Page'.",
		MAY_PASS,
	],
	'LIST_INCOMPLETE/whole': [
		'The list of the payroll service is not complete',
		"{contradiction} So the list has pages: turn off 'Not Paged'. If its pages have other parameters than pageNumber and pageSize, enter them under 'Parameters', and turn off 'Return All'.",
	],
	'LIST_INCOMPLETE/repeats': [
		'The payroll service sent the same record on two pages',
		"The list changed while it was being read, has no fixed order, or the service ignores the page number, so that others may be missing. If this happens again, raise 'Page Size' in the node's options so that the list fits on one page. A list that the service sends at once is read by Other List with 'Not Paged'.",
		MAY_PASS,
	],
	'LIST_INCOMPLETE/endless': [
		'The list of the payroll service does not end',
		"It did not end after {limit}. If it is that long, read it in parts, with 'Limit' and 'First Page'. If the service sends fewer records on a page than were asked for, lower 'Page Size' in the node's options.",
	],
	DESCRIPTION_UNREADABLE: [
		NO_DESCRIPTION,
		`{reason}. Check 'Service', 'SOAP Address' and 'SOAP Namespace' in the credential, and whether the service is available. ${BY_NAME}`,
	],
	'DESCRIPTION_UNREADABLE/404': [
		NO_DESCRIPTION,
		`{reason}. Check 'Service', and 'SOAP Address' in the credential. If both are right, the service has no description. ${BY_NAME}`,
	],
	'DESCRIPTION_UNREADABLE/answered': [NO_DESCRIPTION, `{reason}. {advice} ${BY_NAME}`],
	'DESCRIPTION_UNREADABLE/unanswered': [NO_DESCRIPTION, '{reason}. {advice}'],

	// The node and its operations.
	OPERATION_UNUSABLE: [
		'The service has no operation {name}',
		"Check 'Service', and choose the operation from the list again.",
	],
	'OPERATION_UNUSABLE/untyped': [
		'{name} cannot be called with typed parameters. {reason}',
		"Choose the operation 'By Name', and give its parameters as JSON.",
	],
	'OPERATION_UNUSABLE/customApiCall': [
		'This node does not run Custom API Call',
		"Use n8n's HTTP Request node with this credential. To call any other SOAP operation, use Other Operation: Call of Payroll Employee or Payroll Company.",
	],
	'OPERATION_UNUSABLE/unknown': [
		'The operation "{operation}" of "{resource}" is not known',
		'The workflow was probably made with another version of this package. Choose the resource and the operation again.',
	],
	'OPERATION_UNUSABLE/agent': [
		'The operation "{operation}" of "{resource}" cannot be used as a tool of an AI agent',
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
	'REDIRECTED/tokenEndpoint': [
		'The token endpoint of the identity server answers with a redirect (HTTP {status})',
		"n8n follows it when it renews the access token, so that another address may receive the refresh token. Enter the final address under 'Identity Address' in the credential.",
	],
	'UNDECIDED/noCompany': ['Not tried', "Enter a 'Company ID' to try the REST API."],
	'UNDECIDED/soapFailed': ['Not tried', 'Correct the SOAP calls first.'],
	'UNDECIDED/busy': [
		'The identity server is busy',
		'It is not known whether its token endpoint redirects. Check again later.',
	],
	'UNDECIDED/fault': [
		'The service answered with a fault that may be about employee 0: {fault}',
		"Without an 'Employee ID', Check asks for employee 0, who should not exist. Enter the ID of an employee who does, to find out.",
	],
	DESCRIPTIONS_DIFFER: [
		'The payroll service describes operations of this package differently',
		'{differences}. Check the workflows that use these operations, and look for a new version of this package.',
	],
	REVOCATION_FAILED: [
		'The identity server did not revoke the token (HTTP {status})',
		"Check 'Identity Address', 'Client ID' and 'Client Secret' in the credential, and whether the server is available. A redirect is not followed.",
	],
	'REVOCATION_FAILED/renewed': [
		'The tokens were renewed repeatedly while they were being revoked',
		'Stop the workflows that use the credential before you revoke it.',
	],
	UNEXPECTED: [
		'Unexpected error: {message}',
		'This is a bug of the node, please report it. If n8n logs errors, its log has the details.',
	],
} as const satisfies Readonly<{ [Name in Code | `${Code}/${string}`]?: Words }>;

export type Failure = keyof typeof failures;

/** The names of the facts in a text. */
type FactsIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | FactsIn<Rest> : never;

type Facts<F extends Failure> = [FactsIn<(typeof failures)[F][0 | 1]>] extends [never]
	? []
	: [facts: Readonly<Record<FactsIn<(typeof failures)[F][0 | 1]>, string | number>>];

/** Returns the error of a failure. @param facts what the names in braces stand for */
export function serviceError<F extends Failure>(failure: F, ...[facts]: Facts<F>): ServiceError {
	const known: Readonly<Record<string, string | number>> = facts ?? {};
	const [title, advice, fields]: Words = failures[failure];
	const [code] = failure.split('/') as [Code];
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name]));
	return new ServiceError(code, codes[code], fill(title), fill(advice), fields);
}

/** Returns the error for one that nobody expected: a bug of this package. It is the cause. */
export function unexpected(cause: unknown): ServiceError {
	return serviceError('UNEXPECTED', { message: messageOf(cause) }).with({ cause });
}
