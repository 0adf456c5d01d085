/** Generates docs/tools.md, which shows what a model receives for each operation. */
import type { GivenTool, OfferedTool } from '../package/tools.mts';

const table = (rows: readonly string[][]): string =>
	rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function section([{ title }, { name, description, parameters }]: readonly [
	OfferedTool,
	GivenTool,
]): string {
	const rows = Object.entries(parameters.properties).map(([key, { type }]) => [
		`\`${key}\``,
		typeof type === 'string' ? type : 'object or list',
	]);
	const text = ['```text', description, '```'].join('\n');
	const schema = table([['Argument', 'Type'], ['---', '---'], ...rows]);
	return [`## ${title}`, `\`${name}\``, text, schema].join('\n\n');
}

/** Takes every tool with what a model receives for it; returns the page. */
export function toolsPage(tools: ReadonlyArray<readonly [OfferedTool, GivenTool]>): string {
	const intro = `# As a tool of an AI agent

Each node can be connected to an AI Agent of n8n. Choose resource and operation, and let the model fill in
a field with the button beside it. What you fill in yourself, the model cannot change; **Dry Run**, **Keep
Other Cost Centers**, **Simplify** and the options stay with you.

- **Description** tells the model what the operation does, whether it changes data, what comes out, and
  for each field its meaning, its type and an example. It is filled in, and changes with the
  operation; you can write your own. The button beside a field passes on the field's name and type only.
- **Using JSON** suits a model best where a record is written: it gives the fields it has. Fields that
  are added one by one it has to give, all of them.
- The model gets the records as JSON, nothing where there is none, and of a call that fails one text:
  what went wrong, what to do about it, and whether a change was applied.

Below stands, for each operation, all that a model is given: the name of the tool, its description, and
its arguments where every field is filled in by the model. \`npm run readme\` writes this page from what
n8n itself hands over.`;
	return `${[intro, ...tools.map(section)].join('\n\n')}\n`;
}
