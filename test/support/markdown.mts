/** Helpers that read Markdown pages for tests. */

/** The cells of a table's row. */
function cellsOf(line: string): string[] {
	return line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim());
}

/** The rows below the heads of all tables in a text, without the backticks of their cells. */
export function rowsOf(text: string): string[][] {
	return [...text.matchAll(/^\|.*\n\|[ -|]+\n((?:\|.*\n?)+)/gm)].flatMap(([, body = '']) =>
		body
			.trim()
			.split('\n')
			.map((line) => cellsOf(line.replaceAll('`', ''))),
	);
}
