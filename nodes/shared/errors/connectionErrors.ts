/** Errors of *Connection: Check* and *Connection: Revoke*. */
import type { FailureKind } from './outcomes';
import { define, ServiceError } from './ServiceError';
import { sentences } from './words';

const FINAL_ADDRESS = "Enter the final address under 'Identity Address' in the credential.";

export const tokenEndpointRedirects = define(
	'TOKEN_ENDPOINT_REDIRECTS',
	'reading',
	(status: number) => [
		`The token endpoint of the identity server answers with a redirect (HTTP ${status})`,
		`n8n follows it when it renews the access token, so that another address may receive the refresh token. ${FINAL_ADDRESS}`,
	],
);

export const tokenEndpointBusy = define('TOKEN_ENDPOINT_BUSY', 'reading', () => [
	'The identity server is busy',
	'It is not known whether its token endpoint redirects. Check again later.',
]);

/** @param differences sentences without their full stops */
export const descriptionsDiffer = define(
	'DESCRIPTIONS_DIFFER',
	'reading',
	(differences: readonly string[]) => [
		'The payroll service describes operations of this package differently',
		`${differences.join('. ')}. Check the workflows that use these operations, and look for a new version of this package.`,
	],
);

/** A question that was not asked. */
export function notTried(advice: string): ServiceError {
	return new ServiceError('NOT_TRIED', 'reading', 'Not tried', advice);
}

/** A fault to a call about an employee who should not exist. */
export const undecidedFault = (fault: ServiceError) =>
	fault.with({
		code: 'FAULT_UNDECIDED',
		message: `The service answered with a fault that may be about employee 0: ${fault.message}`,
		description:
			"Without an 'Employee ID', Check asks for employee 0, who should not exist. Enter the ID of an employee who does, to find out.",
		isTransient: false,
	});

function revocationAdvice(status: number): string {
	if (status >= 300 && status < 400) {
		return `Redirects are not followed, so that no other address receives a secret. ${FINAL_ADDRESS}`;
	}
	return status === 429 || status >= 500
		? 'The identity server is not available at the moment.'
		: "Check 'Identity Address', 'Client ID' and 'Client Secret' in the credential.";
}

/** An answer of the identity server whose HTTP status is not 200. @param kind of the status */
export function revocationRefused(kind: FailureKind, status: number): ServiceError {
	const [title, advice] = [
		`The identity server answered with HTTP ${status}`,
		revocationAdvice(status),
	];
	return new ServiceError('REVOCATION_REFUSED', kind, title, advice, { httpStatus: status });
}

export const revocationWebPage = define('REVOCATION_WEB_PAGE', 'unreadable', () => [
	'The identity server sent a web page instead of an answer',
	"Check 'Identity Address' in the credential.",
	{ httpStatus: 200 },
]);

/** @param error why the access token was not revoked, while the refresh token was */
export function partlyRevoked(error: ServiceError): ServiceError {
	const advice =
		'The refresh token was revoked, so the connection ends when the access token expires, at most an hour after it was issued.';
	return error.with({ kind: 'revokedInPart', description: sentences(advice, error.description) });
}

export const tokensKeepChanging = define('TOKENS_KEEP_CHANGING', 'revokedInPart', () => [
	'The tokens were renewed repeatedly while they were being revoked',
	'Stop the workflows that use the credential before you revoke it.',
]);
