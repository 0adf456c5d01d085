/**
 * Matches a base address: `https`, or plain `http` to this machine, followed by host and path. The
 * pattern rejects the start of a user name, query or fragment (`@ ? #`), characters that URL
 * parsers skip or rewrite (whitespace, control and format characters, `\`), and an ambiguous start
 * of the host.
 *
 * The credential type embeds this pattern in an expression, so its source must not contain two
 * consecutive braces.
 */
export const BASE_ADDRESS =
	/^(?:https:\/\/[^\s\p{C}\\/?#@]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)(?:\/[^\s\p{C}\\?#@]*)?$/iu;

/** Returns a text without the slashes at its end. A regular expression would restart at each slash. */
export function withoutEndSlashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '/') end--;
	return text.slice(0, end);
}
