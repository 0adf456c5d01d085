/**
 * Restores an error's message. n8n (1.123 and 2.41) replaces a message that contains a Node.js error
 * code: for ECONNRESET with "You can retry the request immediately", even for a write.
 * "EmployeeExists" contains EEXIST.
 */
export function withMessage<E extends Error>(error: E, message: string): E {
	error.message = message;
	return error;
}
