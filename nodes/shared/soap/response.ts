import type { IDataObject } from 'n8n-workflow';
import type { Field, RecordField } from '../contract/fields';
import type { ResultOf, SoapOperation } from '../contract/operations';
import { soapVersions } from './envelope';
import { readFault, type Fault } from './fault';
import { scalars } from './scalars';
import { addUntyped } from './untyped';
import { isNil, parseXml, type XmlElement } from './xml';

/** A document that is no answer to the call: not XML, no envelope, or another operation's. */
export class ResponseError extends Error {
	override readonly name = 'ResponseError';
}

/** What an envelope holds. */
export type SoapAnswer<T> =
	| { readonly kind: 'result'; readonly result: T }
	| { readonly kind: 'fault'; readonly fault: Fault };

const ENVELOPES: ReadonlySet<string> = new Set(
	Object.values(soapVersions).map((version) => version.namespace),
);

function readRecord(
	record: RecordField,
	node: XmlElement,
	namespace: string,
	path: string,
): IDataObject {
	const value: IDataObject = {};
	for (const child of node.children) {
		const { name } = child;
		const field = Object.hasOwn(record.fields, name) ? record.fields[name] : undefined;
		if (field === undefined) {
			addUntyped(value, child);
			continue;
		}
		const childPath = `${path}.${name}`;
		// Under the field's name a stranger would have any type.
		if (child.namespace !== namespace) {
			throw new ResponseError(
				`Expected ${childPath} of ${namespace}, got it of "${child.namespace}"`,
			);
		}
		if (Object.hasOwn(value, name)) throw twice(childPath);
		value[name] = readValue(field, child, namespace, childPath) as IDataObject[string];
	}
	return value;
}

function twice(path: string): ResponseError {
	return new ResponseError(`The element ${path} stands in the answer twice`);
}

function readValue(field: Field, node: XmlElement, namespace: string, path: string): unknown {
	if (isNil(node)) return null;
	if (field.kind === 'record') return readRecord(field, node, namespace, path);
	if (field.kind === 'list') {
		return node.children.map((row, i) => {
			if (row.name !== field.of.type || row.namespace !== namespace) {
				throw new ResponseError(`Expected ${field.of.type} in ${path}, got ${row.name}`);
			}
			return readRecord(field.of, row, namespace, `${path}[${i}]`);
		});
	}
	if (node.children.length > 0) throw new ResponseError(`Expected a single value in ${path}`);
	const { read, expected } = scalars[field.kind];
	const value = read(node.text);
	if (value === undefined) {
		const got = JSON.stringify(node.text.slice(0, 60));
		throw new ResponseError(`${path}: expected ${expected}, got ${got}`);
	}
	return value;
}

function readResult(operation: SoapOperation, response: XmlElement, namespace: string): unknown {
	const { result: field, name } = operation;
	const path = `${name}Result`;
	const results = response.children.filter(
		(child) => child.name === path && child.namespace === namespace,
	);
	if (results.length > 1) throw twice(path);
	const [node] = results;
	if (field === undefined) return undefined;
	// ASP.NET leaves the element of a list without rows out, or marks it as nil.
	if (field.kind === 'list' && (node === undefined || isNil(node))) {
		if (node === undefined && response.children.length > 0) {
			throw new ResponseError(`Expected ${path}, got ${response.children[0]?.name}`);
		}
		return [];
	}
	if (node === undefined || isNil(node)) {
		throw new ResponseError(`Expected a value in ${path}, got none`);
	}
	return readValue(field, node, namespace, path);
}

function bodyOf(root: XmlElement): XmlElement {
	if (root.name !== 'Envelope' || !ENVELOPES.has(root.namespace)) {
		throw new ResponseError(`Expected a SOAP envelope, got <${root.name}>`);
	}
	const bodies = root.children.filter(
		(child) => child.name === 'Body' && child.namespace === root.namespace,
	);
	const [body] = bodies;
	if (body === undefined || bodies.length > 1) {
		throw new ResponseError('Expected one Body in the SOAP envelope');
	}
	return body;
}

/**
 * Opens the answer to a call (interface.md section 4.3, rule 5), by namespace and local name.
 *
 * @param namespace the service's namespace
 * @param read what to make of the response element
 * @returns what `read` gave, or the fault
 * @throws {XmlError} where the text is not XML, {ResponseError} where it is no answer to this
 * operation
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
		throw new ResponseError(`Expected one element in the SOAP body, got ${body.children.length}`);
	}
	if (response.name === 'Fault' && response.namespace === root.namespace) {
		return { kind: 'fault', fault: readFault(response) };
	}
	if (response.name !== `${operation.name}Response` || response.namespace !== namespace) {
		throw new ResponseError(
			`Expected ${operation.name}Response of ${namespace}, got ${response.name} of ${response.namespace}`,
		);
	}
	return { kind: 'result', result: read(response) };
}

/**
 * Reads the answer to a call of the contract (see {@link readAnswer}); elements of a record that the
 * contract does not know are passed on as they are.
 *
 * @returns the result's value, or the fault
 * @throws {XmlError | ResponseError} never an empty result
 */
export function readEnvelope<O extends SoapOperation>(
	operation: O,
	namespace: string,
	text: string,
): SoapAnswer<ResultOf<O>> {
	return readAnswer(
		operation,
		namespace,
		text,
		(response) => readResult(operation, response, namespace) as ResultOf<O>,
	);
}
