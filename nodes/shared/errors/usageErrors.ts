/** Errors of a node that cannot run as it is set, or has nothing to list in the editor. */
import { errorsOf } from './ServiceError';

const reading = errorsOf('reading');

/** n8n's own operation, which refers to its HTTP Request node. */
export const customApiCall = () =>
	reading(
		'CUSTOM_API_CALL',
		'This node does not run Custom API Call',
		"Use n8n's HTTP Request node with this credential. To call any other SOAP operation, use Other Operation: Call of Payroll Employee or Payroll Company.",
	);

export const unknownOperation = (operation: string, resource: string) =>
	reading(
		'OPERATION_UNKNOWN',
		`The operation "${operation}" of "${resource}" is not known`,
		'The workflow was probably made with another version of this package. Choose the resource and the operation again.',
	);

export const notForAgents = (operation: string, resource: string) =>
	reading(
		'OPERATION_NOT_A_TOOL',
		`The operation "${operation}" of "${resource}" cannot be used as a tool of an AI agent`,
		'Run it in a workflow, without an AI agent.',
	);

/** A list of the editor that is read with values that are not entered. */
export const valuesMissing = (fields: string) =>
	reading(
		'EDITOR_VALUES_MISSING',
		`Enter ${fields} first`,
		'The list is read with these values. If one is an expression, execute the previous nodes, so that the editor can evaluate it. Or enter the value by ID.',
	);

export const listTimeout = () =>
	reading(
		'EDITOR_TIMEOUT',
		'The payroll service did not answer in time',
		'Open the list again later, or enter the value without the list.',
	);
