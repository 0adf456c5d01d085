import { ATTRIBUTE, type SchemaField, type SchemaFields } from './schemaFields';

/** A field with what is looked up for each of its values. All have one shape, which is fast. */
export interface ListedField {
	readonly name: string;
	readonly field: SchemaField;
	readonly namespace: string | undefined;
	readonly choice: number | undefined;
	readonly isRequired: boolean;
	readonly isNillable: boolean;
}

/** The fields of a record, in wire order. */
export interface FieldList {
	readonly all: readonly ListedField[];
	readonly attributes: readonly ListedField[];
	readonly content: readonly ListedField[];
}

/** A list has the same fields in each row. */
const known = new WeakMap<SchemaFields, FieldList>();

/** Lists the fields of a record. They must not change afterwards. */
export function listFields(fields: SchemaFields): FieldList {
	const earlier = known.get(fields);
	if (earlier !== undefined) return earlier;
	const all = Object.entries(fields).map(([name, field]): ListedField => {
		const { namespace, choice, required = false, nillable = false } = field;
		return { name, field, namespace, choice, isRequired: required, isNillable: nillable };
	});
	const isAttribute = ({ name }: ListedField): boolean => name.startsWith(ATTRIBUTE);
	const list: FieldList = {
		all,
		attributes: all.filter(isAttribute),
		content: all.filter((field) => !isAttribute(field)),
	};
	known.set(fields, list);
	return list;
}
