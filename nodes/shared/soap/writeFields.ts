/** Checks the values of a request and writes them as XML, in one walk: what is sent is what was checked. */
import {
	ATTRIBUTE,
	concernedNames,
	propertiesOf,
	rowName,
	TEXT,
	TYPE,
	WILDCARD,
	type Field,
	type ListField,
	type RecordContent,
	type RecordField,
	type RepeatedField,
	type ScalarField,
} from '../contract/fields';
import { at, collect, collectAll, invalidInput, invalidValue } from '../errors/InputError';
import { joinNames } from '../errors/words';
import { checkChoice, isSent } from '../values/choice';
import { refuseName } from '../values/kind';
import { scalarsIn } from '../values/records';
import { typeOf, typesOf } from '../values/recordTypes';
import { writeScalar } from '../values/scalars';
import { checkReadable, typeOfScalar, XSD } from '../values/untyped';
import { isObject, isSet, ownEntry, valueAt, type Values } from '../values/values';
import { XSI } from './namespaces';
import {
	writeAttribute,
	writeType,
	writeUntyped,
	writeUntypedContent,
	type WrittenElement,
} from './writeUntyped';
import { escapeAttribute, escapeXml } from './xml';

/** Maximum number of elements of a request that are nil: each row may have thousands of them. */
const MAX_NILS = 1_000_000;

const XMLNS_XSI = ` xmlns:xsi="${XSI}"`;

function refuseMissing(): never {
	throw invalidInput('is required.', 'VALUE_REQUIRED');
}

/** Writes values that no field has the name of: they can only be elements of an open record. */
function writeOthers(content: RecordContent, values: Values): string {
	const { others } = content;
	if (others === undefined) {
		collect(Object.keys(values), (name) =>
			at(name, () => {
				const known = joinNames(Object.keys(propertiesOf(content)));
				throw invalidInput(`is not a known field. The known fields are ${known}.`);
			}),
		);
		return '';
	}
	if (others.required === true && !Object.values(values).some(isSet)) at(WILDCARD, refuseMissing);
	return writeUntyped(values);
}

/** Returns the base64 of a value of the type base64Binary. @throws {InputError} if it has none */
export type BytesOf = (value: unknown) => unknown;

/** Checks and writes the fields of a service. */
class FieldWriter {
	#nils = 0;

	/** @param service the service's namespace */
	constructor(
		private readonly service: string,
		private readonly bytesOf: BytesOf = (value) => value,
	) {}

	/**
	 * Writes the attributes and the content of an element.
	 *
	 * @param inherited the default namespace around the elements
	 * @param ignored a name in `values` that is neither checked nor written
	 */
	write(
		content: RecordContent,
		values: Readonly<Values>,
		inherited: string,
		ignored?: string,
	): WrittenElement {
		const fields = propertiesOf(content);
		const { before } = content.others ?? {};
		const names = concernedNames(fields, values, before);
		const others = Object.entries(values).filter(
			([name]) => name !== ignored && !Object.hasOwn(fields, name),
		);
		let [attributes, children, other] = ['', '', ''];
		const writeField = (name: string, index: number): void => {
			if (name === before) children += other;
			const field = fields[name] as Field;
			const value = ownEntry(values, name);
			const isNil = field.nillable === true && (value === null || field.required === true);
			if (field.required === true && !isNil && !isSent(field, value)) refuseMissing();
			if (!isSet(value) && !isNil) return;
			const isAttribute = name.startsWith(ATTRIBUTE);
			const text = isAttribute || name === TEXT ? this.#text(field as ScalarField, value) : '';
			if (isAttribute) attributes += writeAttribute(name, text, index);
			else if (name === TEXT) children += escapeXml(text);
			else children += this.#writeElement(name, field, value, inherited);
		};
		collectAll(
			() => (other = writeOthers(content, Object.fromEntries(others) as Values)),
			() => collect(names, (name, i) => at(name, () => writeField(name, i))),
			() => checkChoice(content, values, names),
		);
		return [attributes, before === undefined ? children + other : children];
	}

