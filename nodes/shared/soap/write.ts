/** Checks the values of a request and writes them as XML, in one walk: what is sent is what was checked. */
import {
	ATTRIBUTE,
	concernedNames,
	type Field,
	type Fields,
	type ListField,
	type RecordContent,
	type RecordField,
	type RepeatedField,
	rowName,
	type ScalarField,
	TEXT,
	TYPE,
} from '../contract/fields';
import type { Operation } from '../contract/operation';
import type { Connection, SoapVersion } from '../credential/connection';
import { collect, invalidInput, invalidValue } from '../errors/InputError';
import { joinNames } from '../errors/words';
import { isFilled } from '../values/records';
import { checkReadable, untypedText, writeScalar, XML, XSD } from '../values/scalars';
import { isXmlName, isXmlText } from '../values/text';
import { isObject, isSet, type Values } from '../values/values';
import { escapeAttribute, escapeXml, XSI } from './xml';

/** Attributes and content of an element. */
type WrittenElement = readonly [attributes: string, content: string];

/** Splits `{namespace}local`; `undefined` if it is malformed. */
function splitName(name: string, common: string): readonly [string, string] | undefined {
	const [, namespace = common, local = ''] = /^(?:\{(.+)\})?(.*)$/s.exec(name) ?? [];
	return isXmlName(local) && isXmlText(namespace) ? [namespace, local] : undefined;
}

/** Writes the type of an element, see `TYPE`. */
function writeType(value: unknown): string {
	const split = typeof value === 'string' ? splitName(value, XSD) : undefined;
	if (split === undefined)
		throw invalidValue(value, 'is not the name of a type, such as dateTime.');
	const [namespace, local] = split;
	return ` xmlns:xsi="${XSI}" xmlns:t="${escapeAttribute(namespace)}" xsi:type="t:${local}"`;
}

/** Writes an attribute. @param index a number that no other attribute of the element has */
function writeAttribute(property: string, value: unknown, index: number): string {
	const name = property.slice(ATTRIBUTE.length).replace(/^xml:/, `{${XML}}`);
	const split = splitName(name, '');
	if (split === undefined) {
		throw invalidValue(property, 'is not the name of an attribute, such as @Currency.');
	}
	const [namespace, local] = split;
	const written = `${local}="${escapeAttribute(untypedText(value))}"`;
	if (namespace === '') return ` ${written}`;
	if (namespace === XML) return ` xml:${written}`;
	// Each prefix is bound on the element itself.
	return ` xmlns:a${index}="${escapeAttribute(namespace)}" a${index}:${written}`;
}

/** Writes the attributes and the content of an element of unknown type, which cannot be a list. */
function writeUntypedContent(value: unknown): WrittenElement {
	if (!isObject(value)) return ['', escapeXml(untypedText(value))];
	let [attributes, text, children] = ['', '', ''];
	collect(
		Object.entries(value),
		([name, one], index) => {
			if (!name.startsWith(ATTRIBUTE) && name !== TEXT) children += writeElements(name, one);
			else if (!isSet(one)) return;
			else if (name === TYPE) attributes += writeType(one);
			else if (name === TEXT) text = escapeXml(untypedText(one));
			else attributes += writeAttribute(name, one, index);
		},
		([name]) => name,
	);
	return [attributes, text + children];
}

function writeElements(name: string, value: unknown): string {
	if (!isXmlName(name)) {
		throw invalidValue(name, 'is not the name of an XML element without a prefix.');
	}
	const write = (one: unknown): string => {
		if (!isSet(one)) return '';
		const [attributes, content] = writeUntypedContent(one);
		return `<${name}${attributes}>${content}</${name}>`;
	};
	if (!Array.isArray(value)) return write(value);
	return collect(value, write, (_, i) => i).join('');
}

/** Returns the base64 of a value of the type base64Binary. @throws {InputError} if it has none */
export type BytesOf = (value: unknown) => unknown;

/** Checks and writes the fields of a service. */
class FieldWriter {
	/** @param service the service's namespace */
	constructor(
		private readonly service: string,
		private readonly bytesOf: BytesOf = (value) => value,
	) {}

	/** Writes the elements inside an element. @param inherited the default namespace around them */
	write(fields: Fields, values: Readonly<Values>, inherited: string): string {
		const unknown = Object.keys(values).filter((name) => !Object.hasOwn(fields, name));
		const names = [...unknown, ...concernedNames(fields, values)];
		const written = collect(
			names,
			(name) => {
				const field = fields[name];
				if (field === undefined || !Object.hasOwn(fields, name)) {
					const known = joinNames(Object.keys(fields));
					throw invalidInput(`is not a known field. The known fields are ${known}.`);
				}
				const value = Object.hasOwn(values, name) ? values[name] : undefined;
				const isGiven = value !== undefined && value !== null;
				const isNil = field.nillable === true && (value === null || (field.required && !isGiven));
				const isEmpty = field.kind === 'repeated' && Array.isArray(value) && value.length === 0;
				if (field.required === true && !isNil && (!isGiven || isEmpty)) {
					throw invalidInput('is required.', 'VALUE_REQUIRED');
				}
				return isGiven || isNil ? this.#writeElement(name, field, value, inherited) : '';
			},
			(name) => name,
		);
		return written.join('');
	}

