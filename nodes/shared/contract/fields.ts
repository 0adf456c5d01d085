/**
 * The field kinds of docs/dev/interface.md, section 2 and the types of their values.
 *
 * A contract is written once, as data. The types of request and response values are inferred from
 * it, as zod infers a type from a schema.
 */

/** Texts of a field for the editor and for AI models. */
export interface Described {
	/** Display name in the editor. Default: derived from the element's name. */
	readonly label?: string;
	/** One sentence for the builder and for an AI model, without a full stop at the end. */
	readonly description?: string;
	/** An example value, shown as the field's placeholder. */
	readonly example?: string;
	/** Additional help shown below the field, one or two sentences. */
	readonly hint?: string;
	/** Whether the form always shows it; the builder adds the other fields of a record as needed. */
	readonly isShown?: boolean;
	/**
	 * Whether a request names with it what it is about: the employee or company, or the period. The
	 * first such element of a request is its subject: calls with the same one keep their order. Output
	 * items and errors include all of them. If the rows of a list are input items, each item has its own.
	 */
	readonly isKey?: boolean;
}

/** Range of a 32-bit integer. */
export const INT_MIN = -(2 ** 31);
export const INT_MAX = 2 ** 31 - 1;

/** A 32-bit integer. */
export interface IntField extends Described {
	readonly kind: 'int';
}

/** A decimal number of any precision: a number, or its digits as a string. */
export interface DecimalField extends Described {
	readonly kind: 'decimal';
}

export interface BooleanField extends Described {
	readonly kind: 'boolean';
}

export interface StringField extends Described {
	readonly kind: 'string';
}

/** One of a fixed set of names. */
export interface EnumerationField extends Described {
	readonly kind: 'enumeration';
	readonly values: readonly string[];
}

/** A record of the service. `type` is its name in the interface; `fields` are in wire order. */
export interface RecordField extends Described {
	readonly kind: 'record';
	readonly type: string;
	readonly fields: { readonly [element: string]: ScalarField | RecordField };
}

/**
 * A repeated record. On the wire, one wrapping element has a child per row, named after the row's
 * type.
 */
export interface ListField extends Described {
	readonly kind: 'list';
	readonly of: RecordField;
}

export type ScalarField = IntField | DecimalField | BooleanField | StringField | EnumerationField;
export type Field = ScalarField | RecordField | ListField;

/** Elements by name, in wire order. */
export interface Fields {
	readonly [element: string]: Field;
}
