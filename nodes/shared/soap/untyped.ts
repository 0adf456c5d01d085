import type { IDataObject } from 'n8n-workflow';
import { isNil, type XmlElement } from './xml';

/** What an element of unknown type holds: text, further elements, or nothing (`nil`). */
export type UntypedValue = IDataObject | string | null;

/** Adds an element of unknown type to an object; one that repeats becomes a list. */
export function addUntyped(record: IDataObject, node: XmlElement): void {
	const { name } = node;
	const read = readUntyped(node);
	const earlier = Object.hasOwn(record, name) ? record[name] : undefined;
	if (earlier === undefined) record[name] = read;
	// No value is a list by itself, so this one was begun here.
	else if (Array.isArray(earlier)) (earlier as Array<typeof read>).push(read);
	else record[name] = [earlier, read] as IDataObject[string];
}

/** The value of an element of unknown type: its text, or an object of its children. */
export function readUntyped(node: XmlElement): UntypedValue {
	if (isNil(node)) return null;
	if (node.children.length === 0) return node.text;
	const value: IDataObject = {};
	for (const child of node.children) addUntyped(value, child);
	return value;
}
