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

Each node can be a tool of an AI Agent in n8n. Choose the resource and the operation, and use the button
beside a field to let the model fill it in. The model cannot change what you fill in yourself; only you can
set **Dry Run**, **Keep Other Cost Centers**, **Simplify** and the options.

- **Description** tells the model what the operation does, whether it changes data, what it returns, and
  for each field its meaning, its type and an example. It is prefilled for each operation; you can write
  your own. The button beside a field only passes on the field's name and type.
- **Using JSON** suits a model best if it writes a record: the model only gives the fields that it has. It
  has to give every field that you added one by one.
- For **Other Operation**, you choose the operation, and say in **Description** what it does. The fields of an
  operation from the list are [left to the model](other-operations.md#as-a-tool-of-an-ai-agent) by the button
  beside each; this page shows the call by name.
- The model receives the records as JSON, or nothing if there are none. For a call that fails, it receives
  one text: what went wrong, what to do about it, and whether a change was applied.

This page shows everything that a model receives for each operation: the name of the tool, its description,
and its arguments if the model fills in every field. \`npm run readme\` generates it from what n8n passes to
a model.`;
	return `${[intro, ...tools.map(section)].join('\n\n')}\n`;
}
