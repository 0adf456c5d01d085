import type { Field, Fields, RecordField } from '../contract/fields';
import type { RequestOf, SoapOperation } from '../contract/operations';
import { at, collect, faulty, invalid, type InputError } from '../errors/InputError';
import { inWords, shown } from '../errors/words';
import type { Connection, SoapVersion } from '../transport/connection';
import { scalars } from './scalars';
import { escapeXml } from './xml';

/** What differs between SOAP 1.1 and 1.2 (docs/interface.md, section 4.3, rules 2 and 3). */
export const soapVersions = {
	'1.1': {
		prefix: 'soap',
		namespace: 'http://schemas.xmlsoap.org/soap/envelope/',
		contentType: 'text/xml; charset=utf-8',
	},
	'1.2': {
		prefix: 'soap12',
		namespace: 'http://www.w3.org/2003/05/soap-envelope',
		contentType: 'application/soap+xml; charset=utf-8',
	},
} as const satisfies Record<SoapVersion, unknown>;

/** The namespace of a service's elements. */
export function serviceNamespace(root: string, service: string): string {
	return `${root}/${service}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function writeChildren(fields: Fields, value: Readonly<Record<string, unknown>>): string {
	const names = Object.keys(fields);
	const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
	const children = collect([...unknown, ...names], (name) => {
		const own = Object.hasOwn(value, name) ? value[name] : undefined;
		const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
		if (field !== undefined) return writeElement(name, field, own);
		return at(name, () => {
			throw faulty(`is not a known field. Known are ${inWords(names)}.`);
		});
	});
	return children.join('');
}

/** The error for a value that is no record. */
export function notRecord({ fields }: RecordField, value: unknown): InputError {
	return invalid(`${shown(value)} is not an object with the fields ${inWords(Object.keys(fields))}.`);
}

/**
 * Writes the elements inside a record.
 *
 * @throws {InputError} with every value that the contract does not allow
 */
export function writeRecord(record: RecordField, value: unknown): string {
	if (!isObject(value)) throw notRecord(record, value);
	return writeChildren(record.fields, value);
}

function writeElement(name: string, field: Field, value: unknown): string {
	if (value === undefined || value === null) return '';
	return `<${name}>${at(name, () => writeContent(field, value))}</${name}>`;
}

function writeContent(field: Field, value: unknown): string {
	if (field.kind === 'record') return writeRecord(field, value);
	if (field.kind === 'list') {
		if (!Array.isArray(value)) throw invalid(`${shown(value)} is not a list.`);
		const [begin, end] = [`<${field.of.type}>`, `</${field.of.type}>`];
		// Joined, a row is one text at once: the pieces of thousands would all be kept until the end.
		const rows = collect(value, (row, i) =>
			[begin, at(i, () => writeRecord(field.of, row)), end].join(''),
		);
		return rows.join('');
	}
	return escapeXml(scalars[field.kind].write(value, field));
}

/** Writes the elements inside an operation's own one; see {@link writeEnvelope}. */
export function writeRequest<O extends SoapOperation>(operation: O, request: RequestOf<O>): string {
	return writeChildren(operation.request, request);
}

/** Puts a request's elements into their envelope (docs/interface.md, section 4.3, rules 2 to 5). */
export function wrapRequest(
	connection: Pick<Connection, 'domain' | 'soapNamespace' | 'soapVersion'>,
	operation: Pick<SoapOperation, 'service' | 'name'>,
	children: string,
): string {
	const { prefix, namespace } = soapVersions[connection.soapVersion];
	const service = escapeXml(serviceNamespace(connection.soapNamespace, operation.service));
	return (
		'<?xml version="1.0" encoding="utf-8"?>' +
		`<${prefix}:Envelope xmlns:${prefix}="${namespace}">` +
		`<${prefix}:Header><AuthHeaderWithDomain xmlns="${service}">` +
		`<Domain>${escapeXml(connection.domain)}</Domain>` +
		`</AuthHeaderWithDomain></${prefix}:Header>` +
		`<${prefix}:Body><${operation.name} xmlns="${service}">${children}</${operation.name}>` +
		`</${prefix}:Body></${prefix}:Envelope>`
	);
}

/**
 * Writes the envelope of a call (docs/interface.md, section 4.3, rules 2 to 5): elements in the
 * contract's order; a value not set (absent or `null`) gives no element, an empty text an empty one.
 *
 * @throws {InputError} with every value that the contract does not allow
 */
export function writeEnvelope<O extends SoapOperation>(
	connection: Pick<Connection, 'domain' | 'soapNamespace' | 'soapVersion'>,
	operation: O,
	request: RequestOf<O>,
): string {
	return wrapRequest(connection, operation, writeRequest(operation, request));
}
