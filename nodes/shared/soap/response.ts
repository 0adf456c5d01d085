import type { IDataObject } from 'n8n-workflow';
import type { RecordContent } from '../contract/fields';
import type { Operation } from '../contract/operation';
import { UnreadableError } from '../errors/ServiceError';
import { soapVersions } from './envelope';
import { readFault, type Fault } from './fault';
import { parseXml } from './parseXml';
import { FieldReader, refuseText } from './readFields';
import { childrenOf, type XmlElement } from './xml';

/** The content of an envelope. */
export type SoapAnswer =
	| { readonly kind: 'result'; readonly result: IDataObject }
	| { readonly kind: 'fault'; readonly fault: Fault };

const ENVELOPES: ReadonlySet<string> = new Set(
	Object.values(soapVersions).map((version) => version.namespace),
);

function bodyOf(root: XmlElement): XmlElement {
	if (root.name !== 'Envelope' || !ENVELOPES.has(root.namespace)) {
		const got = root.name === 'Envelope' ? `one of "${root.namespace}"` : `<${root.name}>`;
		throw new UnreadableError(`Expected a SOAP envelope, got ${got}`);
	}
	const [body, second] = childrenOf(root, root.namespace, 'Body');
	if (body === undefined || second !== undefined) {
		throw new UnreadableError(`Expected one Body in the SOAP envelope of ${root.namespace}`);
	}
	for (const node of [root, body]) refuseText(node);
	return body;
}

/**
 * Reads the answer to a call (docs/dev/interface.md, section 4.3, rule 5). Elements are found by
 * namespace and local name.
 *
 * @param namespace the service's namespace
 * @returns the values of the response element, see {@link readResponse}, or the fault
 * @throws {XmlError} if the text is not well-formed XML
 * @throws {UnreadableError} if it is not an answer to this operation
 */
export function readAnswer(
	operation: Pick<Operation, 'name' | 'response'>,
	namespace: string,
	text: string,
): SoapAnswer {
	const root = parseXml(text);
	const body = bodyOf(root);
	const [response, ...others] = body.children;
	if (response === undefined || others.length > 0) {
		const count = body.children.length;
		throw new UnreadableError(`Expected one element in the SOAP body, got ${count}`);
	}
	if (response.name === 'Fault' && response.namespace === root.namespace) {
		return { kind: 'fault', fault: readFault(response) };
	}
	if (response.name !== `${operation.name}Response` || response.namespace !== namespace) {
		const { name, namespace: other } = response;
		const expected = `${operation.name}Response of ${namespace}`;
		throw new UnreadableError(`Expected ${expected}, got ${name} of ${other}`);
	}
	return { kind: 'result', result: readResponse(operation.response, response, namespace) };
}

/**
 * Reads the response element of an operation. Elements that have no field are kept as they are.
 *
 * @param content the operation's response
 * @param service the service's namespace
 * @returns the values of its fields by name. A list that is not set is empty; other optional fields
 * that are not set are absent.
 * @throws {UnreadableError} if a value is not of its field's kind, or a required field is absent; it is
 * then never read as an empty result
 */
function readResponse(content: RecordContent, response: XmlElement, service: string): IDataObject {
	const { fields, others } = content;
	const values = new FieldReader(service).read(content, response);
	const other = response.children.find(
		({ name }) => others === undefined && !Object.hasOwn(fields, name),
	);
	for (const [name, { kind, required, nillable }] of Object.entries(fields)) {
		const isRead = Object.hasOwn(values, name);
		if (isRead && values[name] !== null) continue;
		const isList = kind === 'list' || kind === 'repeated';
		const isNil = isRead && (isList || nillable === true);
		if (required === true && kind !== 'repeated' && !isNil) {
			throw new UnreadableError(`Expected a value in ${name}, got none`);
		}
		if (!isList) continue;
		// Never take another answer for an empty list.
		if (!isRead && other !== undefined) {
			throw new UnreadableError(`Expected ${name}, got ${other.name}`);
		}
		// For an empty list, ASP.NET omits the element or marks it as nil.
		values[name] = [];
	}
	return values;
}
