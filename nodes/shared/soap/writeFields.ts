/** Writes values that are valid (see `values/checkValues`) as XML. */
import {
	ATTRIBUTE,
	propertiesOf,
	rowName,
	TEXT,
	TYPE,
	type AnyField,
	type RecordContent,
	type SchemaField,
	type SchemaRecord,
} from '../contract/schemaFields';
import { typeOf } from '../values/recordTypes';
import { writeScalar } from '../values/scalars';
import { anyValue, splitType } from '../values/untyped';
import { ownEntry, type Values } from '../values/values';
import { XML, XSI } from './namespaces';
import { writeUntyped, writeUntypedContent } from './untyped';
import { escapeAttribute, escapeXml } from './xml';

/** Attributes and content of an element. */
type Written = readonly [attributes: string, content: string];

const XMLNS_XSI = ` xmlns:xsi="${XSI}"`;

function typeAttribute([namespace, local]: readonly [namespace: string, local: string]): string {
	// An empty namespace cannot have a prefix.
	if (namespace === '') return `${XMLNS_XSI} xsi:type="${local}"`;
	return `${XMLNS_XSI} xmlns:t="${escapeAttribute(namespace)}" xsi:type="t:${local}"`;
}

function writeAttributes({ attributes = {} }: RecordContent, values: Values): string {
	let written = '';
	for (const [i, [name, field]] of Object.entries(attributes).entries()) {
		const value = ownEntry(values, name);
		if (value === undefined || value === null) continue;
		const { namespace = '' } = field;
		const text = escapeAttribute(writeScalar(field, value));
		// Each prefix is bound on the element itself.
		const prefix = namespace === XML ? 'xml' : `a${i}`;
		const isBound = namespace === '' || namespace === XML;
		if (!isBound) written += ` xmlns:${prefix}="${escapeAttribute(namespace)}"`;
		written += ` ${namespace === '' ? '' : `${prefix}:`}${name.slice(ATTRIBUTE.length)}="${text}"`;
	}
	return written;
}

/** Writes the values that no field of an open record has the name of. */
function writeOthers(content: RecordContent, values: Readonly<Values>): string {
	const known = propertiesOf(content);
	const others = Object.entries(values).filter(
		([name]) => name !== TYPE && !Object.hasOwn(known, name),
	);
	return writeUntyped(Object.fromEntries(others));
}

function writeRecord(
	record: SchemaRecord,
	values: Values,
	service: string,
	inherited: string,
): Written {
	const type = typeOf(record, values) ?? record;
	const typed = type === record ? '' : typeAttribute([type.typeNamespace ?? service, type.type]);
	return [typed + writeAttributes(type, values), writeContent(type, values, service, inherited)];
}

function writeAny({ unsupported }: SchemaField & AnyField, value: unknown): Written {
	if (unsupported !== undefined) return writeUntypedContent(value);
	const { type, content } = anyValue(value);
	const name = type === undefined ? undefined : splitType(type);
	const [attributes, written] = writeUntypedContent(content);
	return [(name === undefined ? '' : typeAttribute(name)) + attributes, written];
}

/**
 * Writes an element; several for an array, where the field has no wrapping element.
 *
 * @param inherited the default namespace around the element
 */
function writeElement(
	name: string,
	field: SchemaField,
	value: unknown,
	service: string,
	inherited: string,
	namespace: string,
): string {
	const { kind } = field;
	if (Array.isArray(value) && (kind === 'repeated' || kind === 'any')) {
		const of = kind === 'repeated' ? field.of : field;
		const rows: unknown[] = kind === 'repeated' ? value : value.filter((row) => row !== null);
		return rows
			.map((row) => writeElement(name, of, row, service, inherited, of.namespace ?? namespace))
			.join('');
	}
	const bound = namespace === inherited ? '' : ` xmlns="${escapeAttribute(namespace)}"`;
	if (value === undefined || value === null) return `<${name}${bound}${XMLNS_XSI} xsi:nil="true"/>`;
	const tag = `${name}${bound}`;
	switch (kind) {
		case 'record': {
			const [attributes, content] = writeRecord(field, value as Values, service, namespace);
			return `<${tag}${attributes}>${content}</${name}>`;
		}
		case 'list': {
			const row = rowName(field);
			const { of } = field;
			const rowNamespace = of.namespace ?? service;
			// Join each row into one text: the pieces of thousands of rows would all stay in memory.
			const rows = (value as unknown[]).map((one) =>
				[writeElement(row, of, one, service, namespace, rowNamespace), ''].join(''),
			);
			return `<${tag}>${rows.join('')}</${name}>`;
		}
		case 'repeated':
			return '';
		case 'any': {
			const [attributes, content] = writeAny(field, value);
			// JSON may name a namespace itself.
			const own = attributes.includes(' xmlns="') ? name : tag;
			return `<${own}${attributes}>${content}</${name}>`;
		}
		default:
			return `<${tag}>${escapeXml(writeScalar(field, value))}</${name}>`;
	}
}

/** Writes the text and the elements inside an element, in the order of its fields. */
export function writeContent(
	content: RecordContent,
	values: Readonly<Values>,
	service: string,
	inherited = service,
): string {
	const { fields, text, others } = content;
	const own = text && ownEntry(values, TEXT);
	let written =
		text === undefined || own === undefined || own === null
			? ''
			: escapeXml(writeScalar(text, own));
	for (const name of Object.keys(fields)) {
		const field = fields[name];
		if (field === undefined) continue;
		if (others?.before === name) written += writeOthers(content, values);
		const value = ownEntry(values, name);
		const isSet = value !== undefined && value !== null;
		if (isSet || (field.nillable === true && (value === null || field.required === true))) {
			const { namespace = service } = field;
			written += writeElement(name, field, value, service, inherited, namespace);
		}
	}
	if (others !== undefined && others.before === undefined) written += writeOthers(content, values);
	return written;
}
