/**
 * The two SOAP services of docs/dev/interface.md, section 4.3: turns a request's bytes into a reply.
 */
import type { IncomingMessage } from 'node:http';
import { describe, describedSchema } from './description.mts';
import { admit, expired, unauthorized, verify } from './gate.mts';
import { delay, html } from './http.mts';
import type { Reply } from './http.mts';
import type { RequestEntry } from './journal.mts';
import { ServiceException } from './operation.mts';
import type { Operation } from './operation.mts';
import { operations } from './operations.mts';
import type { Parts } from './sandbox.mts';
import type { Service } from './schemas.mts';
import * as write from './soap-reply.mts';
import type { SoapVersion } from './soap-reply.mts';
import { MalformedXml, readXml } from './xml.mts';
import type { XmlElement } from './xml.mts';

/** Noted of each request if none is validated, so that no test takes them all for valid. */
const NOT_VALIDATED = 'Not validated: the mode schemaValidation is off';

/** Answers one request to `/soap/v3/<service>.asmx`. */
export async function handleSoap(
	req: IncomingMessage,
	entry: RequestEntry,
	service: Service,
	parts: Parts,
): Promise<Reply> {
	const { connection, journal, modes } = parts;
	const namespace = `${connection.namespace}/${service}`;
	const url = new URL(req.url ?? '/', connection.url);
	if (req.method === 'GET') {
		const described = await handleDescription(req, service, url, parts);
		if (described) return described;
	}
	if (req.method !== 'POST') return notAllowed(service);
	const given = versionOf(req.headers['content-type'] ?? '');
	const version = modes.soapVersions === 'both' || modes.soapVersions === given ? given : undefined;
	const request = read(entry.body);
	const body = bodyOf(request);
	const known = body && Object.hasOwn(operations, body.name) && operations[body.name];
	if (body && known) journal.count('soapCalls', body.name);
	// Every request is checked and noted, also one that is refused for another reason.
	if (version) {
		entry.violations = modes.schemaValidation
			? await parts.validator.validate(service, entry.body)
			: [NOT_VALIDATED];
	}

	const refusal = await admit(req, parts);
	await parts.pace();
	if (refusal === 'expired' && modes.expiryAs === 'status') return expired();
	if (refusal === 'expired') {
		const type = 'System.UnauthorizedAccessException';
		const at = `PayrollService.Authorize(String accessToken)`;
		const message = write.serverTrace({ type, message: 'The access token is expired.', at });
		return write.soapFault(version ?? '1.1', 'InvalidSecurityToken', message);
	}
	if (refusal) return refusal;
	if (!version) return html(415, '<h1>415 - Unsupported Media Type</h1>');
	if (request instanceof MalformedXml) {
		return write.soapFault(version, 'Client', write.unreadable(request.message), 400);
	}
	const refused = misaddressed(req, { version, request, body, service, namespace, known });
	if (refused) return refused;
	const [violation] = entry.violations;
	if (violation !== undefined && violation !== NOT_VALIDATED) {
		return write.soapFault(version, 'Client', write.unreadable(violation));
	}
	if (!body || !known) throw new Error('A request without operation passed every check');
	return execute(request, { entry, version, body, namespace, operation: known, parts });
}

/** Answers a request for the service's description; gives nothing if it is for something else. */
async function handleDescription(
	req: IncomingMessage,
	service: Service,
	url: URL,
	{ connection, modes, identity }: Parts,
): Promise<Reply | undefined> {
	const found = /^\?(?:wsdl|xsd=(\d+))$/i.exec(url.search);
	if (!found) return undefined;
	const [, schema] = found;
	await delay(modes.latencyMs);
	if (modes.description === 'token' && (await verify(req, identity)) !== 'valid') {
		return unauthorized('The access token is missing or not valid.');
	}
	const options = {
		address: `${connection.url}${url.pathname}`,
		namespace: connection.namespace,
		drift: modes.descriptionDrift,
	};
	const own = Object.entries(operations)
		.filter(([, operation]) => operation.service === service)
		.map(([name, { documentation }]) => ({ name, documentation }));
	const body =
		schema === undefined
			? describe(service, own, options)
			: describedSchema(service, Number(schema), options);
	if (modes.description === 'none' || body === undefined) {
		return html(
			404,
			'<!DOCTYPE html><html lang="en"><h1>404 - File or directory not found.</h1></html>',
		);
	}
	return { status: 200, headers: { 'Content-Type': 'text/xml; charset=utf-8' }, body };
}

