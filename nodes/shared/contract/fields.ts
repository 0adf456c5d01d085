/**
 * The field kinds of docs/interface.md, section 2 and the values they stand for.
 *
 * A contract is written once, as data; the types of request and response values are inferred from
 * it, as zod infers a type from a schema.
 */

interface Described {
	/** Display name in the editor; by default derived from the element's name. */
	readonly label?: string;
	/** One sentence for the builder (and for an AI model); ends without a full stop. */
	readonly description?: string;
	/** An example value, shown as the field's placeholder. */
	readonly example?: string;
	/** What else a builder needs to know, shown below the field; a sentence or two. */
	readonly hint?: string;
}

/** The smallest and the largest whole number of 32 bits. */
export const INT_MIN = -(2 ** 31);
export const INT_MAX = 2 ** 31 - 1;

/** How the editor offers current records, of which one is chosen by its identifier. */
export interface RecordPick {
	/** Name of the list, by which n8n asks the node for it. */
	readonly list: string;
	/** Paths of the fields that a record is called by, beside its identifier. */
	readonly calledBy: ReadonlyArray<readonly string[]>;
}

/** A whole number of 32 bits. */
export interface IntField extends Described {
	readonly kind: 'int';
	/** Of the identifier of a record in a list that can be read: it can be picked there. */
	readonly pick?: RecordPick;
}

/** A decimal number of any precision: a number, or its digits as a string. */
export interface DecimalField extends Described {
	readonly kind: 'decimal';
	/** Of a field of a list's rows: the whole of which each of them has a share. */
	readonly shareOf?: number;
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

/** A record of the service: `type` is its name in the interface, `fields` stand in wire order. */
export interface RecordField extends Described {
	readonly kind: 'record';
	readonly type: string;
	readonly fields: Fields;
	/** Of a nested record: the fields that say which one it is, the others being its own. */
	readonly identifiedBy?: readonly string[];
}

/** A repeated record; on the wire one wrapping element with a child per row, named by its type. */
export interface ListField extends Described {
	readonly kind: 'list';
	readonly of: RecordField;
	/** Paths of the fields that every row of the form shows; the others are added on demand. */
	readonly rowFields?: ReadonlyArray<readonly string[]>;
}

export type ScalarField = IntField | DecimalField | BooleanField | StringField | EnumerationField;
export type Field = ScalarField | RecordField | ListField;

/** Elements by name, in wire order. */
export interface Fields {
	readonly [element: string]: Field;
}

/** The value a field stands for. */
export type ValueOf<F extends Field> = F extends { kind: 'int' }
	? number
	: F extends { kind: 'decimal' }
		? number | string
		: F extends { kind: 'boolean' }
			? boolean
			: F extends { kind: 'string' }
				? string
				: F extends { kind: 'enumeration'; values: ReadonlyArray<infer V> }
					? V
					: F extends { kind: 'record'; fields: infer G extends Fields }
						? RecordOf<G>
						: F extends { kind: 'list'; of: infer R extends RecordField }
							? Array<ValueOf<R>>
							: never;

/** A record's value: whether an element is required is not specified, so each may be absent or nil. */
export type RecordOf<G extends Fields> = { -readonly [E in keyof G]?: ValueOf<G[E]> | null };
