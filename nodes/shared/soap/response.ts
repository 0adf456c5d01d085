import type { IDataObject } from 'n8n-workflow';
import type { DescribedOperation } from '../contract/schemaFields';
import type { SoapOperation } from '../contract/soapOperation';
import { texts } from '../errors/catalogue';
import { soapVersions } from './envelope';
import { readFault, type Fault } from './fault';
import { parseXml } from './parseXml';
import { duplicateElement, readContent, readValue, ResponseError } from './readFields';
import { isNil, type XmlElement } from './xml';

/** The content of an envelope. */
export type SoapAnswer<T> =
	| { readonly kind: 'result'; readonly result: T }
	| { readonly kind: 'fault'; readonly fault: Fault };

const ENVELOPES: ReadonlySet<string> = new Set(
	Object.values(soapVersions).map((version) => version.namespace),
);

function childrenOf({ children }: XmlElement, name: string, namespace: string): XmlElement[] {
	return children.filter((child) => child.name === name && child.namespace === namespace);
}

function readResult(operation: SoapOperation, response: XmlElement, namespace: string): unknown {
	const { result: field } = operation;
	const name = `${operation.name}Result`;
	const [node, second] = childrenOf(response, name, namespace);
	if (second !== undefined) throw duplicateElement(name);
	if (field === undefined) return undefined;
	if (node !== undefined && !isNil(node)) {
		return readValue(field, node, { namespace, readsTypes: false }, undefined);
	}
	if (field.kind !== 'list') throw new ResponseError(texts.answers.noValue, { name });
	// For an empty list, ASP.NET omits the element or marks it as nil.
	const [other] = node === undefined ? response.children : [];
	if (other !== undefined) {
		throw new ResponseError(texts.answers.element, { name, other: other.name });
	}
	return [];
}

function bodyOf(root: XmlElement): XmlElement {
	if (root.name !== 'Envelope' || !ENVELOPES.has(root.namespace)) {
		throw new ResponseError(texts.answers.noEnvelope, { name: root.name });
	}
	const [body, second] = childrenOf(root, 'Body', root.namespace);
	if (body === undefined || second !== undefined) throw new ResponseError(texts.answers.bodies);
	return body;
}

/**
 * Reads the answer to a call (docs/interface.md, section 4.3, rule 5). Elements are found by
 * namespace and local name.
 *
 * @param namespace the service's namespace
 * @param read reads the response element
 * @returns the result of `read`, or the fault
 * @throws {XmlError} if the text is not well-formed XML
 * @throws {ResponseError} if it is not an answer to this operation
 */
export function readAnswer<T>(
	operation: Pick<SoapOperation, 'name'>,
	namespace: string,
	text: string,
	read: (response: XmlElement) => T,
): SoapAnswer<T> {
	const root = parseXml(text);
	const body = bodyOf(root);
	const [response, ...others] = body.children;
	if (response === undefined || others.length > 0) {
		const count = body.children.length;
		throw new ResponseError(texts.answers.bodyElements, { count });
	}
	if (response.name === 'Fault' && response.namespace === root.namespace) {
		return { kind: 'fault', fault: readFault(response) };
	}
	if (response.name !== `${operation.name}Response` || response.namespace !== namespace) {
		const { name, namespace: other } = response;
		const values = { operation: operation.name, namespace, name, other };
		throw new ResponseError(texts.answers.response, values);
	}
	return { kind: 'result', result: read(response) };
}

/**
 * Reads the answer to an operation of the contract, see {@link readAnswer}. Elements of a record
 * that the contract does not define are kept as they are.
 *
 * @returns the result's value, or the fault
 * @throws {XmlError | ResponseError} if the answer cannot be read; it is then never read as an empty
 * result
 */
export function readEnvelope(
	operation: SoapOperation,
	namespace: string,
	text: string,
): SoapAnswer<unknown> {
	return readAnswer(operation, namespace, text, (response) =>
		readResult(operation, response, namespace),
	);
}

/** Reads the response element of an operation that the service's description defines. */
function readResponse(
	{ response: content }: DescribedOperation,
	response: XmlElement,
	namespace: string,
): IDataObject {
	const values = readContent(content, response, { namespace, readsTypes: true }, undefined);
	const { fields, others } = content;
	const isOpen = others !== undefined;
	const other = response.children.find(({ name }) => !isOpen && !Object.hasOwn(fields, name));
	for (const [name, { kind, required }] of Object.entries(fields)) {
		const isList = kind === 'list' || kind === 'repeated';
		const isRead = Object.hasOwn(values, name);
		if (!isRead && required === true && kind !== 'repeated') {
			throw new ResponseError(texts.answers.noValue, { name });
		}
		// Never take another answer for an empty list.
		if (isList && !isRead && other !== undefined) {
			throw new ResponseError(texts.answers.element, { name, other: other.name });
		}
		// For an empty list, ASP.NET omits the element or marks it as nil.
		if (isList && (!isRead || values[name] === null)) values[name] = [];
	}
	return values;
}

/**
 * Reads the answer to an operation that the service's description defines, see {@link readAnswer}.
 * Elements that the description does not define are kept as they are.
 *
 * @param namespace the service's namespace
 * @returns the values of the response element's fields by name, or the fault. A list that is not set
 * is empty; other optional fields that are not set are absent.
 * @throws {XmlError | ResponseError} if the answer cannot be read, or a required field is absent
 */
export function readDescribed(
	operation: DescribedOperation,
	namespace: string,
	text: string,
): SoapAnswer<IDataObject> {
	return readAnswer(operation, namespace, text, (response) =>
		readResponse(operation, response, namespace),
	);
}
