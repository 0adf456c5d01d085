import type { IDisplayOptions, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
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
const KEPT: ReadonlySet<string> = new Set(['options', 'dryRun', 'skipIfExists', 'operationName']);

/** The facts about an operation that its tool description contains. */
export interface Tool {
	readonly description: string;
	readonly effect: Effect;
	readonly properties: readonly INodeProperties[];
	readonly switchNote?: SwitchNote | undefined;
	/** The fields of its records, if known. */
	readonly output: OutputSchema;
}

/**
 * Describes the values that a parameter accepts, for example "whole number from 1, e.g. 50";
 * `undefined` for a boolean and for groups of parameters.
 */
function acceptedValues(property: INodeProperties): string | undefined {
	const { type, typeOptions = {}, placeholder = '', default: value, options = [] } = property;
	const fallback = typeof value === 'number' ? value : undefined;
	const given = /^e\.g\. (.*)$/.exec(placeholder)?.[1] ?? fallback;
	const example = given === undefined ? '' : `, e.g. ${given}`;
	if (type === 'options') {
		return `one of ${options.flatMap((one) => ('value' in one ? [one.value] : [])).join(', ')}`;
	}
	if (type === 'resourceLocator') return `whole number${example}`;
	if (type !== 'number' && type !== 'string') return undefined;
	const { minValue, numberPrecision } = typeOptions;
	if (numberPrecision === 0) {
		return `whole number${minValue === undefined ? '' : ` from ${minValue}`}${example}`;
	}
	const isText = type === 'string' && numberPrecision === undefined;
	return `${isText ? 'text' : 'decimal number'}${example}`;
}

/** The parameters inside a collection or inside the rows of a fixed collection. */
function innerProperties({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') {
		return options as INodeProperties[];
	}
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
}

/**
 * Shortens a description: removes markup, and the service's name in parentheses or the full stop at
 * its end.
 */
function brief(description: string): string {
	return description.replace(/<\/?\w+>/g, '').replace(/ \([\w.]+\)$|\.$/, '');
}

/**
 * Describes the meaning and accepted values of a parameter, on one line. Parameters inside a
 * collection have lines of their own. For a boolean, the type is omitted.
 */
function descriptionLines(property: INodeProperties): string[] {
	const { displayName, type, description = '' } = property;
	const meaning = brief(description);
	const within = innerProperties(property).flatMap(descriptionLines);
	if (type === 'collection') return within;
	// Only the first sentence is about the value; the others are about the form.
	if (type === 'fixedCollection')
		return [`${displayName}: ${meaning.split('. ', 1)[0]}`, ...within];
	const accepted = acceptedValues(property);
	if (accepted === undefined) return [`${displayName}: ${meaning}`];
	// The accepted values include an example.
	return [`${displayName}: ${meaning.replace(/, such as .*$/, '')}; ${accepted}`];
}

/** For example "Id, CostCenter (Code, Description)". */
function fieldsOf(schema: OutputSchema): string {
	const entries = Object.entries((schema.properties ?? {}) as Record<string, OutputSchema>);
	return entries
		.map(([name, inner]) => (inner.type === 'object' ? `${name} (${fieldsOf(inner)})` : name))
		.join(', ');
}

function effectOf({ effect, output }: Tool): string {
	const isOpen = output.additionalProperties === true;
	const fields = isOpen ? 'the fields that the service sends' : fieldsOf(output);
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

/** Values of parameters that the builder chooses, and that the tool description depends on. */
type Chosen = NonNullable<IDisplayOptions['show']>;

/** Whether a parameter is shown once these values are chosen. */
function isShown({ displayOptions = {} }: INodeProperties, chosen: Chosen): boolean {
	const { show = {}, hide = {} } = displayOptions;
	return Object.entries(chosen).every(([name, values = []]) =>
		values.every(
			(value) => show[name]?.includes(value) !== false && hide[name]?.includes(value) !== true,
		),
	);
}

/** The ways to give a record or list, as conditions; a single empty one if there is no choice. */
function waysToGive({ properties }: Tool): IDisplayOptions[] {
	const choice = properties.find(({ name }) => name.startsWith('specify'));
	if (choice === undefined) {
		// The fields of a resource mapper are shown where the JSON field is hidden.
		const { hide } = properties.find(({ type }) => type === 'json')?.displayOptions ?? {};
		return hide === undefined ? [{}] : [{ show: hide }, { hide }];
	}
	return (choice.options ?? []).flatMap((option) =>
		'value' in option && !option.displayOptions?.hide?.['@tool']
			? [{ show: { [choice.name]: [option.value] } }]
			: [],
	);
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
		{ show = {}, hide }: IDisplayOptions,
		output = tool.output,
		note?: string,
	): INodeProperties => {
		const shown = tool.properties.filter((one) => isShown(one, show));
		return {
			displayName: 'Description',
			name: 'toolDescription',
			type: 'string',
			required: true,
			default: toolText({ ...tool, output }, shown, note),
			typeOptions: { rows: 8 },
			description: 'Description of this tool for the AI model',
			displayOptions: { show: { '@tool': [true], ...show }, ...(hide && { hide }) },
		};
	};
	return waysToGive(tool).flatMap((way) => {
		if (switchNote === undefined) return [property(way)];
		const { parameter, on, off, outputIfOn } = switchNote;
		const state = (isOn: boolean): IDisplayOptions => ({
			...way,
			show: { ...way.show, [parameter]: [isOn] },
		});
		return [property(state(true), outputIfOn, on), property(state(false), tool.output, off)];
	});
}
