/** The endpoints of the identity server (docs/dev/interface.md, section 4.1). */
import type { BooleanField, IntField, StringField } from './fields';
import { addressGetListCurrent, hourCodesGet } from './operations';
import type { Effect } from './soapOperation';

/** A call to the identity server that this package makes itself. */
export interface IdentityOperation {
	readonly method: 'GET' | 'POST';
	/** Path relative to the identity server's base address. */
	readonly path: string;
	readonly effect: Effect;
}

/** Path of the authorization endpoint, where the user logs in and gives consent. */
export const consentPath = '/connect/authorize';

/** Path of the token endpoint, which exchanges a code or a refresh token for tokens. */
export const tokenPath = '/connect/token';

export const discovery = {
	method: 'GET',
	path: '/.well-known/openid-configuration',
	effect: 'read',
} as const satisfies IdentityOperation;

/**
 * Revocation of tokens. The interface does not specify its method and format (docs/dev/interface.md,
 * section 4.1); they follow RFC 7009.
 */
export const revocation = {
	method: 'POST',
	path: '/connect/revocation',
	effect: 'write',
} as const satisfies IdentityOperation;

/** The company that the connection check calls the REST API with. */
export const triedCompany = {
	...hourCodesGet.pathParameters.companyId,
	description:
		'Company to read one hour code of, to try the REST API. If empty, the REST API is not tried.',
} as const satisfies StringField;

/** The employee that the connection check calls the SOAP services with. */
export const triedEmployee = {
	...addressGetListCurrent.request.EmployeeId,
	isKey: false,
	description:
		'Employee to read the addresses of, to try the SOAP services. If empty, the check asks for employee 0, and a refusal of that employee counts as an answer.',
} as const satisfies IntField;

/** The confirmation that revoking the connection requires. */
export const revocationConfirmed = {
	kind: 'boolean',
	label: 'I Understand That the Connection Ends',
	description:
		'Whether to end the connection for every workflow that uses the credential. Turn it on by hand: neither an expression nor an AI model can.',
	hint: 'To use the credential again afterwards, open it and connect the account',
} as const satisfies BooleanField;
