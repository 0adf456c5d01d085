import { at, collect, faulty, invalid, missing } from '../errors/InputError';
import { ServiceError } from '../errors/ServiceError';
import { inWords, isEmpty, shown } from '../errors/words';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';
import { callElements, type SoapTarget } from './call';
import { serviceNamespace } from './envelope';
import { readAnswer } from './response';
import { scalars } from './scalars';
import { readUntyped, type UntypedValue } from './untyped';
import { escapeXml, isXmlName, type XmlElement } from './xml';

/** An operation's name stands in the `SOAPAction` header too, which carries no other letters. */
const OPERATION_NAME = /^[A-Za-z_][\w.-]*$/;

/** As deep as the reader of answers goes. */
const MAX_DEPTH = 64;

/**
 * Checks the name of an operation that the contract does not know.
 *
 * @throws {InputError} where it is none
 */
export function checkOperationName(name: unknown): string {
	if (isEmpty(name)) throw missing();
	if (typeof name !== 'string' || !OPERATION_NAME.test(name)) {
		throw invalid(`${shown(name)} is not the name of an operation, such as CostCenter_Get.`);
	}
	return name;
}

/** @throws {InputError} where the name is none */
export function checkElementName(name: unknown): string {
	if (isEmpty(name)) throw missing();
	if (typeof name !== 'string' || !isXmlName(name)) {
		throw invalid(`${shown(name)} is not the name of an XML element without a prefix.`);
	}
	return name;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function writeText(value: unknown): string {
	if (typeof value === 'boolean') return String(value);
	if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw invalid(`${shown(value)} has more than 15 digits. Write them as a text.`);
	}
	return escapeXml(scalars.string.write(value, { kind: 'string' }));
}

/**
 * Writes elements whose types the contract does not know, in the order given: a text, number or
 * boolean is the element's text, an object its children, and a list repeats the element. Not set
 * (`null`) gives no element.
 *
 * @param values pairs of an element's name and its value
 * @throws {InputError} with every name and value that XML cannot carry
 */
export function writeUntyped(
	values: ReadonlyArray<readonly [name: string, value: unknown]>,
	depth = 1,
): string {
	if (depth > MAX_DEPTH) throw faulty(`is nested deeper than ${MAX_DEPTH} levels.`);
	const elements = collect(values, ([name, value]) =>
		at(name, () => {
			checkElementName(name);
			if (!Array.isArray(value)) return writeElement(name, value, depth);
			return collect(value, (entry, i) => at(i, () => writeElement(name, entry, depth))).join('');
		}),
	);
	return elements.join('');
}

function writeElement(name: string, value: unknown, depth: number): string {
	if (value === undefined || value === null) return '';
	const content = isObject(value)
		? writeUntyped(Object.entries(value), depth + 1)
		: writeText(value);
	return `<${name}>${content}</${name}>`;
}

/**
 * The elements at a path of names below an answer's response element, in document order. An element
 * without any children has no rows: that is how an empty list looks.
 *
 * @throws {ServiceError} where other elements stand in the place of a name, so that a wrong path is
 * not taken for an empty list
 */
function elementsAt(response: XmlElement, path: readonly string[]): readonly XmlElement[] {
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

/**
 * Calls an operation that the contract need not know (docs/interface.md, section 4.3; the
 * complete list is not specified).
 *
 * @param children the elements inside the operation's own one, see {@link writeUntyped}
 * @param resultPath names of elements below the response element, down to the one that repeats;
 * `undefined` for the whole answer
 * @returns the values found, each a text, an object of further values, or `null` for a nil element
 * @throws {ServiceError} where the call failed, or its answer has something else at the path
 */
export async function callUntyped(
	exchange: Exchange,
	connection: Connection,
	operation: SoapTarget,
	children: string,
	resultPath: readonly string[] | undefined,
): Promise<UntypedValue[]> {
	const namespace = serviceNamespace(connection.soapNamespace, operation.service);
	const response = await callElements(exchange, connection, operation, children, (text) =>
		readAnswer(operation, namespace, text, (element) => element),
	);
	return elementsAt(response, resultPath ?? []).map(readUntyped);
}
