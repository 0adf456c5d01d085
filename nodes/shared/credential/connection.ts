/** The fields of the credential, read and validated. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { serviceError } from '../errors/ServiceError';
import { tokensOf } from '../host/requests';
import { isSlip } from '../values/kind';

const SOAP_VERSIONS = ['1.1', '1.2'] as const;

export type SoapVersion = (typeof SOAP_VERSIONS)[number];

/** Label of the credential field that holds the base address of a request. */
export type AddressField = 'Identity Address' | 'REST Address' | 'SOAP Address';

/** The validated settings of a credential. */
export type Connection = Readonly<ReturnType<typeof toConnection>>;

/**
 * Matches a base address: `https`, or plain `http` to this machine, followed by host and path. The pattern rejects the
 * start of a user name, query or fragment (`@ ? #`), characters that URL parsers skip or rewrite (whitespace, control
 * and format characters, `\`), and an ambiguous start of the host.
 *
 * The credential type embeds it in an expression, so its source must not contain two consecutive braces.
 */
export const BASE_ADDRESS =
	/^(?:https:\/\/[^\s\p{C}\\/?#@]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)(?:\/[^\s\p{C}\\?#@]*)?$/iu;

/** The slashes at the end of a text: the pattern begins at no other slash of several. */
const END_SLASHES = /(?<!\/)\/+$/;

/** What a field must not contain, and why. */
type Forbidden = ReadonlyArray<readonly [pattern: RegExp, reason: string]>;

/** Also lone surrogates. In a header or in XML, such characters allow injection. */
const NOT_IN_XML: Forbidden = [
	[
		/[^\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u,
		'it contains a line break or another control character',
	],
];
const NOT_IN_HEADER: Forbidden = [
	...NOT_IN_XML,
	[/[^\x20-\x7e]/, 'it contains a character that an HTTP header cannot carry'],
];
/** The namespace is in a quoted header and in an XML attribute: nothing may end either. */
const NOT_IN_NAMESPACE: Forbidden = [
	...NOT_IN_HEADER,
	[/[\s"<>\\^`{|}]/, 'expected an address without quotes or spaces'],
];
const NOT_IN_ADDRESS: Forbidden = [
	[/[\s\p{C}]/u, 'it contains a space, a line break or another invisible character'],
	[/[?#@]/, 'expected a base address without user name, query or fragment'],
];

/** Whether an address is below another one, also for a proxy that decodes it: `/pay-evil` is not below `/pay`. */
export function isBelow(address: string, base: string): boolean {
	const [{ origin, pathname }, own] = [new URL(address), new URL(base)];
	const path = pathname.replace(/%2e/gi, '.').replace(/%(?:2f|5c)/gi, '/');
	const start = own.pathname.replace(/\/$/, '');
	const isOwn = path === start || path.startsWith(`${start}/`);
	return origin === own.origin && isOwn && !/\/\.\.?(?:[/;]|$)/.test(path);
}

function refuseField(field: string, reason: string): never {
	throw serviceError('CREDENTIAL_FIELD_INVALID', { field, reason });
}

/** A text without surrounding whitespace, also of a number: an expression may give one. */
function fieldText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function faultOf(text: string, forbidden: Forbidden): string | undefined {
	return text === '' ? 'it is empty' : forbidden.find(([pattern]) => pattern.test(text))?.[1];
}

function readText(value: unknown, field: string, forbidden: Forbidden): string {
	const text = fieldText(value);
	const fault = faultOf(text, forbidden);
	return fault === undefined ? text : refuseField(field, fault);
}

/** What a complete address of a SOAP service has after its base address (docs/dev/interface.md, section 4.3). */
const SERVICE_PATH = /(?<=[^/])\/soap(?:\/v3(?:\/[\w.-]+\.asmx(?:\?wsdl)?)?)?$/i;

/**
 * What the namespace of a service has after the root (docs/dev/interface.md, section 4.3). The root itself may end in
 * another such name, `/PayrollService`.
 */
const SERVICE_NAME = /(?<=[^/:])\/+(?:Company|Employee)Service$/;

/** @param ending what may follow the base address, and is left out */
function readAddress(value: unknown, field: string, ending = /$/): string {
	const begin = fieldText(value).replace(END_SLASHES, '').replace(ending, '');
	const given = readText(begin, field, NOT_IN_ADDRESS);
	if (!BASE_ADDRESS.test(given) || !URL.canParse(given)) {
		const such = 'such as https://api.example.com; plain http is only accepted for this machine';
		refuseField(field, `expected an address ${such}`);
	}
	const url = new URL(given);
	const path = url.pathname.replace(END_SLASHES, '');
	// Resolved against the origin, such a path would be another host.
	if (path.includes('//')) refuseField(field, 'it has // after the host');
	return url.origin + path;
}

/** A shorter secret is not masked: it would be masked in words, too. */
export const MIN_SECRET_LENGTH = 8;

const QUOTED = String.raw`(?:"[^"\\{}\r\n]*"|'[^'\\{}\r\n]*')`;
const NAME = String.raw`(?!constructor\b|prototype\b|__)[A-Za-z_]\w*`;
/** A property, such as `.domain`, `?.domain` or `["my domain"]`. */
const PROPERTY = String.raw`(?:\??\.${NAME}|(?:\?\.)?\[(?!["'](?:constructor|prototype|__))${QUOTED}\])`;
const OPERAND = String.raw`\s*(?:\$(?:vars|secrets)${PROPERTY}+|${QUOTED}|\d+(?:\.\d+)?|true|false)\s*`;
const OPERATOR = String.raw`(?:\+|\|\||&&|\?\??|:|[=!]==?)`;
const CODE = `\\{\\{${OPERAND}(?:${OPERATOR}${OPERAND})*\\}\\}`;
/** Text outside of the braces; a backslash could hide one of them. */
const PLAIN = String.raw`(?:[^\\{]|\{(?!\{))`;

/**
 * An expression that has the same value for every item: text, `$vars`, `$secrets`, literals and operators between them.
 * Whatever else it contains does not match, however it is spelled.
 */
const SAME_FOR_ALL_ITEMS = new RegExp(`^=(?:${PLAIN}|${CODE})*$`);

/**
 * Validates the data of the node's credential (docs/dev/interface.md, sections 4 and 5). Addresses and the
 * namespace have no trailing slash.
 *
 * @throws {ServiceError} naming the unusable field and what it expects, or if the account is not connected
 * @throws {TypeError} if n8n did not evaluate the list of expressions
 */
export function toConnection(data: ICredentialDataDecryptedObject) {
	const { accessToken, ...tokens } = tokensOf(data);
	if (accessToken === undefined) throw serviceError('CREDENTIAL_NOT_CONNECTED');
	const expressions: unknown = data.expressions;
	if (!Array.isArray(expressions))
		throw new TypeError('n8n did not evaluate the expressions of the credential');
	// A run reads the credential once, for all of its items.
	const reason =
		"an expression may use $vars and $secrets alone. For a value that depends on the item, use the option 'Domain' of the node";
	for (const [field, expression] of expressions as ReadonlyArray<readonly [string, string]>) {
		if (!SAME_FOR_ALL_ITEMS.test(expression)) refuseField(field, reason);
	}
	const soapVersion = SOAP_VERSIONS.find((version) => version === data.soapVersion);
	if (soapVersion === undefined) refuseField('SOAP Version', 'expected 1.1 or 1.2');
	const namespace = readText(data.soapNamespace, 'SOAP Namespace', NOT_IN_NAMESPACE);
	// A credential stored without the field has it off. An expression that yields nothing leaves `undefined`.
	const readOnly = Object.hasOwn(data, 'readOnly') ? data.readOnly : false;
	if (typeof readOnly !== 'boolean') refuseField('Read Only', 'expected true or false');
	// An expression may return the number as a string.
	const given = data.requestsPerSecond ?? '';
	const rate = typeof given === 'string' || typeof given === 'number' ? Number(given) : NaN;
	if (rate !== 0 && !(rate >= 0.01 && rate < Infinity)) {
		const expected = 'expected a number of at least 0.01, or nothing for no limit';
		refuseField('Requests per Second', expected);
	}
	const { subscriptionKey, appSecret, clientSecret } = data;
	const secrets = [subscriptionKey, appSecret, clientSecret, accessToken, tokens.refreshToken];
	return {
		identityUrl: readAddress(data.identityUrl, 'Identity Address'),
		restUrl: readAddress(data.restUrl, 'REST Address'),
		soapUrl: readAddress(data.soapUrl, 'SOAP Address', SERVICE_PATH),
		/** Root of the SOAP XML namespaces. */
		soapNamespace: namespace.replace(END_SLASHES, '').replace(SERVICE_NAME, ''),
		soapVersion,
		/** Value of the `Domain` element of the SOAP header. */
		domain: readText(data.domain, 'Domain', NOT_IN_XML),
		subscriptionKey: readText(subscriptionKey, 'Subscription Key', NOT_IN_HEADER),
		/** Secret of the app; empty if the credential has none. */
		clientSecret: fieldText(appSecret),
		clientId: fieldText(data.clientId),
		readOnly,
		/** Of all calls with the credential in this process; `undefined` for no limit. */
		requestsPerSecond: rate || undefined,
		...tokens,
		accessToken,
		/** The values that are masked. */
		secrets: secrets.map(fieldText).filter(({ length }) => length >= MIN_SECRET_LENGTH),
	};
}

/**
 * Returns the connection to another environment of the same service.
 *
 * @throws {ServiceError} if the Domain is empty, what a failed formula leaves, or holds a character that XML cannot carry
 */
export function withDomain(connection: Connection, domain: string): Connection {
	const trimmed = domain.trim();
	const empty = trimmed === '' ? 'it is empty for this item' : undefined;
	const slip = isSlip(trimmed) ? 'it is what a failed formula or expression leaves' : empty;
	const fault = slip ?? faultOf(trimmed, NOT_IN_XML);
	if (fault !== undefined) throw serviceError('DOMAIN_INVALID', { reason: fault });
	return { ...connection, domain: trimmed };
}
