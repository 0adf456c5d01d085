/** Checks the values of a request and writes them as XML, in one walk: what is sent is what was checked. */
import {
	ATTRIBUTE,
	rowElement,
	TEXT,
	TYPE,
	type Field,
	type Fields,
	type RecordContent,
	type ScalarField,
} from '../contract/fields';
import type { Operation } from '../contract/operation';
import type { Connection, SoapVersion } from '../credential/connection';
import { collect, InputError, invalidInput, invalidValue, validated } from '../values/InputError';
import { joinNames } from '../errors/words';
import { instantOf, isXmlText, writeScalar } from '../values/scalars';
import { emptyValues, isObject, isSet, ownEntry, type Values } from '../values/values';
import { escapeXml, isXmlName, XSD, XSI } from './xml';

/** Escapes the value of an attribute, whose whitespace would otherwise be read back as blanks. */
function escapeAttribute(text: string): string {
	return escapeXml(text).replace(/["\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Writes the parts of a value one after the other. @throws {InputError} with the problems of all parts */
const writeParts = <K extends number | string>(
	keys: Iterable<K>,
	write: (key: K, index: number) => string,
): string => collect(keys, write, (key) => key).join('');

/** Returns a scalar of unknown type as text. @throws {InputError} if it is not a string, number, boolean or date */
function untypedText(value: unknown): string {
	if (typeof value === 'boolean') return String(value);
	return writeScalar({ kind: 'string' }, instantOf(value) ?? value);
}

/** Splits `{namespace}local`; `undefined` if it is malformed. */
function splitName(name: string, common: string): readonly [string, string] | undefined {
	const [, namespace = common, local = ''] = /^(?:\{(.+)\})?(.*)$/s.exec(name) ?? [];
	return isXmlName(local) && isXmlText(namespace) ? [namespace, local] : undefined;
}

/** @param bound the binding of the element's namespace */
function writeUntyped(name: string, value: unknown, bound: string): string {
	if (!isSet(value)) return '';
	if (!isObject(value)) return `<${name}${bound}>${escapeXml(untypedText(value))}</${name}>`;
	let [attributes, text] = ['', ''];
	const children = writeParts(Object.keys(value), (key, index) => {
		const inner = value[key];
		if (!key.startsWith(ATTRIBUTE) && key !== TEXT) return writeElements(key, inner);
		if (!isSet(inner)) return '';
		if (key === TEXT) text = escapeXml(untypedText(inner));
		else if (key === TYPE) {
			const type = typeof inner === 'string' ? splitName(inner, XSD) : undefined;
			if (!type) throw invalidValue(inner, 'is not the name of a type, such as dateTime.');
			attributes += ` xmlns:xsi="${XSI}" xmlns:t="${escapeAttribute(type[0])}" xsi:type="t:${type[1]}"`;
		} else {
			const [, xml = '', given = ''] = /^(xml:)?(.*)$/s.exec(key.slice(ATTRIBUTE.length)) ?? [];
			const split = splitName(given, '');
			if (!split) throw invalidValue(key, 'is not the name of an attribute, such as @Currency.');
			const [namespace, local] = split;
			const written = `${local}="${escapeAttribute(untypedText(inner))}"`;
			if (namespace === '') attributes += ` ${xml}${written}`;
			// Each prefix is bound on the element itself.
			else attributes += ` xmlns:a${index}="${escapeAttribute(namespace)}" a${index}:${written}`;
		}
		return '';
	});
	// JSON may name a namespace itself.
	const own = attributes.includes(' xmlns="') ? '' : bound;
	return `<${name}${own}${attributes}>${text}${children}</${name}>`;
}

/** Writes elements of unknown type: a list repeats the element, and null omits it. */
function writeElements(name: string, value: unknown, bound = ''): string {
	if (!isXmlName(name)) {
		throw invalidValue(name, 'is not the name of an XML element without a prefix.');
	}
	if (!Array.isArray(value)) return writeUntyped(name, value, bound);
	return writeParts(value.keys(), (i) => writeUntyped(name, value[i], bound));
}

/** Takes a value as it is meant, in the place of the given one. */
type Keep = (meant: unknown) => void;

/** Returns the base64 of a value of the type base64Binary. @throws {InputError} if it has none */
export type BytesOf = (value: unknown) => unknown;

/**
 * Checks the values of a request, and writes the elements inside the operation's element, in the order of
 * its fields; of an open request in the order given. An unset value (absent or `null`) has no element, unless
 * it can be nil; an empty text has an empty element.
 *
 * @param service the namespace of the operation's element
 * @param meaningOf returns what a scalar is meant as. It may throw an {@link InputError}.
 */
export function writtenRequest(
	content: RecordContent,
	given: Readonly<Values>,
	service = '',
	meaningOf: (value: unknown, field: ScalarField) => unknown = (value) => value,
	bytesOf: BytesOf = (value) => value,
) {
	/** @param inherited the default namespace around the elements */
	const writeFields = (fields: Fields, given: unknown, inherited: string, keep: Keep): string => {
		const known = Object.keys(fields);
		if (!isObject(given)) {
			throw invalidValue(given, `is not an object with the fields ${joinNames(known)}.`);
		}
		const values = Object.assign(emptyValues(), given);
		keep(values);
		const unknown = Object.keys(values).filter((name) => !Object.hasOwn(fields, name));
		return writeParts([...unknown, ...known], (name) => {
			const field = ownEntry(fields, name);
			if (field === undefined) {
				throw invalidInput(`is not a known field. The known fields are ${joinNames(known)}.`);
			}
			const value = values[name];
			const isNil = field.nillable === true && (value === null || field.required === true);
			const isEmptyList = field.kind === 'repeated' && Array.isArray(value) && value.length === 0;
			// What is sent as nil empties what the service has: a preview shows it.
			if (isNil && !isSet(value)) values[name] = null;
			if (isSet(value) ? !isEmptyList : isNil) {
				return writeElement(name, field, value, inherited, (own) => (values[name] = own));
			}
			if (field.required === true) throw invalidInput('is required.', 'VALUE_REQUIRED');
			return '';
		});
	};
	/** Writes an element; several for an array, where the field has no wrapping element. */
	const writeElement = (
		name: string,
		field: Field,
		value: unknown,
		inherited: string,
		keep: Keep,
	): string => {
		const { namespace = service } = field;
		const bound = namespace === inherited ? '' : ` xmlns="${escapeAttribute(namespace)}"`;
		if ((field.nillable === true || field.kind === 'any') && !isSet(value)) {
			return `<${name}${bound} xmlns:xsi="${XSI}" xsi:nil="true"/>`;
		}
		if (field.kind === 'any') return writeElements(name, value, bound);
		let inner: string;
		if (field.kind === 'record') inner = writeFields(field.fields, value, namespace, keep);
		else if (field.kind === 'list' || field.kind === 'repeated') {
			if (!Array.isArray(value)) throw invalidValue(value, 'is not a list.');
			const rows: unknown[] = [...value];
			keep(rows);
			const isWrapped = field.kind === 'list';
			const [row, around] = isWrapped ? [rowElement(field), namespace] : [name, inherited];
			inner = writeParts(rows.keys(), (i) =>
				writeElement(row, field.of, rows[i], around, (own) => (rows[i] = own)),
			);
			if (!isWrapped) return inner;
		} else {
			const meant = meaningOf(value, field);
			keep(meant);
			const sent = field.kind === 'base64Binary' ? bytesOf(meant) : meant;
			inner = escapeXml(writeScalar(field, sent));
		}
		return `<${name}${bound}>${inner}</${name}>`;
	};
	let values: Values = given;
	const { result: xml = '', problems } = validated(() =>
		content.isOpen === true
			? writeParts(Object.keys(given), (name) => writeElements(name, given[name]))
			: writeFields(content.fields, given, service, (own) => (values = own as Values)),
	);
	return {
		/** The values as they are meant. */
		values,
		/** To be used only if there are no problems. */
		xml,
		problems,
	};
}

/** Writes a request. @throws {InputError} with all problems; see {@link writtenRequest} */
export function writeRequest(...request: Parameters<typeof writtenRequest>): string {
	const { xml, problems } = writtenRequest(...request);
	if (problems.length > 0) throw new InputError(problems);
	return xml;
}

/** The differences between SOAP 1.1 and 1.2 (docs/dev/interface.md, section 4.3, rules 2 and 3). */
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

/** Returns the XML namespace of a service's elements (docs/dev/interface.md, section 4.3, rule 5). */
export function serviceNamespace(root: string, service: string): string {
	return `${root}/${service}`;
}

/** Wraps the XML of a request's elements in their envelope (docs/dev/interface.md, section 4.3, rules 2 to 5). */
export function wrapRequest(
	connection: Pick<Connection, 'domain' | 'soapNamespace' | 'soapVersion'>,
	operation: Pick<Operation, 'service' | 'name'>,
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
