/** The texts of calls that fail, by what they are about. */
import { either, of, plain } from './cases';

const NOT_RENEWED = 'The access token could not be renewed';
const RECONNECT = 'The credential needs to be reconnected';
const CONNECT_AGAIN = 'Open the credential and connect the account again.';
const ANSWERED = 'The payroll service answered with HTTP {status}';
const TOKEN_REFUSED = 'The payroll service does not accept the access token';
const CHECK_ACCESS =
	"Check 'Subscription Key' and 'Scopes' in the credential, then connect the account again.";
const ACCESS_REFUSED = 'The payroll service refused access';
const fault = either('faultRefused', 'faultUnclear');
const access = either('tokenRejected', 'refused', 'faultRefused', 'faultUnclear');
const redirect = either('redirectUnprocessed', 'redirect');
const unavailable = either('unavailable', 'serverError');
const AVAILABLE = "Check '{field}' in the credential, and whether the service is available.";
const UNDECODABLE = 'It is not valid in the character set that it declares.';
const UNREADABLE = 'The payroll service gave no readable answer';
const BY_NAME = "Choose another operation, or call this one 'By Name'.";
const INCOMPLETE = 'The list of the payroll service is not complete';
const CHECK_PAGES = "Check 'Page Size' and 'First Page' in the node's options.";
const ONE_PAGE = "raise 'Page Size' in the node's options so that the list fits on one page";