	/**
	 * Writes the attributes and the content of a record's element.
	 *
	 * @param inherited the namespace of the element
	 */
	writeRecord(record: RecordField, value: unknown, inherited: string): WrittenElement {
		if (!isObject(value)) {
			const fields = joinNames(Object.keys(propertiesOf(record)));
			throw invalidValue(value, `is not an object with the fields ${fields}.`);
		}
		const type = typeOf(record, value);
		if (type === undefined) {
			const names = [...typesOf(record).keys()];
			return at(TYPE, () => refuseName(ownEntry(value, TYPE), names));
		}
		const ignored = record.derived === undefined ? undefined : TYPE;
		const [attributes, content] = this.write(type, value, inherited, ignored);
		const typed = type === record ? '' : writeType([type.typeNamespace ?? this.service, type.type]);
		return [typed + attributes, content];
	}

	/** Writes an element; several for an array, where the field has no wrapping element. */
	#writeElement(name: string, field: Field, value: unknown, inherited: string): string {
		const { kind, namespace = this.service } = field;
		if (kind === 'repeated') return this.#writeRows(field, value, name, inherited);
		if (kind === 'any' && field.unsupported !== undefined && Array.isArray(value)) {
			const rows = collect(value, (row: unknown, i) =>
				at(i, () => (isSet(row) ? this.#writeElement(name, field, row, inherited) : '')),
			);
			return rows.join('');
		}
		const bound = namespace === inherited ? '' : ` xmlns="${escapeAttribute(namespace)}"`;
		if (!isSet(value) && (field.nillable === true || kind === 'any')) {
			this.#nils += 1;
			if (this.#nils <= MAX_NILS) return `<${name}${bound}${XMLNS_XSI} xsi:nil="true"/>`;
			throw invalidInput(`has more than ${MAX_NILS} values that are sent as null.`);
		}
		const [attributes, content] = this.#writeValue(field, value, namespace);
		// JSON may name a namespace itself.
		const own = kind === 'any' && attributes.includes(' xmlns="') ? '' : bound;
		return `<${name}${own}${attributes}>${content}</${name}>`;
	}

	#writeValue(
		field: Exclude<Field, RepeatedField>,
		value: unknown,
		namespace: string,
	): WrittenElement {
		switch (field.kind) {
			case 'record':
				return this.writeRecord(field, value, namespace);
			case 'list':
				return ['', this.#writeRows(field, value, rowName(field), namespace)];
			case 'any': {
				const [attributes, content] = writeUntypedContent(value);
				const isTyped = field.unsupported === undefined && !isObject(value);
				return [isTyped ? writeType([XSD, typeOfScalar(value)]) : attributes, content];
			}
			default:
				return ['', escapeXml(this.#text(field, value))];
		}
	}

	#text(field: ScalarField, value: unknown): string {
		return writeScalar(field, field.kind === 'base64Binary' ? this.bytesOf(value) : value);
	}

	#writeRows(
		{ of }: ListField | RepeatedField,
		rows: unknown,
		name: string,
		inherited: string,
	): string {
		if (!Array.isArray(rows)) throw invalidValue(rows, 'is not a list.');
		// Join each row into one text: the pieces of thousands of rows would all stay in memory.
		const written = collect(rows, (row: unknown, i) =>
			at(i, () => [this.#writeElement(name, of, row, inherited), ''].join('')),
		);
		return written.join('');
	}
}

/**
 * Checks values, and writes the text and the elements inside an element, in the order of its fields.
 *
 * @param service the service's namespace, which is that around the elements
 * @param bytesOf returns what a value of the type base64Binary stands for
 * @throws {InputError} with every unknown name, every value that a field does not allow, and every
 * required field, or required choice of fields, that is not set
 */
export function writeContent(
	content: RecordContent,
	values: Readonly<Values>,
	service: string,
	bytesOf?: BytesOf,
): string {
	checkReadable(values);
	const [, written] = new FieldWriter(service, bytesOf).write(content, values, service);
	return written;
}

/**
 * Validates a record.
 *
 * @throws {InputError} if the value is not an object, does not name one of the record's types where
 * it must, or as {@link writeContent}
 */
export function checkRecord(record: RecordField, value: unknown): asserts value is Values {
	new FieldWriter('').writeRecord(record, value, '');
}

/**
 * Validates a record of the contract that must have a value. A record without any would be sent as
 * an empty element, and is more likely a mistake.
 *
 * @throws {InputError} as {@link checkRecord}, or if the record has no value
 */
export function checkFilledRecord(record: RecordField, value: unknown): asserts value is Values {
	checkRecord(record, value);
	if (!scalarsIn(record.fields).some(({ path }) => isSet(valueAt(value, path)))) {
		throw invalidInput('has no value in any of its fields.', 'VALUE_EMPTY');
	}
}
