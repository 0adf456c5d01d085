/**
 * A base address, to the letter: `https`, or plain `http` to this machine, which it never leaves;
 * then host and path. Nothing that begins a user name, query or fragment (`@ ? #`), that is skipped
 * or turned round by whoever reads it (blanks, control and format characters, `\`), or that leaves
 * open where the host begins.
 *
 * The credential type tests the identity address by it in an expression, so its source must not
 * hold two braces in a row.
 */
export const BASE_ADDRESS =
	/^(?:https:\/\/[^\s\p{C}\\/?#@]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)(?:\/[^\s\p{C}\\?#@]*)?$/iu;