function execute(
	request: XmlElement,
	of: {
		entry: RequestEntry;
		version: SoapVersion;
		body: XmlElement;
		namespace: string;
		operation: Operation;
		parts: Parts;
	},
): Reply {
	const { entry, version, body, namespace, operation, parts } = of;
	const at = `${operation.service}.${body.name}(${operation.signature})`;
	try {
		const domain = domainOf(request, namespace);
		// docs/dev/interface.md, section 4.3, rule 4; no schema of an envelope can demand it.
		if (domain === undefined) entry.violations.push('AuthHeaderWithDomain is missing');
		if (domain !== parts.connection.domain) {
			const reason = 'The domain is unknown, or not open to this user.';
			return write.soapFault(version, 'Client', write.unrecognized(reason));
		}
		parts.journal.count('soapExecuted', body.name);
		const result = operation.run(parts.state, body, parts.modes);
		return write.soapResponse(version, { namespace, operation: body.name, result });
	} catch (error) {
		if (!(error instanceof ServiceException)) throw error;
		const { type, message } = error;
		return write.soapFault(version, 'Server', write.serverTrace({ type, message, at }));
	}
}

/** The fault for a request whose envelope, SOAPAction or operation is not this service's. */
function misaddressed(
	req: IncomingMessage,
	of: {
		version: SoapVersion;
		request: XmlElement;
		body: XmlElement | undefined;
		service: Service;
		namespace: string;
		known: Operation | '' | false | undefined;
	},
): Reply | undefined {
	const { version, request, body, service, namespace, known } = of;
	const expected = write.dialects[version].namespace;
	if (request.name !== 'Envelope' || request.namespace !== expected) {
		const reason =
			`Possible SOAP version mismatch: Envelope namespace ${request.namespace} was unexpected. ` +
			`Expecting ${expected}.`;
		return write.soapFault(version, 'VersionMismatch', write.unrecognized(reason));
	}
	const action = req.headers['soapaction'];
	const own = known && known.service === service && body?.namespace === namespace;
	if (version === '1.1' && (!own || action !== `"${namespace}/${body.name}"`)) {
		const reason = `Server did not recognize the value of HTTP Header SOAPAction: ${String(action)}.`;
		return write.soapFault(version, 'Client', write.unrecognized(reason));
	}
	const given = /;\s*action="?([^";]*)"?/i.exec(req.headers['content-type'] ?? '')?.[1];
	if (!own || (given !== undefined && given !== `${namespace}/${body.name}`)) {
		const reason =
			'Unable to handle request without a valid action parameter. Please supply a valid soap action.';
		return write.soapFault(version, 'Client', write.unrecognized(reason));
	}
	return undefined;
}

function versionOf(contentType: string): SoapVersion | undefined {
	const [type, ...parameters] = contentType.toLowerCase().split(';');
	const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
	if (charset && !/^charset="?utf-8"?$/.test(charset.trim())) return undefined;
	if (type?.trim() === 'text/xml') return '1.1';
	return type?.trim() === 'application/soap+xml' ? '1.2' : undefined;
}

function read(text: string): XmlElement | MalformedXml {
	try {
		return readXml(text);
	} catch (error) {
		if (error instanceof MalformedXml) return error;
		throw error;
	}
}

function bodyOf(request: XmlElement | MalformedXml): XmlElement | undefined {
	if (request instanceof MalformedXml) return undefined;
	const body = request.children.find(
		({ name, namespace }) => name === 'Body' && namespace === request.namespace,
	);
	return body?.children[0];
}

function domainOf(request: XmlElement, namespace: string): string | undefined {
	const header = request.children.find(({ name }) => name === 'Header');
	const own = (element: XmlElement) => element.namespace === namespace;
	return header?.children
		.find((element) => element.name === 'AuthHeaderWithDomain' && own(element))
		?.children.find((element) => element.name === 'Domain' && own(element))?.text;
}

/** The page of an address that only takes POST; its test form is for the local machine alone. */
function notAllowed(service: Service): Reply {
	const page =
		'<!DOCTYPE html><html lang="en"><head><title>405 - Method Not Allowed</title></head><body>' +
		`<h1>405 - HTTP verb used to access this page is not allowed.</h1><p>${service} ` +
		'takes SOAP requests by POST. <a href="?wsdl">Service description</a></p></body></html>';
	return html(405, page, { Allow: 'POST' });
}
