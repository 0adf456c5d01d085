/** SOAP 1.1 answers of the employee service. */
import type { IDataObject } from 'n8n-workflow';
import type { TypedOperation } from '../../nodes/shared/contract/schemaFields.ts';
import {
	resultElement,
	typedOperation,
	type SoapOperation,
} from '../../nodes/shared/contract/soapOperation.ts';
import { wrapRequest, writeRequest } from '../../nodes/shared/soap/envelope.ts';
import { readAnswer, readResponse, type SoapAnswer } from '../../nodes/shared/soap/response.ts';
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
	operation: SoapOperation,
	request: Readonly<Record<string, unknown>>,
): string {
	return wrapRequest(connection, operation, writeRequest({ fields: operation.request }, request));
}

/** Reads an answer to an operation as the values of its response, or as a fault. */
export function readTyped(
	operation: TypedOperation,
	namespace: string,
	text: string,
): SoapAnswer<IDataObject> {
	return readAnswer(operation, namespace, text, (response) =>
		readResponse(operation.response, response, namespace),
	);
}

/** Reads an answer to an operation of the contract as the value of its result, or as a fault. */
export function readResult(
	operation: SoapOperation,
	namespace: string,
	text: string,
): SoapAnswer<unknown> {
	const answer = readTyped(typedOperation(operation), namespace, text);
	if (answer.kind === 'fault') return answer;
	return { kind: 'result', result: answer.result[resultElement(operation.name)] };
}
