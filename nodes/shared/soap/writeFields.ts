/** Writes values that are valid (see `values/checkValues`) as XML. */
import {
	concernedNames,
	propertiesOf,
	rowName,
	TEXT,
	TYPE,
	type RecordContent,
	type Field,
	type ListField,
	type RecordField,
} from '../contract/fields';
import { invalidInput } from '../errors/InputError';
import { typeOf } from '../values/recordTypes';
import { writeScalar } from '../values/scalars';
import { typeOfScalar, XSD } from '../values/untyped';
import { isObject, isSet, ownEntry, type Values } from '../values/values';
import { XSI } from './namespaces';
import { writeAttribute, writeType, writeUntyped, writeUntypedContent } from './untyped';
import { escapeAttribute, escapeXml } from './xml';

/** Attributes and content of an element. */
type WrittenElement = readonly [attributes: string, content: string];

/** Maximum number of elements of a request that are nil: each row may have thousands of them. */
const MAX_NILS = 1_000_000;

const XMLNS_XSI = ` xmlns:xsi="${XSI}"`;

function writeAttributes({ attributes = {} }: RecordContent, values: Values): string {
	const written = concernedNames(attributes, values, 'nil').map((name, i) => {
		const [field, value] = [attributes[name], ownEntry(values, name)];
		return field && isSet(value) ? writeAttribute(name, writeScalar(field, value), i) : '';
	});
	return written.join('');
}

/** Writes the values that no field of an open record has the name of. */
function writeOthers(content: RecordContent, values: Readonly<Values>): string {
	const known = propertiesOf(content);
	const others = Object.entries(values).filter(
		([name]) => name !== TYPE && !Object.hasOwn(known, name),
	);
	return writeUntyped(Object.fromEntries(others));
}

function writeAny({ unsupported }: Field, value: unknown): WrittenElement {
	const [attributes, content] = writeUntypedContent(value);
	const isTyped = unsupported === undefined && !isObject(value);
	return [isTyped ? writeType([XSD, typeOfScalar(value)]) : attributes, content];
}

/** Writes the fields of a service. */
class FieldWriter {
	#nils = 0;

	/** @param service the service's namespace */
	constructor(private readonly service: string) {}

	/** @param inherited the default namespace around the elements */
	writeContent(content: RecordContent, values: Readonly<Values>, inherited: string): string {
		const { fields, text, others } = content;
		const own = ownEntry(values, TEXT);
		let written = text && isSet(own) ? escapeXml(writeScalar(text, own)) : '';
		for (const name of concernedNames(fields, values, 'nil', others?.before)) {
			const field = fields[name];
			if (field === undefined) continue;
			if (others?.before === name) written += writeOthers(content, values);
			const value = ownEntry(values, name);
			if (
				isSet(value) ||
				(field.nillable === true && (value === null || field.required === true))
			) {
				written += this.#writeElement(name, field, value, inherited);
			}
		}
		if (others !== undefined && others.before === undefined)
			written += writeOthers(content, values);
		return written;
	}

	/** Writes an element; several for an array, where the field has no wrapping element. */
	#writeElement(name: string, field: Field, value: unknown, inherited: string): string {
		const { kind, namespace = this.service } = field;
		if (Array.isArray(value) && (kind === 'repeated' || kind === 'any')) {
			const of = kind === 'repeated' ? field.of : field;
			const rows: unknown[] = kind === 'repeated' ? value : value.filter((row) => row !== null);
			return rows.map((row) => this.#writeElement(name, of, row, inherited)).join('');
		}
		const bound = namespace === inherited ? '' : ` xmlns="${escapeAttribute(namespace)}"`;
		if (!isSet(value)) {
			this.#nils += 1;
			if (this.#nils <= MAX_NILS) return `<${name}${bound}${XMLNS_XSI} xsi:nil="true"/>`;
			throw invalidInput(`has more than ${MAX_NILS} values that are sent as null.`);
		}
		const [attributes, content] = this.#writeValue(field, value, namespace);
		// JSON may name a namespace itself.
		const own = kind === 'any' && attributes.includes(' xmlns="') ? '' : bound;
		return `<${name}${own}${attributes}>${content}</${name}>`;
	}

	#writeValue(field: Field, value: unknown, namespace: string): WrittenElement {
		switch (field.kind) {
			case 'record':
				return this.#writeRecord(field, value as Values, namespace);
			case 'list':
				return ['', this.#writeRows(field, value as unknown[], namespace)];
			case 'any':
				return writeAny(field, value);
			case 'repeated':
				return ['', ''];
			default:
				return ['', escapeXml(writeScalar(field, value))];
		}
	}

	#writeRows(list: ListField, rows: readonly unknown[], namespace: string): string {
		// Join each row into one text: the pieces of thousands of rows would all stay in memory.
		const written = rows.map((row) =>
			[this.#writeElement(rowName(list), list.of, row, namespace), ''].join(''),
		);
		return written.join('');
	}

	#writeRecord(record: RecordField, values: Values, namespace: string): WrittenElement {
		const type = typeOf(record, values) ?? record;
		const typed = type === record ? '' : writeType([type.typeNamespace ?? this.service, type.type]);
		return [typed + writeAttributes(type, values), this.writeContent(type, values, namespace)];
	}
}

/**
 * Writes the text and the elements inside an element, in the order of its fields.
 *
 * @param service the service's namespace, which is that around the elements
 */
export function writeContent(
	content: RecordContent,
	values: Readonly<Values>,
	service: string,
): string {
	return new FieldWriter(service).writeContent(content, values, service);
}
