import type { IDataObject } from 'n8n-workflow';
import type { Field, ListField, RecordField, ScalarField } from '../contract/fields';
import { scalars } from '../contract/scalars';
import type { ResultOf, SoapOperation } from '../contract/soapOperation';
import { ownEntry } from '../contract/values';
import { soapVersions } from './envelope';
import { readFault, type Fault } from './fault';
import { addUntyped } from './untyped';
import { isNil, type XmlElement } from './xml';
import { parseXml } from './parseXml';

/** The answer has no SOAP envelope, is for another operation, or does not fit the contract. */
export class ResponseError extends Error {
	override readonly name = 'ResponseError';
}

/** The content of an envelope. */
export type SoapAnswer<T> =
	| { readonly kind: 'result'; readonly result: T }
	| { readonly kind: 'fault'; readonly fault: Fault };

const ENVELOPES: ReadonlySet<string> = new Set(
	Object.values(soapVersions).map((version) => version.namespace),
);

/**
 * The path of an element in the answer, as a linked list. It is formatted only for an error, to save
 * time.
 */
interface ElementPath {
	readonly name: string;
	/** Row index, if the element is a row of a list. */
	readonly index?: number;
	readonly outer: ElementPath | undefined;
}

function formatPath({ name, index, outer }: ElementPath): string {
	const step = index === undefined ? name : `${name}[${index}]`;
	return outer === undefined ? step : `${formatPath(outer)}.${step}`;
}

function readRecord(
	record: RecordField,
	node: XmlElement,
	namespace: string,
	recordPath: ElementPath,
): IDataObject {
	const value: IDataObject = {};
	for (const child of node.children) {
		const { name } = child;
		const field = ownEntry(record.fields, name);
		if (field === undefined) {
			addUntyped(value, child);
			continue;
		}
		// A same-named element of another namespace may have another type.
		if (child.namespace !== namespace) {
			const path = formatPath({ name, outer: recordPath });
			throw new ResponseError(`Expected ${path} of ${namespace}, got one of "${child.namespace}"`);
		}
		if (Object.hasOwn(value, name)) throw duplicateElement(formatPath({ name, outer: recordPath }));
		value[name] = readValue(field, child, namespace, recordPath) as IDataObject[string];
	}
	return value;
}

function duplicateElement(path: string): ResponseError {
	return new ResponseError(`The answer contains the element ${path} twice`);
}

function readRows(
	{ of }: ListField,
	{ name, children }: XmlElement,
	namespace: string,
	outer: ElementPath | undefined,
): IDataObject[] {
	return children.map((row, index) => {
		if (row.name !== of.type || row.namespace !== namespace) {
			const path = formatPath({ name, outer });
			throw new ResponseError(`Expected ${of.type} in ${path}, got ${row.name}`);
		}
		return readRecord(of, row, namespace, { name, index, outer });
	});
}

function readScalar(
	field: ScalarField,
	node: XmlElement,
	outer: ElementPath | undefined,
): IDataObject[string] {
	const { name, children, text } = node;
	if (children.length > 0) {
		throw new ResponseError(`Expected a single value in ${formatPath({ name, outer })}`);
	}
	const { read, expected } = scalars[field.kind];
	const value = read(text);
	if (value === undefined) {
		const got = JSON.stringify(text.slice(0, 60));
		throw new ResponseError(`${formatPath({ name, outer })}: expected ${expected}, got ${got}`);
	}
	return value;
}

/** @param outer path of the parent element */
function readValue(
	field: Field,
	node: XmlElement,
	namespace: string,
	outer: ElementPath | undefined,
): unknown {
	if (isNil(node)) return null;
	if (field.kind === 'list') return readRows(field, node, namespace, outer);
	if (field.kind !== 'record') return readScalar(field, node, outer);
	return readRecord(field, node, namespace, { name: node.name, outer });
}

function readResult(operation: SoapOperation, response: XmlElement, namespace: string): unknown {
	const { result: field } = operation;
	const name = `${operation.name}Result`;
	const results = response.children.filter(
		(child) => child.name === name && child.namespace === namespace,
	);
	if (results.length > 1) throw duplicateElement(name);
	const [node] = results;
	if (field === undefined) return undefined;
	// For an empty list, ASP.NET omits the element or marks it as nil.
	if (field.kind === 'list' && (node === undefined || isNil(node))) {
		if (node === undefined && response.children.length > 0) {
			throw new ResponseError(`Expected ${name}, got ${response.children[0]?.name}`);
		}
		return [];
	}
	if (node === undefined || isNil(node)) {
		throw new ResponseError(`Expected a value in ${name}, got none`);
	}
	return readValue(field, node, namespace, undefined);
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
 * Reads the answer to an operation of the contract, see {@link readAnswer}. Elements of a record
 * that the contract does not define are kept as they are.
 *
 * @returns the result's value, or the fault
 * @throws {XmlError | ResponseError} if the answer cannot be read; it is then never read as an empty
 * result
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
