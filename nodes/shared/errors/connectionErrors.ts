/** Errors of *Connection: Check* and *Connection: Revoke*. */
import type { FailureKind } from './outcomes';
import { define, ServiceError } from './ServiceError';

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

/** An answer of the identity server that does not say that a token was revoked. @param kind of its status */
export const notRevoked = (kind: FailureKind, httpStatus: number) =>
	new ServiceError(
		'REVOCATION_REFUSED',
		kind,
		`The identity server did not revoke the token (HTTP ${httpStatus})`,
		"Check 'Identity Address', 'Client ID' and 'Client Secret' in the credential, and whether the server is available. A redirect is not followed.",
		{ httpStatus },
	);

export const tokensKeepChanging = define('TOKENS_KEEP_CHANGING', 'revokedInPart', () => [
	'The tokens were renewed repeatedly while they were being revoked',
	'Stop the workflows that use the credential before you revoke it.',
]);
