/** Errors of a node that cannot run as it is set, or has nothing to list in the editor. */
import { ServiceError } from './ServiceError';

/** The error of a node that cannot run as it is set. */
export interface UsageError {
	readonly code: string;
	readonly message: string;
	readonly description: string;
}

/** n8n's own operation, which refers to its HTTP Request node. */
export function customApiCall(): UsageError {
	return {
		code: 'CUSTOM_API_CALL',
		message: 'This node does not run Custom API Call',
		description:
			"Use n8n's HTTP Request node with this credential. To call any other SOAP operation, use Other Operation: Call of Payroll Employee or Payroll Company.",
	};
}

export function unknownOperation(operation: string, resource: string): UsageError {
	return {
		code: 'OPERATION_UNKNOWN',
		message: `The operation "${operation}" of "${resource}" is not known`,
		description:
			'The workflow was probably made with another version of this package. Choose the resource and the operation again.',
	};
}

export function notForAgents(operation: string, resource: string): UsageError {
	return {
		code: 'OPERATION_NOT_A_TOOL',
		message: `The operation "${operation}" of "${resource}" cannot be used as a tool of an AI agent`,
		description: 'Run it in a workflow, without an AI agent.',
	};
}

/** A list of the editor that is read with values that are not entered. */
export function valuesMissing(fields: string): ServiceError {
	return new ServiceError(
		'EDITOR_VALUES_MISSING',
		'reading',
		`Enter ${fields} first`,
		'The list is read with these values. If one is an expression, execute the previous nodes, so that the editor can evaluate it. Or enter the value by ID.',
	);
}

export function listTimeout(): ServiceError {
	return new ServiceError(
		'EDITOR_TIMEOUT',
		'reading',
		'The payroll service did not answer in time',
		'Open the list again later, or enter the value without the list.',
	);
}