export const callTexts = {
	credential: {
		invalidClient: of.renewal(`${NOT_RENEWED}
			The identity server does not accept the app: check 'Client ID' and 'Client Secret' in the credential.`),
		unauthorizedClient: of.renewal(`${NOT_RENEWED}
			The identity server does not allow the app to renew tokens: check 'Client ID' in the credential, and how the app was registered.`),
		invalidScope: of.renewal(`${NOT_RENEWED}
			The identity server does not accept the scopes: check 'Scopes' in the credential. ${CONNECT_AGAIN}`),
		unreached: of.renewal(`${NOT_RENEWED}
			The identity server could not be reached: check 'Identity Address' in the credential, and whether it is available.`),
		insecure: of.renewal(`${NOT_RENEWED}
			The certificate or encryption of the identity server was not accepted: check 'Identity Address' in the credential.`),
		otherServer: of.renewal(`${NOT_RENEWED}
			The answer does not look like that of an identity server: check 'Identity Address' in the credential.`),
		unexpected: of.renewal(`${NOT_RENEWED}
			The identity server did not answer as expected. If this continues, check 'Identity Address', 'Client ID' and 'Client Secret' in the credential.`),
		notConnected: of.credential(`The credential is not connected
			Open the credential, connect the account and give consent.`),
		readOnly: of.readOnly(`The credential is read-only
			Nothing was sent. To write with it, turn off 'Read Only' in the credential.`),
		noRefreshToken: of.renewal(`${RECONNECT}
			No refresh token is stored. ${CONNECT_AGAIN}`),
		spent: of.renewal(`${RECONNECT}
			The stored refresh token is no longer accepted: it was used before, it is older than 30 days, or the consent was withdrawn. ${CONNECT_AGAIN}`),
		field: of.credential(`The credential's {field} is not usable
			Open the credential and correct '{field}': {reason}.`),
		domain: of.credential(`The Domain of this item is not usable
			Correct 'Domain' in the node's options: {reason}. Remove the option to use the Domain of the credential.`),
		domainOfTool:
			of.credential(`'Domain' in the node's options is an expression, which may depend on what an AI model writes
			For a tool of an AI agent, enter the Domain itself, or remove the option to use that of the credential.`),
		slow: of.renewal(`The identity server did not answer in time
			The access token could not be renewed. Raise 'Timeout (Seconds)' in the node's options if that is expected.`),
	},
	/** A SOAP fault has its own text as the title. */
	refused: {
		noRecord: of.refused(`{subject} was not found, or 'REST Address' in the credential is wrong
			The payroll service answered with HTTP 404. Look up the identifier there; if it is right, correct 'REST Address' in the credential.`),
		redirect: redirect(`The payroll service answered with a redirect (HTTP {status})
			Redirects are not followed, so that no other address receives the access token. Enter the final address under '{field}' in the credential.`),
		badRequest: of.refused(`${ANSWERED}
			The service could not read the request.`),
		forbidden: of.refused(`${ANSWERED}
			The consent probably does not cover this call: check 'Scopes' in the credential and connect the account again. If it does, check 'Subscription Key'.`),
		notFound: of.refused(`${ANSWERED}
			Check '{field}' in the credential, and the values given.`),
		method: of.refused(`${ANSWERED}
			Check '{field}' in the credential.`),
		mediaType: of.refused(`${ANSWERED}
			Check 'SOAP Version' in the credential.`),
		busy: of.busy(`${ANSWERED}
			The service asks to slow down. Limit 'Concurrency' in the node's options, or 'Requests per Second' in the credential.`),
		status4: of.refused(`${ANSWERED}
			The service refused the call.`),
		unavailable: unavailable(`${ANSWERED}
			The service is not available at the moment.`),
		status5: of.serverError(`${ANSWERED}
			The service reported an internal error.`),
		status2: of.notSuccess(`${ANSWERED}
			Only an answer with HTTP 200 has a result; the meaning of this one is unknown.`),
		freshToken: of.tokenRejected(`${TOKEN_REFUSED}
			The token was just renewed, but it was still rejected. ${CHECK_ACCESS}`),
		token: of.tokenRejected(`${TOKEN_REFUSED}
			${CHECK_ACCESS}`),
		key: access(`${ACCESS_REFUSED}
			The answer mentions the subscription key: check 'Subscription Key' in the credential.`),
		scope: access(`${ACCESS_REFUSED}
			The answer mentions a scope: the consent probably does not cover this call. Choose the scopes that it needs under 'Scopes' in the credential, then connect the account again.`),
		domain: access(`${ACCESS_REFUSED}
			The answer mentions a domain: check 'Domain' in the credential, and whether the connected user has access to it.`),
		earlierPeriod: of.faultRefused(`{fault}
			If the period is before the company's current one, turn on 'Unprotected Mode' to insert the address anyway.`),
		operation: fault(`{fault}
			The service does not know the operation by this name: check 'SOAP Namespace' in the credential.`),
		operationName: fault(`{fault}
			The {service} does not know {name}: check 'Operation Name', and 'SOAP Namespace' in the credential. For an operation of the {other}, use the node {node}.`),
		otherService: fault(`{fault}
			{name} is an operation of the {other}: use the node {node}.`),
		version: fault(`{fault}
			The service expects another version of SOAP: change 'SOAP Version' in the credential.`),
		fault: of.faultRefused(`{fault}
			The payroll service refused the call. Correct the values.`),
		unclearFault: of.faultUnclear(`{fault}
			The payroll service failed while it handled the call. Check the values.`),
		noReason: plain(`The service gave no reason`),
	},
	noAnswer: {
		killed: of.interrupted(`n8n stopped in the middle of this run
			It is not known what was applied before, so nothing is sent. Start a new execution for what is missing.`),
		otherSecret: of.interrupted(`The client secret has changed since this call was recorded
			It is not known whether the change was applied, so nothing is sent. Look it up at the service, and start a new execution for what is missing.`),
		insecure: of.insecure(`No secure connection to the {peer} could be made
			Its certificate or encryption was not accepted ({code}). Check '{field}' in the credential.`),
		late: of.broken(`The {peer} did not answer in time
			The answer was not complete after {seconds} seconds. Raise 'Timeout (Seconds)' in the node's options if that is expected.`),
		refused: of.unreached(`The {peer} refused the connection
			${AVAILABLE}`),
		notFound: of.unreached(`The {peer} was not found
			${AVAILABLE}`),
		tooLarge: of.tooLarge(`The answer of the {peer} is too large
			It is larger than {bytes} bytes. Raise 'Response Size Limit (MiB)' in the node's options if that is expected.`),
		broken: of.broken(`The connection to the {peer} broke
			It ended before the answer was complete ({code}).`),
		failed: of.notCarriedOut(`The request to the {peer} failed
			n8n could not carry it out. Check '{field}' in the credential.`),
		stopped: of.interrupted(`The run ended while the call was under way
			The execution was stopped before the payroll service had answered.`),
	},
	answers: {
		charset: of.unreadable(`The answer of the payroll service cannot be decoded
			${UNDECODABLE}`),
		pageCharset: of.reading(`The page of the payroll service cannot be decoded
			${UNDECODABLE}`),
		webPage: of.unreadable(`${UNREADABLE}
			It is a web page. Check 'SOAP Address' in the credential.`),
		notSoap: of.unreadable(`${UNREADABLE}
			{reason}. Check 'SOAP Address', 'SOAP Namespace' and 'SOAP Version' in the credential.`),
		overLimit: of.unreadable(`${UNREADABLE}
			It has more than {limit} {what}. Request less data at once.`),
		notJson: of.reading(`The payroll service sent a page that cannot be read as JSON
			{reason} Check 'REST Address' in the credential.`),
		noList: of.reading(`The payroll service sent a page without a list in it
			Expected a list, or an object that holds exactly one list. Check 'REST Address' in the credential.`),

		empty: 'The answer is empty',
		holds: 'The answer holds {found}',
		noEnvelope: 'Expected a SOAP envelope, got <{name}>',
		bodies: 'Expected one Body in the SOAP envelope',
		bodyElements: 'Expected one element in the SOAP body, got {count}',
		response: 'Expected {operation}Response of {namespace}, got {name} of {other}',
		element: 'Expected {name}, got {other}',
		noValue: 'Expected a value in {name}, got none',
		nested: 'Expected a single value in {path}',
		row: 'Expected {row} in {path}, got {other}',
		namespace: 'Expected {path} of {namespace}, got one of "{other}"',
		twice: 'The answer contains the element {path} twice',
		type: '{path}: expected {expected}, got {text}',
		web: 'It is a web page.',
		noJson: 'It is not JSON.',
		depth: 'It is nested too deeply.',
		number: 'It holds a number that is too large.',
		prototype: 'It holds a field named "__proto__".',
		unknown: 'The reason is unknown',
	},
	descriptions: {
		untyped: of.notBegun(`{name} cannot be called with typed parameters. {reason}
			${BY_NAME}`),
		noOperation: of.notBegun(`The service has no operation {name}
			${BY_NAME}`),
		unreadable: of.notBegun(`The description of the {service} cannot be read
			{reason}. Choose the operation 'By Name' to call it without a description.`),

		otherDocument:
			'The address answers with {found} instead of a description of the service (WSDL)',
		none: 'There is no description of the service',
		namespace: `It is of the namespace {namespace}, and 'SOAP Namespace' in the credential gives {expected}`,
		holds: 'The description of the service holds {found}',
		documents: 'It has more than {count} documents',
		charset: 'It cannot be decoded',
	},
	lists: {
		changed: of.reading(`The list changed while it was being read
			Records were added, removed or moved, so that others may be missing. If this happens again, ${ONE_PAGE}.`),
		endless: of.reading(`The list of the payroll service does not end
			It did not end after {pages} pages. Raise 'Page Size' in the node's options if the list is that long.`),
		emptyPage: of.reading(`${INCOMPLETE}
			The service sent an empty page, but states that more pages follow. ${CHECK_PAGES}`),
		pages: of.reading(`${INCOMPLETE}
			The service stated {stated} pages, but sent {sent}. ${CHECK_PAGES}`),
		records: of.reading(`${INCOMPLETE}
			The service stated {stated} records, but sent {sent}. ${CHECK_PAGES}`),
		pageBefore: of.reading(`${INCOMPLETE}
			The service states that there is a page before the first one that was read. ${CHECK_PAGES}`),
		sameRecord: of.reading(`The payroll service sent the same record on two pages
			The list changed while it was being read, has no fixed order, or the service ignores the page number, so that other records may be missing. If this happens again, ${ONE_PAGE}.`),
	},
} as const;
