/** Parameters that an AI model fills in, in the notation of n8n's editor. */
import type { INodeProperties, INodePropertyCollection, INodeParameters } from 'n8n-workflow';

/** A parameter of a tool that the model fills in. */
export interface Argument {
	/** Its name in the tool's schema. */
	key: string;
	property: INodeProperties;
}

/** A tool's parameters, and what the model is to fill in. */
export interface Filled {
	parameters: INodeParameters;
	arguments: Argument[];
}

/** The key that the editor derives from a parameter's label and position. */
function keyOf(path: readonly string[], { displayName }: INodeProperties): string {
	const rows = path
		.filter((part) => /\[\d+\]/.test(part))
		.map((part) => part.replace(/[[\]]/g, ''));
	const words = [...rows, displayName].join('_');
	const short = rows.length > 0 ? words.slice(-63) : words.slice(0, 63);
	return short.replace(/[^a-zA-Z0-9-]/g, '_');
}

/** What the button "Let the model define this parameter" puts into a field. */
export function fromAi(key: string, type: INodeProperties['type']): string {
	const types: readonly string[] = ['boolean', 'number', 'json'];
	const called = types.includes(type) ? type : 'string';
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${called}') }}`;
}

/**
 * Lets the model fill in every one of these parameters, with every field of a collection added and
 * one row in each list. A drop-down list has no such button; there the same is typed by hand.
 */
export function letModelFill(properties: readonly INodeProperties[], path: string[] = []): Filled {
	const filled: Filled = { parameters: {}, arguments: [] };
	for (const property of properties) {
		const { name, type, options = [], noDataExpression } = property;
		if (noDataExpression || type === 'notice') continue;
		const within = (inner: readonly INodeProperties[], ...place: string[]): INodeParameters => {
			const { parameters, arguments: added } = letModelFill(inner, [...path, ...place]);
			filled.arguments.push(...added);
			return parameters;
		};
		if (type === 'collection') {
			filled.parameters[name] = within(options as INodeProperties[], name);
		} else if (type === 'fixedCollection') {
			const groups = (options as INodePropertyCollection[]).map((group) => {
				return [group.name, [within(group.values, name, `${group.name}[0]`)]];
			});
			filled.parameters[name] = Object.fromEntries(groups) as INodeParameters;
		} else {
			const key = keyOf(path, property);
			filled.parameters[name] = fromAi(key, property.type);
			filled.arguments.push({ key, property });
		}
	}
	return filled;
}
