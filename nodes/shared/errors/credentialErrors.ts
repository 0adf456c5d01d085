/** Errors of the credential, and of the renewal of its access token. */
import { LOG_IN_AGAIN } from './advice';
import { define, ServiceError } from './ServiceError';

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
export const domainOfModel = define('DOMAIN_FROM_MODEL', 'credential', () => [
	"'Domain' in the node's options is an expression, which may depend on what an AI model writes",
	'For a tool of an AI agent, enter the Domain itself, or remove the option to use that of the credential.',
]);

const RECONNECT = 'The credential needs to be reconnected';

export const noRefreshToken = define('REFRESH_TOKEN_MISSING', 'renewal', () => [
	RECONNECT,
	`No refresh token is stored, so n8n cannot renew the access token. ${CONNECT_AGAIN}`,
]);

export const refreshTokenRefused = define('REFRESH_TOKEN_REFUSED', 'renewal', () => [
	RECONNECT,
	`The refresh token is no longer accepted: nothing ran for 30 days, the consent was withdrawn, or the token was used before (by another n8n, or before a backup was restored). ${CONNECT_AGAIN}`,
]);

/** Why a renewal failed, if the refresh token is not the reason: the code, and what to do. */
const RENEWALS = {
	invalid_client: [
		'RENEWAL_CLIENT_REFUSED',
		"The identity server does not accept the app: check 'Client ID' and 'Client Secret' in the credential.",
	],
	unauthorized_client: [
		'RENEWAL_CLIENT_NOT_ALLOWED',
		"The identity server does not allow the app to renew tokens: check 'Client ID' in the credential, and how the app was registered.",
	],
	invalid_scope: [
		'RENEWAL_SCOPES_REFUSED',
		`The identity server does not accept the scopes: check 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`,
	],
	busy: [
		'IDENTITY_SERVER_BUSY',
		'The identity server is busy, or not available at the moment. Nothing is wrong with the credential: run the workflow again later.',
	],
	unreached: [
		'IDENTITY_SERVER_UNREACHED',
		"The identity server could not be reached: check 'Identity Address' in the credential, and whether it is available.",
	],
	insecure: [
		'IDENTITY_SERVER_INSECURE',
		"The certificate of the identity server was not accepted: check 'Identity Address' in the credential.",
	],
	otherServer: [
		'IDENTITY_SERVER_UNKNOWN',
		"The answer does not look like that of an identity server: check 'Identity Address' in the credential.",
	],
	unexpected: [
		'RENEWAL_FAILED',
		"The identity server did not answer as expected. If this continues, check 'Identity Address', 'Client ID' and 'Client Secret' in the credential.",
	],
} as const;

/** Why a renewal failed: an OAuth error (RFC 6749, section 5.2), or one of the connection. */
export type RenewalCause = keyof typeof RENEWALS | 'invalid_grant';

/** A renewal that failed. */
export function notRenewed(cause: RenewalCause): ServiceError {
	if (cause === 'invalid_grant') return refreshTokenRefused();
	const [code, advice] = RENEWALS[cause];
	const isTransient = cause === 'busy' || cause === 'unexpected' || cause === 'unreached';
	const title = 'The access token could not be renewed';
	return new ServiceError(code, 'renewal', title, advice, { isTransient });
}

export const renewalTimeout = define('RENEWAL_TIMEOUT', 'renewal', () => [
	'The identity server did not answer in time',
	"The access token could not be renewed. Raise 'Timeout (Seconds)' in the node's options if that is expected.",
	{ isTransient: true },
]);
