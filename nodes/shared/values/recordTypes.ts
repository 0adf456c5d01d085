/** The types that a record can have: its own, and those derived from it. */
import { TYPE, type RecordField } from '../contract/fields';
import { distinct } from '../errors/words';
import { ownEntry, type Values } from './values';

type RecordTypes = ReadonlyMap<string, RecordField>;

/** Many fields may be of one type: they share the list of its derived types, which are named once. */
const known = new WeakMap<readonly RecordField[], RecordTypes>();

/**
 * Returns the types that a record can be sent as, by the names that values have for them: the local
 * name, or `{namespace}Name` if several types have the same local name.
 */
export function typesOf(record: RecordField): RecordTypes {
	const { derived = [] } = record;
	const earlier = known.get(derived);
	if (earlier !== undefined) return earlier;
	const types = [...(record.isAbstract === true ? [] : [record]), ...derived];
	const names = distinct(
		types.map(({ type }) => type),
		(name, i) => {
			const { typeNamespace } = types[i] ?? {};
			return typeNamespace === undefined ? name : `{${typeNamespace}}${name}`;
		},
	);
	const byName = new Map(types.map((type, i) => [names[i] ?? '', type]));
	known.set(derived, byName);
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
	const type = typeof name === 'string' ? typesOf(record).get(name) : undefined;
	const isOwn = type?.type === record.type && type.typeNamespace === record.typeNamespace;
	// Another field may have been the first of this type.
	return isOwn ? record : type;
}
