import type { INodeProperties } from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
import { brief, descriptionLines } from './describe';
import type { OutputSchema } from './outputSchema';

/** What the tool description says about a switch that only the builder can set. */
export interface SwitchNote {
	/** The switch's parameter name. */
	readonly parameter: string;
	readonly on?: string;
	readonly off?: string;
	/** The fields of the operation's records while the switch is on, if they differ. */
	readonly outputIfOn?: OutputSchema;
}

/** The parameters that only the builder can set. */
const KEPT: ReadonlySet<string> = new Set(['options', 'dryRun', 'operationName']);

/** The facts about an operation that its tool description contains. */
export interface Tool {
	readonly description: string;
	readonly effect: Effect;
	readonly properties: readonly INodeProperties[];
	readonly switchNote?: SwitchNote;
	/** The fields of its records, if known. */
	readonly output: OutputSchema | undefined;
}

/** For example "Id, CostCenter (Code, Description)". */
function fieldsOf(schema: OutputSchema): string {
	const entries = Object.entries((schema.properties ?? {}) as Record<string, OutputSchema>);
	return entries
		.map(([name, inner]) => (inner.type === 'object' ? `${name} (${fieldsOf(inner)})` : name))
		.join(', ');
}

function effectOf({ effect, output }: Tool): string {
	const fields = output === undefined ? 'the fields that the service sends' : fieldsOf(output);
	if (effect === 'write') return `Changes data. Returns ${fields}.`;
	return `Changes nothing. Returns records with ${fields}; nothing if there are none.`;
}

function toolText(tool: Tool, properties: readonly INodeProperties[], note = ''): string {
	const shown = properties.filter(
		({ name, type, noDataExpression }) => !KEPT.has(name) && type !== 'notice' && !noDataExpression,
	);
	const hints = properties.flatMap(({ hint }) => hint ?? []);
	const head = `${brief(tool.description)}. ${effectOf(tool)}`;
	return [head, ...(note === '' ? [] : [note]), ...hints, ...shown.flatMap(descriptionLines)].join(
		'\n',
	);
}

/** Whether a parameter is shown if another parameter has the given value. */
function isShown(
	{ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties,
	name: string,
	value: string | boolean,
): boolean {
	return show[name]?.includes(value) !== false && hide[name]?.includes(value) !== true;
}

/** Parameter values that the tool description depends on. */
type Chosen = Readonly<Record<string, string | boolean>>;

/** A way to give the parameters of a tool. */
interface Way {
	readonly chosen: Chosen;
	/** Parameter values that another way has. */
	readonly hide?: NonNullable<INodeProperties['displayOptions']>['hide'];
}

/** The ways to give a record or list; a single empty one if the form has no choice. */
function waysToGive({ properties }: Tool): Way[] {
	const mapper = properties.find(({ type }) => type === 'resourceMapper');
	const hide = mapper?.displayOptions?.show;
	const mapped = Object.entries(hide ?? {}).map(([name, values]) => ({
		chosen: { [name]: String(values?.[0]) },
	}));
	const choice = properties.find(({ name }) => name.startsWith('specify'));
	if (choice === undefined) return [{ chosen: {} }];
	const given = (choice.options ?? []).flatMap((option) =>
		'value' in option && !option.displayOptions?.hide?.['@tool']
			? [{ chosen: { [choice.name]: String(option.value) }, ...(hide && { hide }) }]
			: [],
	);
	return [...mapped, ...given];
}

function withSwitch(way: Way, parameter: string, isOn: boolean): Way {
	return { ...way, chosen: { ...way.chosen, [parameter]: isOn } };
}

/**
 * Returns the tool description parameter: it tells an AI model what an operation does, its input
 * and its output. It is shown if the node is a tool, and the builder can edit it.
 *
 * For a tool, n8n (1.123 and 2.41) gives the model the node's name; the parameter
 * `toolDescription`, or without it only "<action of the operation> in <name of the node>"; and a
 * schema of the `$fromAI` calls in the node's parameters, with the key, type and description in
 * each call. The editor's button writes the label as key, one of four types, and no description.
 * Therefore descriptions and placeholders of parameters, the names of a drop-down list and the
 * operation's description reach the model only in this text. It is limited to 1024 characters,
 * since some model providers refuse a longer one.
 *
 * @returns one parameter for each combination of a way to give a record or list and a state of the
 * switch; a single one if the operation has neither
 */
export function toolDescriptions(tool: Tool): INodeProperties[] {
	const { switchNote } = tool;
	const property = (
		{ chosen, hide }: Way,
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
			description: 'Description of this tool for the AI model',
			displayOptions: {
				show: { '@tool': [true], ...Object.fromEntries(values) },
				...(hide && { hide }),
			},
		};
	};
	return waysToGive(tool).flatMap((way) => {
		if (switchNote === undefined) return [property(way, tool)];
		const { parameter, on, off, outputIfOn: output = tool.output } = switchNote;
		return [
			property(withSwitch(way, parameter, true), { output }, on),
			property(withSwitch(way, parameter, false), tool, off),
		];
	});
}
