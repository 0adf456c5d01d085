import type { IDataObject } from 'n8n-workflow';
import { checkUntyped, untypedText, type UntypedElements } from '../contract/untyped';
import { isObject } from '../contract/values';
import { ServiceError } from '../errors/ServiceError';
import { joinNames } from '../errors/words';
import { escapeXml, isNil, type XmlElement } from './xml';

/**
 * Content of an element of unknown type: a text, child elements, or `null` if the element is nil.
 */
export type UntypedValue = IDataObject | string | null;

/** Adds an element of unknown type to a record; elements of the same name become a list. */
export function addUntyped(record: IDataObject, node: XmlElement): void {
	const { name } = node;
	const read = readUntyped(node);
	const earlier = Object.hasOwn(record, name) ? record[name] : undefined;
	if (earlier === undefined) record[name] = read;
	// No single value is a list, so an earlier call created this list.
	else if (Array.isArray(earlier)) (earlier as Array<typeof read>).push(read);
	else record[name] = [earlier, read] as IDataObject[string];
}

/**
 * Returns the value of an element of unknown type: its text, an object of its children, or `null`.
 */
export function readUntyped(node: XmlElement): UntypedValue {
	if (isNil(node)) return null;
	if (node.children.length === 0) return node.text;
	const value: IDataObject = {};
	for (const child of node.children) addUntyped(value, child);
	return value;
}

/** Writes elements whose names and values are valid. */
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
 * Writes elements of unknown types as XML, in the order given. A text, number or boolean becomes
 * the element's text, an object its children, and a list repeats the element. An unset value
 * (`null`) has no element.
 *
 * @throws {InputError} naming every name and value that XML cannot carry
 */
export function writeUntyped(elements: UntypedElements): string {
	checkUntyped(elements);
	return writeElements(elements);
}

/**
 * Finds the elements at a path of names below an answer's response element, in document order. An
 * element without children has no rows: an empty list looks like that.
 *
 * @throws {ServiceError} if other elements are found instead of a name, so that a wrong path is not
 * mistaken for an empty list
 */
export function elementsAt(response: XmlElement, path: readonly string[]): readonly XmlElement[] {
	let found: readonly XmlElement[] = [response];
	for (const name of path) {
		const children = found.flatMap((node) => node.children);
		const next = children.filter((child) => child.name === name);
		if (next.length === 0 && children.length > 0) {
			const others = joinNames([...new Set(children.map((child) => child.name))]);
			throw new ServiceError('otherContent', `The answer contains no ${name} at the result path`, {
				description: `It contains this instead: ${others}. Correct 'Result Path'.`,
			});
		}
		found = next;
	}
	return found;
}
