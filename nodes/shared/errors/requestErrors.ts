/** Errors of requests without an answer, or that the service refuses. `field` has their address. */
import { adviceOnCode, LOG_IN_AGAIN, QUOTA_USED } from './advice';
import { define, type FailureKind, ServiceError } from './ServiceError';
import { formatDuration } from './words';

const FRESH = 'The token was just renewed, but it was still rejected. ';

/** The recipient of a request. */
const peerOf = (field: string) =>
	field === 'Identity Address' ? 'identity server' : 'payroll service';

/** What is known of a connection by Node.js' code of its error. */
type Failure = readonly [code: string, kind: FailureKind, title: string, advice: string];

/**
 * Returns the error of a request that has no answer. A certificate that is not accepted ends the connection
 * before the request is written. Any other error of TLS may come after that: the record of an answer can be
 * corrupt, and a server can end the connection with an alert (RFC 8446, section 6.2).
 *
 * @param cause Node.js' code of the error; empty if it has none
 */
export function noAnswer(cause: string, field: string): ServiceError {
	const peer = peerOf(field);
	const check = `Check '${field}' in the credential, and whether the service is available.`;
	const known: ReadonlyArray<readonly [causes: RegExp, failure: Failure]> = [
		[/^ECONNREFUSED$/, ['NOT_REACHED', 'unreached', `The ${peer} refused the connection`, check]],
		[/^(ENOTFOUND|EAI_AGAIN)$/, ['NOT_REACHED', 'unreached', `The ${peer} was not found`, check]],
		[
			/^(CERT_|CRL_|ERR_TLS_CERT_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_CERT_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/,
			[
				...(['CONNECTION_INSECURE', 'insecure'] as const),
				`No secure connection to the ${peer} could be made`,
				`Its certificate was not accepted (${cause}). Check '${field}' in the credential.`,
			],
		],
		[
			/^(EPROTO$|ERR_SSL_|ERR_TLS_)/,
			[
				...(['CONNECTION_LOST', 'broken'] as const),
				`The secure connection to the ${peer} failed`,
				`It could not be made, or it broke before the answer was complete (${cause}). ${check}`,
			],
		],
		[
			/^(E[A-Z]+|HPE_.*|Z_.*|ERR_STREAM_PREMATURE_CLOSE|ERR_NETWORK|ERR_BAD_RESPONSE)$/,
			[
				...(['CONNECTION_LOST', 'broken'] as const),
				`The connection to the ${peer} broke`,
				`It ended before the answer was complete (${cause}).`,
			],
		],
		[
			/^/,
			[
				...(['REQUEST_FAILED', 'notCarriedOut'] as const),
				`The request to the ${peer} failed`,
				`n8n could not carry it out. Check '${field}' in the credential, and whether n8n may reach that address.`,
			],
		],
	];
	const [, failure] = known.find(([causes]) => causes.test(cause)) ?? [];
	return new ServiceError(...(failure as Failure));
}

export const answerTimeout = define(
	'ANSWER_TIMEOUT',
	'broken',
	(field: string, seconds: number) => [
		`The ${peerOf(field)} did not answer in time`,
		`The answer was not complete after ${seconds} seconds. Raise 'Timeout (Seconds)' in the node's options if that is expected.`,
	],
);

export const answerTooLarge = define(
	'ANSWER_TOO_LARGE',
	'tooLarge',
	(field: string, bytes: number) => [
		`The answer of the ${peerOf(field)} is too large`,
		`It is larger than ${bytes} bytes. ${field === 'Identity Address' ? `Check '${field}' in the credential.` : "Raise 'Response Size Limit (MiB)' in the node's options if that is expected."}`,
	],
);

/** A call of an earlier run of the node, in which n8n was killed. */
export const runKilled = define('CALL_INTERRUPTED', 'interrupted', () => [
	'n8n stopped in the middle of this run',
	'n8n kept no record of this item, so nothing is sent for it. Look in the payroll service whether the change is there, and start a new execution with the items that are missing.',
]);

/** A recorded call that cannot be read, since another client secret encrypted it. */
export const clientSecretChanged = define('CALL_INTERRUPTED', 'interrupted', () => [
	'The client secret has changed since this call was recorded',
	'It is not known whether the change was applied, so nothing is sent. Look in the payroll service, and start a new execution if the change is missing.',
]);

/** A recorded call whose file n8n kept in the item, so that the record does not have it. */
export const fileNotKept = define('FILE_UNUSABLE', 'interrupted', () => [
	'An earlier try of this run got a file, which was not kept',
	"n8n keeps files in memory here, and only one that it stores can be used again. The call is not sent again, since it may change something: if it only reads, add the option 'Only Reads'. Otherwise start a new execution.",
]);

/** A change after one of the same employee or company whose outcome is unknown. */
export const earlierInDoubt = define('EARLIER_CHANGE_IN_DOUBT', 'notBegun', () => [
	'An earlier change of the same employee or company is in doubt',
	'It may still arrive, and would then undo this one. So this one was not sent. Look in the payroll service what stands there.',
]);

/** A call that was under way when n8n stopped its run. */
export const callInterrupted = define('CALL_INTERRUPTED', 'interrupted', () => [
	'The run ended while the call was under way',
	'The execution was stopped before the payroll service had answered.',
]);

/** @param kind of the status; @param target where the redirect leads, if it says so */
export const redirected = (kind: FailureKind, status: number, field: string, target = '') =>
	new ServiceError(
		'REDIRECTED',
		kind,
		`The payroll service answered with a redirect (HTTP ${status})`,
		`${target && `It leads to ${target}. `}Redirects are not followed, so that no other address receives the access token. Enter the final address under '${field}' in the credential.`,
		{ httpStatus: status },
	);

/** Returns the code and the advice for an HTTP status. */
function refusal(status: number, field: string): readonly [code: string, advice: string] {
	switch (status) {
		case 400:
			return ['CALL_REFUSED', 'The service reports a bad request. Check the values.'];
		case 403:
			return [
				'ACCESS_REFUSED',
				`The consent probably does not cover this call: check 'Scopes' in the credential, then ${LOG_IN_AGAIN}. If it does, check 'Subscription Key'.`,
			];
		case 404:
			return [
				'NOT_FOUND',
				`Check '${field}' in the credential, and ${field === 'SOAP Address' ? "'Service', if the operation has it" : 'the values given'}.`,
			];
		case 405:
			return ['CALL_REFUSED', `Check '${field}' in the credential.`];
		case 415:
			return ['CALL_REFUSED', "Check 'SOAP Version' in the credential."];
		case 429:
			return [
				'RATE_LIMITED',
				"The service asks to slow down. Limit 'Concurrency' in the node's options, or 'Requests per Second' in the credential.",
			];
		case 502:
		case 503:
		case 504:
			return ['UNAVAILABLE', 'The service is not available at the moment.'];
	}
	if (status >= 500) return ['SERVICE_ERROR', 'The service reported an internal error.'];
	if (status >= 300) return ['CALL_REFUSED', 'The service refused the call.'];
	const advice = 'Only an answer with HTTP 200 has a result; the meaning of this one is unknown.';
	return ['STATUS_UNKNOWN', advice];
}

/**
 * An answer whose HTTP status is neither 200 nor a redirect.
 *
 * @param kind of the status
 * @param pause milliseconds that the answer asks to wait, if it does
 */
export function refusedStatus(
	kind: FailureKind,
	status: number,
	field: string,
	pause?: number,
): ServiceError {
	// HTTP 403 with a pause limits the calls, as HTTP 429 does.
	const isQuota = status === 403 && pause !== undefined;
	const [code, usual] = refusal(isQuota ? 429 : status, field);
	const advice = isQuota ? QUOTA_USED : usual;
	const title = `The payroll service answered with HTTP ${status}`;
	const error = new ServiceError(code, kind, title, advice, { httpStatus: status });
	if (pause === undefined || pause === Infinity) return error;
	const description = `${advice} The service can be called again in ${formatDuration(pause)}.`;
	return error.with({ description, isTransient: true });
}

/** HTTP 404 for a list. @param name what to look up */
export const subjectNotFound = define('NOT_FOUND', 'statusRefusal', (name: string) => [
	`${name} was not found, or 'REST Address' in the credential is wrong`,
	"The payroll service answered with HTTP 404. Check the values given; if they are right, correct 'REST Address' in the credential.",
	{ httpStatus: 404 },
]);

/** @param isFresh whether the token was renewed just before */
export const tokenRejected = define('TOKEN_REJECTED', 'tokenRejected', (isFresh: boolean) => [
	'The payroll service does not accept the access token',
	`${isFresh ? FRESH : ''}Check 'Subscription Key' and 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`,
	{ httpStatus: 401 },
]);

/** HTTP 401 with any token. @param advice on what the answer mentions */
export const accessRefused = define('ACCESS_REFUSED', 'tokenRejected', (advice: string) => [
	'The payroll service refused access',
	advice,
	{ httpStatus: 401 },
]);

/** A SOAP fault that refuses the call, and names a token. @param fault its own words */
export const faultNamesToken = define('TOKEN_REJECTED', 'tokenRejected', (fault: string) => [
	fault,
	`The payroll service refused the call. If it means the access token, check 'Subscription Key' and 'Scopes' in the credential, then ${LOG_IN_AGAIN}. Otherwise, correct the values.`,
]);

/** A SOAP fault that refuses the call. @param fault its own words */
export const faultRefused = define('FAULT_REFUSED', 'faultRefused', (fault: string) => [
	fault,
	'The payroll service refused the call. Correct the values.',
]);

/** A SOAP fault with a code of the service. @param fault its own words */
export const faultCoded = define('FAULT_CODED', 'faultCoded', (fault: string, code: string) => [
	`${code}: ${fault}`,
	adviceOnCode(code),
	{ serviceCode: code },
]);

/** A SOAP fault that does not say what was carried out. @param fault its own words */
export const faultUnclear = define('FAULT_UNCLEAR', 'faultUnclear', (fault: string) => [
	fault,
	'The payroll service failed while it handled the call. Check the values.',
]);
