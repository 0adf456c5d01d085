/** The types that a record can have: its own, and those derived from it. */
import { TYPE, type RecordField } from '../contract/fields';
import { ownEntry, type Values } from './values';

type RecordTypes = ReadonlyMap<string, RecordField>;

/** A record occurs in every row of a list, so its types are named once. */
const known = new WeakMap<RecordField, RecordTypes>();

/**
 * Returns the types that a record can be sent as, by the names that values have for them: the local
 * name, or `{namespace}Name` if several types have the same local name.
 */
export function typesOf(record: RecordField): RecordTypes {
	const earlier = known.get(record);
	if (earlier !== undefined) return earlier;
	const types = [...(record.isAbstract === true ? [] : [record]), ...(record.derived ?? [])];
	const counts = new Map<string, number>();
	for (const { type } of types) counts.set(type, (counts.get(type) ?? 0) + 1);
	const byName = new Map(
		types.map((type) => {
			const isUnique = type.typeNamespace === undefined || counts.get(type.type) === 1;
			return [isUnique ? type.type : `{${type.typeNamespace}}${type.type}`, type];
		}),
	);
	known.set(record, byName);
	return byName;
}

/** Whether a record can be of another type than its own. */
export function hasTypes({ derived, isAbstract }: RecordField): boolean {
	return derived !== undefined || isAbstract === true;
}

/** Returns the type that a value names, else the record itself; `undefined` if it cannot be sent. */
export function typeOf(record: RecordField, value: Readonly<Values>): RecordField | undefined {
	if (!hasTypes(record)) return record;
	const name = ownEntry(value, TYPE) ?? undefined;
	if (name === undefined && record.isAbstract !== true) return record;
	return typeof name === 'string' ? typesOf(record).get(name) : undefined;
}
