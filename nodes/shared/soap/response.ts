import type { IDataObject } from 'n8n-workflow';
import type { SchemaFields, TypedOperation } from '../contract/schemaFields';
import { texts } from '../errors/catalogue';
import { ownEntry } from '../values/values';
import { soapVersions } from './envelope';
import { readFault, type Fault } from './fault';
import { parseXml } from './parseXml';
import { readContent, ResponseError } from './readFields';
import type { XmlElement } from './xml';

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

function bodyOf(root: XmlElement): XmlElement {
	if (root.name !== 'Envelope' || !ENVELOPES.has(root.namespace)) {
		throw new ResponseError(texts.answers.noEnvelope, { name: root.name });
	}
	const [body, second] = childrenOf(root, 'Body', root.namespace);
	if (body === undefined || second !== undefined) throw new ResponseError(texts.answers.bodies);
	return body;
}

/**
 * Reads the answer to a call (docs/dev/interface.md, section 4.3, rule 5). Elements are found by
 * namespace and local name.
 *
 * @param namespace the service's namespace
 * @param read reads the response element
 * @returns the result of `read`, or the fault
 * @throws {XmlError} if the text is not well-formed XML
 * @throws {ResponseError} if it is not an answer to this operation
 */
export function readAnswer<T>(
	operation: Pick<TypedOperation, 'name'>,
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

/** Whether an element is that of a field: of the field's namespace, or of any if it is unsupported. */
function isOfField(
	fields: SchemaFields,
	{ name, namespace }: XmlElement,
	service: string,
): boolean {
	const field = ownEntry(fields, name);
	if (field === undefined) return false;
	if (field.kind === 'any' && field.unsupported !== undefined) return true;
	const { namespace: own = service } = field.kind === 'repeated' ? field.of : field;
	return namespace === own;
}

/** Reads the response element. Beside the element of a field, others with its name do not matter. */
function readResponse(
	{ response: content }: TypedOperation,
	response: XmlElement,
	service: string,
): IDataObject {
	const { fields, others } = content;
	const ofFields = response.children.filter((child) => isOfField(fields, child, service));
	const read = new Set(ofFields.map(({ name }) => name));
	const children = response.children.filter(
		(child) => !read.has(child.name) || isOfField(fields, child, service),
	);
	const values = readContent(content, { ...response, children }, service, undefined);
	const other = children.find(({ name }) => others === undefined && !Object.hasOwn(fields, name));
	for (const [name, { kind, required, nillable }] of Object.entries(fields)) {
		const isRead = Object.hasOwn(values, name);
		if (isRead && values[name] !== null) continue;
		const isList = kind === 'list' || kind === 'repeated';
		const isNil = isRead && (isList || nillable === true);
		if (required === true && kind !== 'repeated' && !isNil) {
			throw new ResponseError(texts.answers.noValue, { name });
		}
		if (!isList) continue;
		// Never take another answer for an empty list.
		if (!isRead && other !== undefined) {
			throw new ResponseError(texts.answers.element, { name, other: other.name });
		}
		// For an empty list, ASP.NET omits the element or marks it as nil.
		values[name] = [];
	}
	return values;
}

/**
 * Reads the answer to an operation, see {@link readAnswer}. Elements that have no field are kept as
 * they are.
 *
 * @param namespace the service's namespace
 * @returns the values of the response element's fields by name, or the fault. A list that is not set
 * is empty; other optional fields that are not set are absent.
 * @throws {XmlError | ResponseError} if the answer cannot be read, or a required field is absent; it
 * is then never read as an empty result
 */
export function readTyped(
	operation: TypedOperation,
	namespace: string,
	text: string,
): SoapAnswer<IDataObject> {
	return readAnswer(operation, namespace, text, (response) =>
		readResponse(operation, response, namespace),
	);
}
