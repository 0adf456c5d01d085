/** Writes values that are valid (see `values/checkValues`) as XML. */
import { listFields } from '../contract/fieldList';
import {
	ATTRIBUTE,
	isScalar,
	rowName,
	TEXT,
	TYPE,
	WILDCARD,
	type AnyField,
	type SchemaField,
	type SchemaFields,
	type SchemaRecord,
} from '../contract/schemaFields';
import { typeOf } from '../values/recordTypes';
import { scalars } from '../values/scalars';
import { anyValue, splitType } from '../values/untyped';
import { ownEntry, type Values } from '../values/values';
import { XML, XSI } from './namespaces';
import { writeElements, writeUntypedContent } from './untyped';
import { escapeAttribute, escapeXml } from './xml';

/** Attributes and content of an element. */
type Written = readonly [attributes: string, content: string];

const XMLNS_XSI = ` xmlns:xsi="${XSI}"`;

function typeAttribute([namespace, local]: readonly [namespace: string, local: string]): string {
	// An empty namespace cannot have a prefix.
	if (namespace === '') return `${XMLNS_XSI} xsi:type="${local}"`;
	return `${XMLNS_XSI} xmlns:t="${escapeAttribute(namespace)}" xsi:type="t:${local}"`;
}

function writeAttributes(fields: SchemaFields, values: Values): string {
	let written = '';
	for (const [i, { name, field, namespace = '' }] of listFields(fields).attributes.entries()) {
		const value = ownEntry(values, name);
		if (value === undefined || value === null || !isScalar(field)) continue;
		const text = escapeAttribute(scalars[field.kind].write(value, field));
		// Each prefix is bound on the element itself.
		const prefix = namespace === XML ? 'xml' : `a${i}`;
		const isBound = namespace === '' || namespace === XML;
		if (!isBound) written += ` xmlns:${prefix}="${escapeAttribute(namespace)}"`;
		written += ` ${namespace === '' ? '' : `${prefix}:`}${name.slice(ATTRIBUTE.length)}="${text}"`;
	}
	return written;
}

/** Writes the values that stand in the place of a wildcard. */
function writeOthers(fields: SchemaFields, values: Readonly<Values>): string {
	return writeElements(
		Object.entries(values).filter(([name]) => name !== TYPE && !Object.hasOwn(fields, name)),
	);
}

function writeRecord(
	record: SchemaRecord,
	values: Values,
	service: string,
	inherited: string,
): Written {
	const type = typeOf(record, values) ?? record;
	const typed = type === record ? '' : typeAttribute([type.typeNamespace ?? service, type.type]);
	return [
		typed + writeAttributes(type.fields, values),
		writeFields(type.fields, values, service, inherited),
	];
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
			return `<${tag}>${escapeXml(scalars[kind].write(value, field))}</${name}>`;
	}
}

/** Writes the content of an element: the values of its fields, in the order of the fields. */
export function writeFields(
	fields: SchemaFields,
	values: Readonly<Values>,
	service: string,
	inherited = service,
): string {
	let written = '';
	for (const { name, field, namespace = service, isNillable, isRequired } of listFields(fields)
		.content) {
		const value = ownEntry(values, name);
		const isSet = value !== undefined && value !== null;
		if (name === WILDCARD) {
			written += writeOthers(fields, values);
		} else if (name === TEXT) {
			if (isSet && isScalar(field)) written += escapeXml(scalars[field.kind].write(value, field));
		} else if (isSet || (isNillable && (value === null || isRequired))) {
			written += writeElement(name, field, value, service, inherited, namespace);
		}
	}
	return written;
}
