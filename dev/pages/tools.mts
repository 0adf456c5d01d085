/** Generates docs/dev/tool-prompts.md, which shows what a model is given for each operation. */
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
export function promptsPage(tools: ReadonlyArray<readonly [OfferedTool, GivenTool]>): string {
	const intro = `# What a model is given

For each operation [as a tool](../operations.md#as-a-tool-of-an-ai-agent): the name of the tool, its description, and its arguments if every
field is left to the model. *Other Operation* is shown with a call by name.

\`npm run readme\` generates this page from what n8n passes to a model.`;
	return `${[intro, ...tools.map(section)].join('\n\n')}\n`;
}