	/** Writes the content of a record's element. @param inherited the namespace of the element */
	writeRecord({ fields }: RecordField, value: unknown, inherited: string): string {
		if (isObject(value)) return this.write(fields, value, inherited);
		const names = joinNames(Object.keys(fields));
		throw invalidValue(value, `is not an object with the fields ${names}.`);
	}

	/** Writes an element; several for an array, where the field has no wrapping element. */
	#writeElement(name: string, field: Field, value: unknown, inherited: string): string {
		if (field.kind === 'repeated') return this.#writeRows(field, value, name, inherited);
		if (field.kind === 'any' && Array.isArray(value)) {
			const rows = collect(
				value,
				(row: unknown) => (isSet(row) ? this.#writeElement(name, field, row, inherited) : ''),
				(_, i) => i,
			);
			return rows.join('');
		}
		const { namespace = this.service } = field;
		const bound = namespace === inherited ? '' : ` xmlns="${escapeAttribute(namespace)}"`;
		if ((value ?? null) === null && (field.nillable === true || field.kind === 'any')) {
			return `<${name}${bound} xmlns:xsi="${XSI}" xsi:nil="true"/>`;
		}
		if (field.kind !== 'any') {
			return `<${name}${bound}>${this.#writeContent(field, value, namespace)}</${name}>`;
		}
		const [attributes, content] = writeUntypedContent(value);
		// JSON may name a namespace itself.
		const own = attributes.includes(' xmlns="') ? '' : bound;
		return `<${name}${own}${attributes}>${content}</${name}>`;
	}

	#writeContent(
		field: RecordField | ListField | ScalarField,
		value: unknown,
		namespace: string,
	): string {
		switch (field.kind) {
			case 'record':
				return this.writeRecord(field, value, namespace);
			case 'list':
				return this.#writeRows(field, value, rowName(field), namespace);
			case 'base64Binary':
				return escapeXml(writeScalar(field, this.bytesOf(value)));
			default:
				return escapeXml(writeScalar(field, value));
		}
	}

	#writeRows(
		{ of }: ListField | RepeatedField,
		rows: unknown,
		name: string,
		inherited: string,
	): string {
		if (!Array.isArray(rows)) throw invalidValue(rows, 'is not a list.');
		// Join each row into one text: the pieces of thousands of rows would all stay in memory.
		const written = collect(
			rows,
			(row: unknown) => [this.#writeElement(name, of, row, inherited), ''].join(''),
			(_, i) => i,
		);
		return written.join('');
	}
}

/**
 * Checks the values of a request, and writes the elements inside the operation's element, in the order of
 * its fields. An unset value (absent or `null`) has no element, unless it can be nil; an empty text has an
 * empty element. Of an open request, elements are written in the order given: a text, number, boolean or date
 * as the element's text, an object as its attributes, children and text; a list repeats the element.
 *
 * @param service the service's namespace, which is that of the operation's element; the contract has no
 * other, so which one it is does not matter there
 * @param bytesOf returns what a value of the type base64Binary stands for
 * @throws {InputError} with every unknown name, every value that a field does not allow, and every
 * required field that is not set
 */
export function writeRequest(
	{ fields, isOpen }: RecordContent,
	values: Readonly<Values>,
	service = '',
	bytesOf?: BytesOf,
): string {
	checkReadable(values);
	if (isOpen !== true) return new FieldWriter(service, bytesOf).write(fields, values, service);
	const written = collect(
		Object.entries(values),
		([name, value]) => writeElements(name, value),
		([name]) => name,
	);
	return written.join('');
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

/**
 * Returns the XML namespace of a service's elements (docs/dev/interface.md, section 4.3, rule 5).
 *
 * @param root the credential's SOAP namespace, without trailing slash
 */
export function serviceNamespace(root: string, service: string): string {
	return `${root}/${service}`;
}

/**
 * Wraps a request's elements in their envelope (docs/dev/interface.md, section 4.3, rules 2 to 5).
 *
 * @param children XML of the elements inside the operation's element
 */
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

/**
 * Validates a record of the contract that must have a value. A record without any would be sent as
 * an empty element, and is more likely a mistake.
 *
 * @throws {InputError} if the value is not an object, as {@link writeRequest}, or if the record has no value
 */
export function checkFilledRecord(record: RecordField, value: unknown): asserts value is Values {
	new FieldWriter('').writeRecord(record, value, '');
	if (!isFilled(record, value as Values)) {
		throw invalidInput('has no value in any of its fields.', 'VALUE_EMPTY');
	}
}
