import type { INodeProperties } from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
import { brief, inLines } from './describe';
import type { OutputSchema } from './outputSchema';

/** What a model is told of a switch that whoever builds the workflow keeps. */
export interface SwitchNote {
	/** The switch's parameter. */
	readonly parameter: string;
	readonly on?: string;
	readonly off?: string;
	/** The fields of the operation's records while the switch is on, where they are others. */
	readonly outputIfOn?: OutputSchema;
}

/** The parameters that stay with whoever builds the workflow. */
const KEPT: ReadonlySet<string> = new Set(['options', 'dryRun']);

/** What a model has to know of an operation. */
export interface Tool {
	readonly description: string;
	readonly effect: Effect;
	readonly properties: readonly INodeProperties[];
	readonly switchNote?: SwitchNote;
	/** The fields of its records, where they are known. */
	readonly output: OutputSchema | undefined;
}

/** "Id, CostCenter (Code, Description)" */
function fieldsOf(schema: OutputSchema): string {
	const entries = Object.entries((schema.properties ?? {}) as Record<string, OutputSchema>);
	return entries
		.map(([name, inner]) => (inner.type === 'object' ? `${name} (${fieldsOf(inner)})` : name))
		.join(', ');
}

function effectOf({ effect, output }: Tool): string {
	const fields = output === undefined ? 'the fields that the service sends' : fieldsOf(output);
	if (effect === 'write') return `Changes data. Gives ${fields}.`;
	return `Changes nothing. Gives records with ${fields}; nothing where there is no record.`;
}

function toolText(tool: Tool, properties: readonly INodeProperties[], note = ''): string {
	const shown = properties.filter(
		({ name, type, noDataExpression }) => !KEPT.has(name) && type !== 'notice' && !noDataExpression,
	);
	const hints = properties.flatMap(({ hint }) => hint ?? []);
	const head = `${brief(tool.description)}. ${effectOf(tool)}`;
	return [head, ...(note === '' ? [] : [note]), ...hints, ...shown.flatMap(inLines)].join('\n');
}

/** Whether a parameter is shown where another one, on which it may depend, has a value. */
function isShown(property: INodeProperties, name: string, value: string | boolean): boolean {
	const values = property.displayOptions?.show?.[name];
	return values === undefined || values.includes(value);
}

/** Values of parameters that decide what a model is told. */
type Chosen = Readonly<Record<string, string | boolean>>;

/** The ways to give a record or list; one without any choice where there is none. */
function waysToGive({ properties }: Tool): Chosen[] {
	const choice = properties.find(({ name }) => name.startsWith('specify'));
	if (choice === undefined) return [{}];
	return (choice.options ?? []).flatMap((option) =>
		'value' in option && !option.displayOptions?.hide?.['@tool']
			? [{ [choice.name]: String(option.value) }]
			: [],
	);
}

/**
 * The parameter that tells a model of an AI agent what an operation does, what goes in and what comes
 * out. It is shown where the node is a tool, and the builder may change it.
 *
 * Of a node that is a tool, n8n (1.123 and 2.41) gives to the model: the node's name; the parameter
 * `toolDescription`, or without one only "<action of the operation> in <name of the node>"; and a
 * schema of the `$fromAI` calls in its parameters, with the key, type and description that stand in
 * the call. The editor's button writes the label as key, one of four types, and no description.
 * So a parameter's description or placeholder, the names of a drop-down list and the operation's
 * description reach the model in this text only. It keeps to 1024 characters, since some services
 * refuse a longer one.
 *
 * @returns one parameter, or one for each way to give a record or list and each state of a switch
 */
export function toolDescriptions(tool: Tool): INodeProperties[] {
	const { switchNote } = tool;
	const property = (
		chosen: Chosen,
		{ output }: Pick<Tool, 'output'>,
		note?: string,
	): INodeProperties => {
		const shown = tool.properties.filter((one) =>
			Object.entries(chosen).every(([name, value]) => isShown(one, name, value)),
		);
		const values = Object.entries(chosen).map(([name, value]) => [name, [value]]);
		return {
			displayName: 'Description',
			name: 'toolDescription',
			type: 'string',
			required: true,
			default: toolText({ ...tool, output }, shown, note),
			typeOptions: { rows: 8 },
			description: 'What the model is told about this tool',
			displayOptions: { show: { '@tool': [true], ...Object.fromEntries(values) } },
		};
	};
	return waysToGive(tool).flatMap((way) => {
		if (switchNote === undefined) return [property(way, tool)];
		const { parameter, on, off, outputIfOn: output = tool.output } = switchNote;
		return [
			property({ ...way, [parameter]: true }, { output }, on),
			property({ ...way, [parameter]: false }, tool, off),
		];
	});
}
