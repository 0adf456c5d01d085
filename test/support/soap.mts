/** SOAP 1.1 answers of the employee service. */
import { resultField, type Operation } from '../../nodes/shared/contract/operation.ts';
import { UnreadableError } from '../../nodes/shared/errors/ServiceError.ts';
import { readAnswer } from '../../nodes/shared/soap/read.ts';
import { wrapRequest, writeRequest } from '../../nodes/shared/soap/write.ts';
import type { XmlElement } from '../../nodes/shared/soap/xml.ts';
import type { Canned } from './exchange.mts';

/** Namespace of the employee service. */
export const EMPLOYEE_NS = 'http://payroll.example/soap/v3/EmployeeService';

/** An answer whose body holds this XML. */
export function soapAnswer(body: string, status = 200): Canned {
	return {
		status,
		type: 'text/xml; charset=utf-8',
		body: `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${body}</e:Body></e:Envelope>`,
	};
}

/** The answer of an operation with this result. */
export function resultOf(operation: string, result: string): Canned {
	return soapAnswer(
		`<${operation}Response xmlns="${EMPLOYEE_NS}"><${operation}Result>${result}</${operation}Result></${operation}Response>`,
	);
}

/** An element without the prefixes that it and its children bind. */
export interface XmlContent extends Omit<XmlElement, 'children' | 'scope'> {
	readonly children: readonly XmlContent[];
}

/** Returns what an element says, whatever its prefixes. */
export function contentOf({ scope: _, children, ...element }: XmlElement): XmlContent {
	return { ...element, children: children.map(contentOf) };
}

/** Writes the envelope of a call. */
export function writeEnvelope(
	connection: Parameters<typeof wrapRequest>[0],
	operation: Operation,
	request: Readonly<Record<string, unknown>>,
): string {
	return wrapRequest(connection, operation, writeRequest(operation.request, request));
}

/** Reads an answer to an operation of the contract as the value of its result, or as a fault. */
export function readResult(operation: Operation, namespace: string, text: string) {
	const answer = readAnswer(operation, namespace, text);
	if (answer.kind === 'odd') throw new UnreadableError(answer.reason);
	if (answer.kind === 'fault') return { kind: answer.kind };
	const [name = ''] = resultField(operation) ?? [];
	return { kind: answer.kind, result: answer.result[name] };
}
