/**
 * The field kinds that a service's own description (WSDL with XML Schema) can have. They include
 * the kinds of the contract, so that one writer, one reader and one set of value rules serve both.
 */
import type { Described, Field, ScalarField } from './fields';

/** Property that holds the text of an element that also has attributes. */
export const TEXT = '#text';

/** Name of the place of other elements, in errors and in the form. */
export const WILDCARD = '*';

/** Property that names a record's derived type, sent and read as `xsi:type`. */
export const TYPE = '@xsi:type';

/** Prefix of the property that holds an attribute. */
export const ATTRIBUTE = '@';

/** How a field occurs in its record. */
export interface Occurrence {
	/** XML namespace of the element, `''` for none. Default: the service's. */
	readonly namespace?: string;
	/** Whether a request without it is invalid. */
	readonly required?: boolean;
	/** Whether `null` is a value of its own, sent as `xsi:nil`. */
	readonly nillable?: boolean;
	/** What of the element's definition is not supported, as a noun phrase. */
	readonly unsupported?: string;
}

/** A whole number of any size: a number, or its digits as a string beyond 53 bits. */
export interface IntegerField extends Described {
	readonly kind: 'integer';
	/** Smallest and largest value, as text; `undefined` if there is no bound. */
	readonly min?: string;
	readonly max?: string;
}

/** A binary floating-point number: a number, or `INF`, `-INF` or `NaN` as a string. */
export interface FloatField extends Described {
	readonly kind: 'float';
}

/** A date, a time, or both, as a string in the notation of XML Schema (ISO 8601). */
export interface TemporalField extends Described {
	readonly kind: 'dateTime' | 'date' | 'time';
}

/** Bytes, as a string in base64. */
export interface Base64Field extends Described {
	readonly kind: 'base64Binary';
}

/** Values of one simple type, separated by whitespace in one element: an array. */
export interface TokensField extends Described {
	readonly kind: 'tokens';
	readonly of: SchemaScalar;
}

/**
 * An element of any type (`xs:anyType`); with `unsupported`, of a type that is not supported: JSON,
 * sent as it is.
 */
export interface AnyField extends Described {
	readonly kind: 'any';
}

export type SchemaScalar =
	| ScalarField
	| IntegerField
	| FloatField
	| TemporalField
	| Base64Field
	| TokensField;

/** The place of elements that the schema does not name (`xs:any`). */
export interface OtherElements {
	readonly required?: boolean;
	/** The field that comes next; `undefined` at the end of the record. */
	readonly before?: string;
}

/** Fields of a record that exclude each other. */
export interface Choice {
	readonly names: readonly string[];
	/** Whether one of them has to be set. */
	readonly required: boolean;
}

/** What is inside an element that holds a record, a request or a response. */
export interface RecordContent {
	/** Elements by local name, in wire order. */
	readonly fields: SchemaFields;
	/** Attributes by the names of their properties. */
	readonly attributes?: { readonly [property: string]: SchemaScalar & Occurrence };
	/** The text beside the attributes, and beside the elements of mixed content. */
	readonly text?: SchemaScalar & Occurrence;
	readonly choice?: Choice;
	/** Where elements of any other name can stand. */
	readonly others?: OtherElements;
}

/** A record. It may be recursive: a field may be of the same type as the record. */
export interface SchemaRecord extends Described, RecordContent {
	readonly kind: 'record';
	/** Local name of its type; empty for an anonymous type. */
	readonly type: string;
	/** Namespace of its type. Default: the service's. */
	readonly typeNamespace?: string;
	/** Whether only its derived types can be sent. */
	readonly isAbstract?: boolean;
	/** All types derived from it, directly or not, that are not abstract. */
	readonly derived?: readonly SchemaRecord[];
}

/** A repeated value within a wrapping element: an array. */
export interface SchemaList extends Described {
	readonly kind: 'list';
	readonly of: SchemaValue & Occurrence;
	/** Name of the element of each row. Default: the type of the record. */
	readonly row?: string;
	readonly minRows?: number;
	readonly maxRows?: number;
}

/**
 * An element that repeats without a wrapping element: an array. `of` says how each element occurs;
 * of the field itself, only `required` has a meaning.
 */
export interface RepeatedField extends Described {
	readonly kind: 'repeated';
	readonly of: SchemaValue & Occurrence;
	readonly minRows?: number;
	readonly maxRows?: number;
}

export type SchemaValue = SchemaScalar | AnyField | SchemaRecord | SchemaList | RepeatedField;

/** A field of a record. */
export type SchemaField = SchemaValue & Occurrence;

/** Elements by local name, in wire order. */
export interface SchemaFields {
	readonly [element: string]: SchemaField;
}

/** Returns what a record's values can have, by property: attributes, the text, and elements. */
export function propertiesOf({ fields, attributes, text }: RecordContent): SchemaFields {
	if (attributes === undefined && text === undefined) return fields;
	return { ...attributes, ...(text && { [TEXT]: text }), ...fields };
}

/** Returns the same as {@link propertiesOf}, and the place of other elements as {@link WILDCARD}. */
export function propertiesAndOthers(content: RecordContent): SchemaFields {
	const properties = propertiesOf(content);
	if (content.others === undefined) return properties;
	const { required = false } = content.others;
	return { ...properties, [WILDCARD]: { kind: 'record', type: '', fields: {}, required } };
}

/** Returns the name of the element of each row. */
export function rowName({ row, of }: SchemaList): string {
	return row ?? (of.kind === 'record' ? of.type : '');
}

/** Whether a field holds a single text on the wire. */
export function isScalar<F extends SchemaField | Field>(
	field: F,
): field is Extract<F, SchemaScalar | ScalarField> {
	return !['any', 'list', 'record', 'repeated'].includes(field.kind);
}

/** An operation with its types, from the contract or from the service's description. */
export interface TypedOperation {
	readonly service: string;
	readonly name: string;
	/** What the service says about the operation. */
	readonly documentation?: string;
	/** The elements inside the operation's element. */
	readonly request: RecordContent;
	/** The elements inside the response element. */
	readonly response: RecordContent;
}
