/** Errors of a node that cannot run as it is set, or has nothing to list in the editor. */
import { define } from './ServiceError';

/** n8n's own operation, which refers to its HTTP Request node. */
export const customApiCall = define('CUSTOM_API_CALL', 'reading', () => [
	'This node does not run Custom API Call',
	"Use n8n's HTTP Request node with this credential. To call any other SOAP operation, use Other Operation: Call of Payroll Employee or Payroll Company.",
]);

export const unknownOperation = define(
	'OPERATION_UNKNOWN',
	'reading',
	(operation: string, resource: string) => [
		`The operation "${operation}" of "${resource}" is not known`,
		'The workflow was probably made with another version of this package. Choose the resource and the operation again.',
	],
);

export const notForAgents = define(
	'OPERATION_NOT_A_TOOL',
	'reading',
	(operation: string, resource: string) => [
		`The operation "${operation}" of "${resource}" cannot be used as a tool of an AI agent`,
		'Run it in a workflow, without an AI agent.',
	],
);

/** A tool of an AI agent whose values are the columns of input items. */
export const inputOfAgent = define('INPUT_OF_AGENT', 'reading', () => [
	'A tool of an AI agent cannot read columns of input items',
	"They would be those of the agent. Map each column manually, or choose another way than 'From Input Items', and let the model define the values.",
]);

/** A list of operations, or their parameters, without the name of a service. */
export const unusableService = define('EDITOR_SERVICE_MISSING', 'reading', () => [
	"Choose a 'Service' first",
	'Expected the name of a service, such as DebtorService. If it is an expression, execute the previous nodes, so that the editor can evaluate it.',
]);

export const listTimeout = define('EDITOR_TIMEOUT', 'reading', () => [
	'The payroll service did not answer in time',
	'The list could not be read. Check whether the service is available, then open the list again.',
]);
