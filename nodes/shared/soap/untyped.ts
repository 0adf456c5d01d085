import type { IDataObject } from 'n8n-workflow';
import { checkUntyped, untypedText, type UntypedElements } from '../contract/untyped';
import { isObject } from '../contract/values';
import { ServiceError } from '../errors/ServiceError';
import { inWords } from '../errors/words';
import { escapeXml, isNil, type XmlElement } from './xml';

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

/** Writes elements whose names and values were checked. */
function writeElements(elements: UntypedElements): string {
	const written = elements.flatMap(([name, value]) =>
		[value].flat().map((one: unknown) => {
			if (one === undefined || one === null) return '';
			const content = isObject(one)
				? writeElements(Object.entries(one))
				: escapeXml(untypedText(one));
			return `<${name}>${content}</${name}>`;
		}),
	);
	return written.join('');
}

/**
 * Writes elements whose types the contract does not know, in the order given: a text, number or
 * boolean is the element's text, an object its children, and a list repeats the element. Not set
 * (`null`) gives no element.
 *
 * @throws {InputError} with every name and value that XML cannot carry
 */
export function writeUntyped(elements: UntypedElements): string {
	checkUntyped(elements);
	return writeElements(elements);
}

/**
 * The elements at a path of names below an answer's response element, in document order. An element
 * without any children has no rows: that is how an empty list looks.
 *
 * @throws {ServiceError} where other elements stand in the place of a name, so that a wrong path is
 * not taken for an empty list
 */
export function elementsAt(response: XmlElement, path: readonly string[]): readonly XmlElement[] {
	let found: readonly XmlElement[] = [response];
	for (const name of path) {
		const children = found.flatMap((node) => node.children);
		const next = children.filter((child) => child.name === name);
		if (next.length === 0 && children.length > 0) {
			const others = inWords([...new Set(children.map((child) => child.name))]);
			throw new ServiceError('otherContent', `The answer holds no ${name} at the result path`, {
				description: `In that place it holds ${others}. Correct 'Result Path'.`,
			});
		}
		found = next;
	}
	return found;
}
