/** Errors of what a builder set up: the credential, its tokens and its connection, and the node. */
import { LOG_IN_AGAIN } from './advice';
import { define, type FailureKind, ServiceError } from './ServiceError';

const CONNECT_AGAIN = `Open the credential. It still shows 'Account connected': ${LOG_IN_AGAIN}.`;

export const notConnected = define('CREDENTIAL_NOT_CONNECTED', 'credential', () => [
	'The credential is not connected',
	"Open the credential and connect the account: choose 'Connect' ('Connect my account' in an older n8n), log in and give consent.",
]);

export const readOnlyCredential = define('CREDENTIAL_READ_ONLY', 'readOnly', () => [
	'The credential is read-only',
	"Nothing was sent. To write with it, turn off 'Read Only' in the credential.",
]);

export const unusableField = define(
	'CREDENTIAL_FIELD_INVALID',
	'credential',
	(field: string, reason: string) => [
		`The credential's ${field} is not usable`,
		`Open the credential and correct '${field}': ${reason}.`,
	],
);

/** The Domain in the node's options. */
export const unusableDomain = define('DOMAIN_INVALID', 'credential', (reason: string) => [
	'The Domain of this item is not usable',
	`Correct 'Domain' in the node's options: ${reason}. Remove the option to use the Domain of the credential.`,
]);

/** A tool of an AI agent whose Domain is an expression. */
export const domainOfModel = define('DOMAIN_INVALID', 'credential', () => [
	"'Domain' in the node's options is an expression, which may depend on what an AI model writes",
	'For a tool of an AI agent, enter the Domain itself, or remove the option to use that of the credential.',
]);

const RECONNECT = 'The credential needs to be reconnected';

export const noRefreshToken = define('CREDENTIAL_NOT_CONNECTED', 'renewal', () => [
	RECONNECT,
	`No refresh token is stored, so n8n cannot renew the access token. ${CONNECT_AGAIN}`,
]);

export const refreshTokenRefused = define('CREDENTIAL_NOT_CONNECTED', 'renewal', () => [
	RECONNECT,
	`The refresh token is no longer accepted: nothing ran for 30 days, the consent was withdrawn, or the token was used before (by another n8n, or before a backup was restored). ${CONNECT_AGAIN}`,
]);

/** Why a renewal failed, if the refresh token is not the reason: what to do. */
const RENEWALS = {
	invalid_client:
		"The identity server does not accept the app: check 'Client ID' and 'Client Secret' in the credential.",
	unauthorized_client:
		"The identity server does not allow the app to renew tokens: check 'Client ID' in the credential, and how the app was registered.",
	invalid_scope: `The identity server does not accept the scopes: check 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`,
	busy: 'The identity server is busy, or not available at the moment. Nothing is wrong with the credential: run the workflow again later.',
	unreached:
		"The identity server could not be reached: check 'Identity Address' in the credential, and whether it is available.",
	insecure:
		"The certificate of the identity server was not accepted: check 'Identity Address' in the credential.",
	otherServer:
		"The answer does not look like that of an identity server: check 'Identity Address' in the credential.",
	unexpected:
		"The identity server did not answer as expected. If this continues, check 'Identity Address', 'Client ID' and 'Client Secret' in the credential.",
};

/** Why a renewal failed: an OAuth error (RFC 6749, section 5.2), or one of the connection. */
export type RenewalCause = keyof typeof RENEWALS | 'invalid_grant';

/** A renewal that failed. */
export function notRenewed(cause: RenewalCause): ServiceError {
	if (cause === 'invalid_grant') return refreshTokenRefused();
	const isTransient = cause === 'busy' || cause === 'unexpected' || cause === 'unreached';
	const usual = isTransient ? 'RENEWAL_FAILED' : 'RENEWAL_REFUSED';
	const code = cause === 'busy' ? 'IDENTITY_SERVER_BUSY' : usual;
	const title = 'The access token could not be renewed';
	return new ServiceError(code, 'renewal', title, RENEWALS[cause], { isTransient });
}

export const renewalTimeout = define('RENEWAL_FAILED', 'renewal', () => [
	'The identity server did not answer in time',
	"The access token could not be renewed. Raise 'Timeout (Seconds)' in the node's options if that is expected.",
	{ isTransient: true },
]);

const FINAL_ADDRESS = "Enter the final address under 'Identity Address' in the credential.";

export const tokenEndpointRedirects = define('REDIRECTED', 'reading', (status: number) => [
	`The token endpoint of the identity server answers with a redirect (HTTP ${status})`,
	`n8n follows it when it renews the access token, so that another address may receive the refresh token. ${FINAL_ADDRESS}`,
]);

export const tokenEndpointBusy = define('UNDECIDED', 'reading', () => [
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
	return new ServiceError('UNDECIDED', 'reading', 'Not tried', advice);
}

/** A fault to a call about an employee who should not exist. */
export const undecidedFault = (fault: ServiceError) =>
	fault.with({
		code: 'UNDECIDED',
		message: `The service answered with a fault that may be about employee 0: ${fault.message}`,
		description:
			"Without an 'Employee ID', Check asks for employee 0, who should not exist. Enter the ID of an employee who does, to find out.",
		isTransient: false,
	});

/** An answer of the identity server that does not say that a token was revoked. @param kind of its status */
export const notRevoked = (kind: FailureKind, httpStatus: number) =>
	new ServiceError(
		'REVOCATION_FAILED',
		kind,
		`The identity server did not revoke the token (HTTP ${httpStatus})`,
		"Check 'Identity Address', 'Client ID' and 'Client Secret' in the credential, and whether the server is available. A redirect is not followed.",
		{ httpStatus },
	);

export const tokensKeepChanging = define('REVOCATION_FAILED', 'revokedInPart', () => [
	'The tokens were renewed repeatedly while they were being revoked',
	'Stop the workflows that use the credential before you revoke it.',
]);

/** n8n's own operation, which refers to its HTTP Request node. */
export const customApiCall = define('OPERATION_UNUSABLE', 'reading', () => [
	'This node does not run Custom API Call',
	"Use n8n's HTTP Request node with this credential. To call any other SOAP operation, use Other Operation: Call of Payroll Employee or Payroll Company.",
]);

export const unknownOperation = define(
	'OPERATION_UNUSABLE',
	'reading',
	(operation: string, resource: string) => [
		`The operation "${operation}" of "${resource}" is not known`,
		'The workflow was probably made with another version of this package. Choose the resource and the operation again.',
	],
);

export const notForAgents = define(
	'OPERATION_UNUSABLE',
	'reading',
	(operation: string, resource: string) => [
		`The operation "${operation}" of "${resource}" cannot be used as a tool of an AI agent`,
		'Run it in a workflow, without an AI agent.',
	],
);

/** A tool of an AI agent whose values are the columns of input items. */
export const inputOfAgent = define('OPERATION_UNUSABLE', 'reading', () => [
	'A tool of an AI agent cannot read columns of input items',
	"They would be those of the agent. Map each column manually, or choose another way than 'From Input Items', and let the model define the values.",
]);

/** A list of operations, or their parameters, without the name of a service. */
export const unusableService = define('OPERATION_UNUSABLE', 'reading', () => [
	"Choose a 'Service' first",
	'Expected the name of a service, such as DebtorService. If it is an expression, execute the previous nodes, so that the editor can evaluate it.',
]);

export const listTimeout = define('ANSWER_TIMEOUT', 'reading', () => [
	'The payroll service did not answer in time',
	'The list could not be read. Check whether the service is available, then open the list again.',
]);
