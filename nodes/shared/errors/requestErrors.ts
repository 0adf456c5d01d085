/** Errors of requests without an answer, or that the service refuses. */
import type { FailureKind } from './outcomes';
import { ServiceError } from './ServiceError';

/** The recipient of a request, by the field of its address. */
function peerOf(field: string): string {
	return field === 'Identity Address' ? 'identity server' : 'payroll service';
}

/** @param field the field of the credential with the address of the request; also below */
export function connectionRefused(field: string): ServiceError {
	return new ServiceError(
		'CONNECTION_REFUSED',
		'unreached',
		`The ${peerOf(field)} refused the connection`,
		`Check '${field}' in the credential, and whether the service is available.`,
		{ isTransient: true },
	);
}

export function hostNotFound(field: string): ServiceError {
	return new ServiceError(
		'HOST_NOT_FOUND',
		'unreached',
		`The ${peerOf(field)} was not found`,
		`Check '${field}' in the credential, and whether the service is available.`,
		{ isTransient: true },
	);
}

/** @param code Node.js' code of the error; also below */
export function insecureConnection(field: string, code: string): ServiceError {
	return new ServiceError(
		'CONNECTION_INSECURE',
		'insecure',
		`No secure connection to the ${peerOf(field)} could be made`,
		`Its certificate or encryption was not accepted (${code}). Check '${field}' in the credential.`,
	);
}

export function connectionLost(field: string, code: string): ServiceError {
	return new ServiceError(
		'CONNECTION_LOST',
		'broken',
		`The connection to the ${peerOf(field)} broke`,
		`It ended before the answer was complete (${code}).`,
		{ isTransient: true },
	);
}

/** A request that n8n could not carry out, for example since it may not reach the address. */
export function requestFailed(field: string): ServiceError {
	return new ServiceError(
		'REQUEST_FAILED',
		'notCarriedOut',
		`The request to the ${peerOf(field)} failed`,
		`n8n could not carry it out. Check '${field}' in the credential.`,
	);
}

export function answerTimeout(field: string, seconds: number): ServiceError {
	return new ServiceError(
		'ANSWER_TIMEOUT',
		'broken',
		`The ${peerOf(field)} did not answer in time`,
		`The answer was not complete after ${seconds} seconds. Raise 'Timeout (Seconds)' in the node's options if that is expected.`,
		{ isTransient: true },
	);
}

export function answerTooLarge(field: string, bytes: number): ServiceError {
	return new ServiceError(
		'ANSWER_TOO_LARGE',
		'tooLarge',
		`The answer of the ${peerOf(field)} is too large`,
		`It is larger than ${bytes} bytes. Raise 'Response Size Limit (MiB)' in the node's options if that is expected.`,
	);
}

/** A call of an earlier run of the node, in which n8n was killed. */
export function runKilled(): ServiceError {
	return new ServiceError(
		'RUN_KILLED',
		'interrupted',
		'n8n stopped in the middle of this run',
		'It is not known what was applied before, so nothing is sent. Start a new execution for what is missing.',
	);
}

/** A recorded call that cannot be read, since another client secret encrypted it. */
export function clientSecretChanged(): ServiceError {
	return new ServiceError(
		'CLIENT_SECRET_CHANGED',
		'interrupted',
		'The client secret has changed since this call was recorded',
		'It is not known whether the change was applied, so nothing is sent. Look it up at the service, and start a new execution for what is missing.',
	);
}

/** A call that was under way when n8n stopped its run. */
export function callInterrupted(): ServiceError {
	return new ServiceError(
		'CALL_INTERRUPTED',
		'interrupted',
		'The run ended while the call was under way',
		'The execution was stopped before the payroll service had answered.',
	);
}

/** @param kind of the status, also below */
export function redirected(kind: FailureKind, status: number, field: string): ServiceError {
	return new ServiceError(
		'REDIRECTED',
		kind,
		`The payroll service answered with a redirect (HTTP ${status})`,
		`Redirects are not followed, so that no other address receives the access token. Enter the final address under '${field}' in the credential.`,
		{ httpStatus: status },
	);
}

/** The code and the advice for an HTTP status. */
function refusal(status: number, field: string): readonly [code: string, advice: string] {
	const unavailable = ['UNAVAILABLE', 'The service is not available at the moment.'] as const;
	const known: Readonly<Record<number, readonly [code: string, advice: string]>> = {
		400: ['BAD_REQUEST', 'The service could not read the request.'],
		403: [
			'FORBIDDEN',
			"The consent probably does not cover this call: check 'Scopes' in the credential and connect the account again. If it does, check 'Subscription Key'.",
		],
		404: ['NOT_FOUND', `Check '${field}' in the credential, and the values given.`],
		405: ['METHOD_NOT_ALLOWED', `Check '${field}' in the credential.`],
		415: ['MEDIA_TYPE_REFUSED', "Check 'SOAP Version' in the credential."],
		429: [
			'RATE_LIMITED',
			"The service asks to slow down. Limit 'Concurrency' in the node's options, or 'Requests per Second' in the credential.",
		],
		502: unavailable,
		503: unavailable,
		504: unavailable,
	};
	const other =
		status < 300
			? ([
					'STATUS_UNKNOWN',
					'Only an answer with HTTP 200 has a result; the meaning of this one is unknown.',
				] as const)
			: status < 500
				? (['CALL_REFUSED', 'The service refused the call.'] as const)
				: (['SERVICE_ERROR', 'The service reported an internal error.'] as const);
	return known[status] ?? other;
}

/** An answer whose HTTP status is neither 200 nor a redirect. */
export function refusedStatus(kind: FailureKind, status: number, field: string): ServiceError {
	const [code, advice] = refusal(status, field);
	const title = `The payroll service answered with HTTP ${status}`;
	const isTransient = status === 429 || status >= 500;
	return new ServiceError(code, kind, title, advice, { httpStatus: status, isTransient });
}

/** HTTP 404 for a list of a company. */
export function subjectNotFound(subject: string): ServiceError {
	return new ServiceError(
		'SUBJECT_NOT_FOUND',
		'refused',
		`${subject} was not found, or 'REST Address' in the credential is wrong`,
		"The payroll service answered with HTTP 404. Look up the identifier there; if it is right, correct 'REST Address' in the credential.",
		{ httpStatus: 404 },
	);
}

/** @param isFresh whether the token was renewed just before */
export function tokenRejected(isFresh: boolean): ServiceError {
	const fresh = isFresh ? 'The token was just renewed, but it was still rejected. ' : '';
	return new ServiceError(
		'TOKEN_REJECTED',
		'tokenRejected',
		'The payroll service does not accept the access token',
		`${fresh}Check 'Subscription Key' and 'Scopes' in the credential, then connect the account again.`,
		{ httpStatus: 401 },
	);
}

/** HTTP 401 with any token. @param advice on what the answer mentions */
export function accessRefused(advice: string): ServiceError {
	const title = 'The payroll service refused access';
	return new ServiceError('ACCESS_REFUSED', 'tokenRejected', title, advice, { httpStatus: 401 });
}

/** A SOAP fault that refuses the call. @param fault its own words */
export function faultRefused(fault: string): ServiceError {
	const advice = 'The payroll service refused the call. Correct the values.';
	return new ServiceError('FAULT_REFUSED', 'faultRefused', fault, advice);
}

/** A SOAP fault that does not say what was carried out. @param fault its own words */
export function faultUnclear(fault: string): ServiceError {
	const advice = 'The payroll service failed while it handled the call. Check the values.';
	return new ServiceError('FAULT_UNCLEAR', 'faultUnclear', fault, advice, { isTransient: true });
}
