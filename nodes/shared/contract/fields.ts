/**
 * The fields of requests, records and answers, of the contract (docs/dev/interface.md, section 2) and of a service's
 * own description (WSDL with XML Schema): one writer, one reader and one set of value rules serve both.
 */

/** Property that holds the text of an element that also has attributes or elements. */
export const TEXT = '#text';

/** Property of a type, sent and read as `xsi:type`: `int` of XML Schema, else `{namespace}Name`. */
export const TYPE = '@xsi:type';

/** Prefix of the property that holds an attribute: `@name`, `@{namespace}name` or `@xml:lang`. */
export const ATTRIBUTE = '@';

/** The highest 32-bit integer. */
export const INT_MAX = 2 ** 31 - 1;

/** What any field says: its texts for the editor and for AI models, and how it occurs in its record. */
interface FieldBase {
	/** Display name in the editor. Default: derived from the element's name. */
	readonly label?: string;
	/** One sentence for the builder and for an AI model, without a full stop at the end. */
	readonly description?: string;
	/** A value for the field's placeholder. */
	readonly example?: string;
	/** One or two sentences below the field. */
	readonly hint?: string;
	/** Name of its property in an output item, if it is a single result. Default: `Result`. */
	readonly property?: string;
	/** Whether the form always shows it; the builder adds the other fields of a record as needed. */
	readonly isShown?: boolean;
	/** Whether its record is probably incomplete without it: the builder has to say that this is meant. */
	readonly isUsual?: boolean;
	/**
	 * Whether a request names with it what it is about: the employee or company, or the period. The first
	 * such element is its subject: calls with the same one keep their order. Output items and errors have
	 * all of them. If the rows of a list are input items, each item has its own.
	 */
	readonly isKey?: boolean;
	/** Whether it is a share of 100, which a sheet may have as a fraction. */
	readonly isPercentage?: boolean;
	/** Whether it only permits a write: it is no part of what is written. */
	readonly isPermission?: boolean;
	/** XML namespace of the element, `''` for none. Default: the service's. */
	readonly namespace?: string;
	readonly required?: boolean;
	/** Whether `null` is a value of its own, sent as `xsi:nil`. */
	readonly nillable?: boolean;
}

/**
 * A value of a type of XML Schema; `int` has 32 bits, `integer` any number. Digits may be given as a string, so that
 * none is lost. A `float` may also be `INF`, `-INF` or `NaN`; dates and times are strings. A `country` has two letters.
 */
interface PlainField extends FieldBase {
	readonly kind:
		| 'base64Binary'
		| 'boolean'
		| 'country'
		| 'date'
		| 'dateTime'
		| 'decimal'
		| 'float'
		| 'int'
		| 'integer'
		| 'string'
		| 'time';
}

interface EnumerationField extends FieldBase {
	readonly kind: 'enumeration';
	readonly values: readonly string[];
}

/** A field that is a single text on the wire. */
export type ScalarField = PlainField | EnumerationField;

/** An element whose type has no kind of field: JSON, sent as given and read as it is. */
interface AnyField extends FieldBase {
	readonly kind: 'any';
	/** What of its type has no kind of field, as a noun phrase. */
	readonly unsupported: string;
}

/** What is inside an element that holds a record, a request or a response. */
export interface RecordContent {
	readonly fields: Fields;
	/** Whether nothing is known of it: any elements, or a text. It has no fields then. */
	readonly isOpen?: true;
}

/** A record. A field of it may be of the same type as the record. */
export interface RecordField extends FieldBase {
	readonly kind: 'record';
	/** Local name of its type; empty for an anonymous type. */
	readonly type: string;
	readonly fields: Fields;
}

/** A repeated value within a wrapping element: an array. */
interface ListField<Of = Field> extends FieldBase {
	readonly kind: 'list';
	/** How each row is. */
	readonly of: Of;
	/** Name of the element of each row. Default: the type of the record. */
	readonly row?: string;
	/** Paths of the fields that find the record of a row from an input item, the default first. */
	readonly matchOn?: ReadonlyArray<readonly string[]>;
}

/** An element that repeats without a wrapping element: an array. Of the field itself, only `required` has a meaning. */
interface RepeatedField extends FieldBase {
	readonly kind: 'repeated';
	/** How each row is. */
	readonly of: Field;
}

export type Field = ScalarField | AnyField | RecordField | ListField | RepeatedField;

/** Elements by local name, in wire order. */
export interface Fields {
	readonly [element: string]: Field;
}

/** Returns a function that makes something of an object once, and keeps it as long as the object. */
export function onceFor<K extends object, V>(make: (key: K) => V): (key: K) => V {
	const known = new WeakMap<K, { readonly value: V }>();
	return (key) => {
		const found = known.get(key) ?? { value: make(key) };
		known.set(key, found);
		return found.value;
	};
}

/** Counts fields once: many records may have the same. */
export const sizeOf = onceFor((fields: Fields) => Object.keys(fields).length);

/** Returns the name of the element of each row. */
export function rowElement({ row, of }: ListField): string {
	return row ?? (of.kind === 'record' ? of.type : '');
}

/** Whether a field holds a single text on the wire. */
export function isScalar(field: Field): field is ScalarField {
	return !['any', 'list', 'record', 'repeated'].includes(field.kind);
}

/** Whether a field is a list of records. */
export function isRecordList(field: Field): field is ListField<RecordField> {
	return field.kind === 'list' && field.of.kind === 'record';
}
