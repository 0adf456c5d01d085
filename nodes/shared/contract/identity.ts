/** The endpoints of the identity server, docs/interface.md, section 4.1. */
import type { BooleanField, IntField, StringField } from './fields';
import { addressGetListCurrent, hourCodesGet } from './operations';
import type { Effect } from './soapOperation';

/** One call of the identity server that the package makes itself. */
export interface IdentityOperation {
	readonly method: 'GET' | 'POST';
	/** Below the identity server's base address. */
	readonly path: string;
	readonly effect: Effect;
}

/** Where the user logs in and gives consent. */
export const consentPath = '/connect/authorize';

/** Where a code or a refresh token is exchanged for tokens. */
export const tokenPath = '/connect/token';

export const discovery = {
	method: 'GET',
	path: '/.well-known/openid-configuration',
	effect: 'read',
} as const satisfies IdentityOperation;

/** Its method and shape are not specified (docs/interface.md, section 4.1); they are RFC 7009's. */
export const revocation = {
	method: 'POST',
	path: '/connect/revocation',
	effect: 'write',
} as const satisfies IdentityOperation;

/** The company that a check of the connection tries the REST API with. */
export const triedCompany = {
	...hourCodesGet.pathParameters.companyId,
	description: 'Company of which one hour code is read, to try the REST API. Not tried if empty.',
} as const satisfies StringField;

/** The employee that a check of the connection tries the SOAP services with. */
export const triedEmployee = {
	...addressGetListCurrent.request.EmployeeId,
	description:
		'Employee whose addresses are read, to try the SOAP services. If empty, employee 0 is asked for, and a refusal of that employee counts as an answer.',
} as const satisfies IntField;

/** What whoever revokes the connection has to confirm. */
export const revocationConfirmed = {
	kind: 'boolean',
	label: 'I Understand That the Connection Ends',
	description:
		'Whether to end the connection for every workflow that uses the credential. Turn it on here: neither an expression nor an AI model can.',
	hint: 'To use the credential again afterwards, open it and connect the account',
} as const satisfies BooleanField;
