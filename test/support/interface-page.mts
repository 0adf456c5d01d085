/** The sections of docs/dev/interface.md, by number. */
import { readFileSync } from 'node:fs';

const HEADING = /^#{2,3} (\d+(?:\.\d+)?)\.? .*$/m;

/** The text before the first numbered heading, then numbers and texts alternately. */
const [, ...parts] = readFileSync('docs/dev/interface.md', 'utf8').split(HEADING);

/**
 * Returns the text between a section's heading and the next numbered heading.
 *
 * @throws {Error} if the page has no such section
 */
export function section(number: string): string {
	const at = parts.findIndex((part, index) => index % 2 === 0 && part === number);
	const text = parts[at + 1];
	if (at < 0 || text === undefined)
		throw new Error(`docs/dev/interface.md has no section ${number}`);
	return text;
}
