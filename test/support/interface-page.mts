/** The sections of docs/interface.md, by their numbers. */
import { readFileSync } from 'node:fs';

const HEADING = /^#{2,3} (\d+(?:\.\d+)?)\.? .*$/m;

/** What stands before the first numbered heading, then numbers and texts in turn. */
const [, ...parts] = readFileSync('docs/interface.md', 'utf8').split(HEADING);

/**
 * The text between a section's heading and the next one that has a number.
 *
 * @throws {Error} where the page has no such section
 */
export function section(number: string): string {
	const at = parts.findIndex((part, index) => index % 2 === 0 && part === number);
	const text = parts[at + 1];
	if (at < 0 || text === undefined) throw new Error(`docs/interface.md has no section ${number}`);
	return text;
}
