/** The keys of a call of any operation: whom it is about. */
import { isEmpty } from '../../values/values';
import { soapOperations } from '../../contract/operations';
import type { Fields, RecordContent } from '../../contract/fields';
import { keysOf } from '../../contract/operation';
import { Columns } from '../../form/mapping/columns';
import { flatten } from '../../form/names';
import { identifierInItem } from '../../form/requestValues';
import type { Values } from '../../values/values';

/** The request elements that the known operations use as keys (employee or company, and period). */
export const KEYS: Fields = Object.assign(
	{},
	...soapOperations.map(({ request }) => keysOf(request.fields)),
);

/** The keys of a call by the names of their columns. */
const KEY_COLUMNS = new Columns(flatten(KEYS));

/** Returns the key that an element or a column is for, whatever its case. */
const keyNamed = (name: string): string | undefined => KEY_COLUMNS.find(name)?.path[0];

/** The keys of a call (employee or company, and period), by element name. */
type Keys = Readonly<Record<string, number | string>>;

/** Returns the keys of a call: those that have a single text or number, in a list or not. */
export function keysIn(values: Values): Keys {
	const found = Object.entries(values).flatMap(([given, value]) => {
		const [single, ...others] = [value].flat() as unknown[];
		const isSingle = typeof single === 'number' || (typeof single === 'string' && !isEmpty(single));
		const name = isSingle && others.length === 0 ? keyNamed(given) : undefined;
		return name === undefined ? [] : [{ name, given, key: identifierInItem(String(single)) }];
	});
	const keys = Object.keys(KEYS).flatMap((name) => {
		const named = found.filter((one) => one.name === name);
		const one = named.find(({ given }) => given === name) ?? named[0];
		return one === undefined ? [] : [[name, one.key]];
	});
	return Object.fromEntries(keys) as Keys;
}

/** Returns the keys that a request has: an input item may have others. */
export function keysSent(keys: Keys, { fields, isOpen }: RecordContent): Keys {
	const names = new Set(Object.keys(fields).map(keyNamed));
	const sent = Object.entries(keys).filter(([name]) => isOpen === true || names.has(name));
	return Object.fromEntries(sent);
}
