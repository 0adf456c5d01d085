import type { ICredentialDataDecryptedObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../errors/ServiceError';
import { BASE_ADDRESS } from './address';
import { derive, type TransportContext } from './context';

/** Name of the credential type of this package. */
export const CREDENTIAL = 'payrollOAuth2Api';

export type SoapVersion = '1.1' | '1.2';

/** The credential's field that a request's address comes from, by its label. */
export type AddressField = 'Identity Address' | 'REST Address' | 'SOAP Address';

/** What a credential holds of the connected account. */
export interface AccountTokens {
	readonly clientId: string;
	readonly accessToken: string | undefined;
	readonly refreshToken: string | undefined;
}

/** What the credential says about the service (docs/interface.md, sections 4 and 5), checked. */
export interface Connection extends AccountTokens {
	/** Base address of the identity server, without trailing slash. */
	readonly identityUrl: string;
	/** Base address of the REST API, without trailing slash. */
	readonly restUrl: string;
	/** Base address of the SOAP web services, without trailing slash. */
	readonly soapUrl: string;
	/** Root of the SOAP XML namespaces, without trailing slash. */
	readonly soapNamespace: string;
	readonly soapVersion: SoapVersion;
	/** Value of the `Domain` element of the SOAP header. */
	readonly domain: string;
	/** Value of the `X-Subscription-Key` header. */
	readonly subscriptionKey: string;
	/** Whether every write is refused. */
	readonly readOnly: boolean;
	/** How many requests a second all calls of the credential may make; `undefined` for no limit. */
	readonly requestsPerSecond: number | undefined;
	/** The access token stored when the connection was read. */
	readonly accessToken: string;
	/** What nobody may read, for taking it out of texts. */
	readonly secrets: readonly string[];
}

/**
 * Set by n8n 2 in a credential that it makes up, where its AI builder evaluates a workflow that has
 * none. n8n then answers every request of the node itself, and sends none.
 */
const MADE_UP = '__evalMockedCredential';

/**
 * Taken in place of a credential that n8n makes up, whose addresses are empty. Nothing could reach
 * anyone with it, even if it were sent: no host has a name that ends with `.invalid` (RFC 6761).
 */
const STAND_IN: ICredentialDataDecryptedObject = {
	clientId: 'evaluated-client',
	clientSecret: 'evaluated-secret',
	subscriptionKey: 'evaluated-key',
	domain: 'evaluated-domain',
	identityUrl: 'https://payroll.invalid',
	restUrl: 'https://payroll.invalid',
	soapUrl: 'https://payroll.invalid',
	soapNamespace: 'https://payroll.invalid/soap/v3',
	soapVersion: '1.1',
	dependsOnItem: false,
	oauthTokenData: {
		// A JSON web token that expires in the year 2100, so that nothing renews it.
		access_token: `e30.${Buffer.from('{"exp":4102444800}').toString('base64url')}.e30`,
		refresh_token: 'evaluated-refresh-token',
	},
};

/** The node's credential as it is at this moment; read anew at every call. */
export async function readCredential(
	context: TransportContext,
): Promise<ICredentialDataDecryptedObject> {
	const data = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	return data[MADE_UP] === true ? STAND_IN : data;
}

/** Control characters, lone surrogates and what XML cannot carry. */
const NOT_PLAIN = /[^\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

function refuse(field: string, expected: string): never {
	throw new ServiceError('credential', `The credential's ${field} is not usable`, {
		description: `Open the credential and correct '${field}': ${expected}.`,
	});
}

function text(data: ICredentialDataDecryptedObject, name: string, field: string): string {
	const value = data[name];
	const trimmed = typeof value === 'string' ? value.trim() : '';
	if (trimmed === '') refuse(field, 'it is empty');
	return trimmed;
}

/** A value that stands in an HTTP header or in XML: no control characters, so no way to inject one. */
function plainText(data: ICredentialDataDecryptedObject, name: string, field: string): string {
	const value = text(data, name, field);
	if (NOT_PLAIN.test(value)) refuse(field, 'it holds a line break or another control character');
	return value;
}

function headerText(data: ICredentialDataDecryptedObject, name: string, field: string): string {
	const value = plainText(data, name, field);
	if (/[^\x20-\x7e]/.test(value))
		refuse(field, 'it holds a character that an HTTP header cannot carry');
	return value;
}

/** A namespace stands in a quoted header and in an XML attribute: nothing that could leave either. */
function namespaceUri(data: ICredentialDataDecryptedObject, name: string, field: string): string {
	const value = headerText(data, name, field);
	if (/[\s"<>\\^`{|}]/.test(value)) refuse(field, 'expected an address, without quotes or blanks');
	return value.replace(/\/+$/, '');
}

function address(data: ICredentialDataDecryptedObject, name: string, field: string): string {
	const value = text(data, name, field);
	if (/[\s\p{C}]/u.test(value))
		refuse(field, 'it holds a blank, a line break or another invisible character');
	if (/[?#@]/.test(value)) {
		refuse(field, 'expected a base address without user name, query or fragment');
	}
	if (!BASE_ADDRESS.test(value) || !URL.canParse(value)) {
		refuse(
			field,
			'expected an address such as https://api.example.com; plain http is only accepted for this machine',
		);
	}
	const url = new URL(value);
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** The lowest limit: a request in 100 seconds. */
const LOWEST_RATE = 0.01;

/** A number, or `undefined` for an empty field or 0; an expression may give it as a text. */
function rate(
	data: ICredentialDataDecryptedObject,
	name: string,
	field: string,
): number | undefined {
	const value = data[name];
	const given = typeof value === 'string' ? value.trim() : (value ?? '');
	if (given === '') return undefined;
	const number = typeof given === 'string' ? Number(given) : given;
	if (number === 0) return undefined;
	if (typeof number !== 'number' || !(number >= LOWEST_RATE && number < Infinity)) {
		refuse(field, `expected a number of at least ${LOWEST_RATE}, or nothing for no limit`);
	}
	return number;
}

/** The error of a credential without tokens. */
export function notConnected(): ServiceError {
	return new ServiceError('credential', 'The credential is not connected', {
		description: 'Open the credential, connect the account and give consent.',
	});
}

/** A switch of the credential; an expression may give its value as a text. */
function isOn(data: ICredentialDataDecryptedObject, name: string, field: string): boolean {
	const value = data[name] ?? false;
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	return refuse(field, 'expected true or false');
}

/**
 * A context in which the credential's expressions are evaluated for one input item, also where n8n
 * itself reads the credential to sign a request or to renew a token.
 */
export function atItem(context: IExecuteFunctions, item: number): IExecuteFunctions {
	const getCredentials: IExecuteFunctions['getCredentials'] = async (type) =>
		await context.getCredentials(type, item);
	return derive(context, { getCredentials });
}

/**
 * Whether a credential may have other values for other input items. Where it does not say so (an
 * n8n that does not evaluate the hidden field), it may.
 */
export function dependsOnItem(data: ICredentialDataDecryptedObject): boolean {
	return data.dependsOnItem !== false;
}

/**
 * Makes the base of every call from the data of the node's credential.
 *
 * @throws {ServiceError} naming the credential's field and what was expected, or that the account
 * is not connected yet.
 */
export function toConnection(data: ICredentialDataDecryptedObject): Connection {
	const { clientId, accessToken, refreshToken } = tokensOf(data);
	if (accessToken === undefined) throw notConnected();
	const soapVersion = data.soapVersion;
	if (soapVersion !== '1.1' && soapVersion !== '1.2') refuse('SOAP Version', 'expected 1.1 or 1.2');
	return {
		identityUrl: address(data, 'identityUrl', 'Identity Address'),
		restUrl: address(data, 'restUrl', 'REST Address'),
		soapUrl: address(data, 'soapUrl', 'SOAP Address'),
		soapNamespace: namespaceUri(data, 'soapNamespace', 'SOAP Namespace'),
		soapVersion,
		domain: plainText(data, 'domain', 'Domain'),
		subscriptionKey: headerText(data, 'subscriptionKey', 'Subscription Key'),
		readOnly: isOn(data, 'readOnly', 'Read Only'),
		requestsPerSecond: rate(data, 'requestsPerSecond', 'Requests per Second'),
		clientId,
		accessToken,
		refreshToken,
		secrets: secretsOf(data),
	};
}

/**
 * A connection to another environment of the same service.
 *
 * @param domain the Domain of that environment
 * @throws {ServiceError} where it is empty or has a character that XML cannot carry
 */
export function withDomain(connection: Connection, domain: string): Connection {
	const trimmed = domain.trim();
	if (trimmed === '' || NOT_PLAIN.test(trimmed)) {
		throw new ServiceError('credential', 'The Domain of this item is not usable', {
			description: `Correct 'Domain' in the node's options: ${trimmed === '' ? 'it is empty for this item' : 'it holds a line break or another control character'}. Remove the option to use the Domain of the credential.`,
		});
	}
	return { ...connection, domain: trimmed, secrets: [...connection.secrets, trimmed] };
}

/** The tokens stored in the credential at this moment; read anew at every call. */
export async function readTokens(context: TransportContext): Promise<AccountTokens> {
	return tokensOf(await readCredential(context));
}

/** The tokens in a credential's data. */
export function tokensOf(data: ICredentialDataDecryptedObject): AccountTokens {
	return {
		clientId: typeof data.clientId === 'string' ? data.clientId : '',
		accessToken: accessTokenOf(data),
		refreshToken: fromTokenResponse(data, 'refresh_token'),
	};
}

/** The id of the credential that the node of this context uses. */
export function credentialIdOf(context: TransportContext): string {
	return context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
}

/** The access token in a credential's data, where there is one. */
export function accessTokenOf(data: ICredentialDataDecryptedObject): string | undefined {
	return fromTokenResponse(data, 'access_token');
}

/** A text of the stored token response (docs/interface.md, section 2), where it has such a one. */
export function fromTokenResponse(
	{ oauthTokenData: tokens }: ICredentialDataDecryptedObject,
	name: 'access_token' | 'refresh_token' | 'scope',
): string | undefined {
	if (typeof tokens !== 'object' || tokens === null) return undefined;
	const value = (tokens as IDataObject)[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The values of a credential that nobody may read. */
export function secretsOf(data: ICredentialDataDecryptedObject): string[] {
	const tokens = (['access_token', 'refresh_token'] as const).map((name) =>
		fromTokenResponse(data, name),
	);
	return [data.domain, data.subscriptionKey, data.appSecret, ...tokens].flatMap((value) =>
		typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [],
	);
}
