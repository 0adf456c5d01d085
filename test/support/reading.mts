/** Documents and answers, as the sources read them. */
import { resultField, type Operation } from '../../nodes/shared/contract/operation.ts';
import { readAnswer } from '../../nodes/shared/soap/read.ts';
import type { XmlElement } from '../../nodes/shared/soap/xml.ts';

/** Namespace of the employee service. */
export const EMPLOYEE_NS = 'http://payroll.example/soap/v3/EmployeeService';

/** An element without the prefixes that it and its children bind. */
interface XmlContent extends Omit<XmlElement, 'children' | 'scope'> {
	readonly children: readonly XmlContent[];
}

/** Returns what an element says, whatever its prefixes. */
export function contentOf({ scope: _, children, ...element }: XmlElement): XmlContent {
	return { ...element, children: children.map(contentOf) };
}

/** Reads an answer to an operation of the contract as the value of its result, or as a fault. */
export function readResult(operation: Operation, namespace: string, text: string) {
	const answer = readAnswer(operation, namespace, text);
	if (answer.kind === 'fault') return { kind: answer.kind };
	const [name = ''] = resultField(operation) ?? [];
	return { kind: answer.kind, result: answer.result[name] };
}
