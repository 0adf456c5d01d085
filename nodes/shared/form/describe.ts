import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { INT_MAX, INT_MIN } from '../contract/fields';

/** What a parameter takes, in words. */
interface Taken {
	/** Its type, for example `a whole number`. */
	readonly kind: string;
	/** The values of that type that are allowed, for example ` from 1`; empty where all are. */
	readonly range: string;
	/** An example, where the kind does not name the values already. */
	readonly example: string | undefined;
}

/** The range of whole numbers that have none of their own. */
export const INT_RANGE = ` from ${INT_MIN} to ${INT_MAX}`;

function exampleOf({ placeholder = '', default: value }: INodeProperties): string | undefined {
	const [, example] = /^e\.g\. (.*)$/.exec(placeholder) ?? [];
	return example ?? (typeof value === 'number' ? String(value) : undefined);
}

function taken(property: INodeProperties): Taken | undefined {
	const { type, typeOptions = {}, noDataExpression } = property;
	if (noDataExpression) return undefined;
	const example = exampleOf(property);
	switch (type) {
		case 'number': {
			if (typeOptions.numberPrecision !== 0) {
				return { kind: 'a decimal number', range: ' without exponent', example };
			}
			const { minValue } = typeOptions;
			const range = minValue === undefined ? INT_RANGE : ` from ${minValue}`;
			return { kind: 'a whole number', range, example };
		}
		case 'boolean':
			return { kind: 'true or false', range: '', example: undefined };
		case 'string':
			return { kind: 'text', range: '', example };
		case 'options': {
			const values = (property.options ?? []).flatMap((option) =>
				'value' in option ? [option.value] : [],
			);
			return { kind: 'one of', range: ` ${values.join(', ')}`, example: undefined };
		}
		default:
			return undefined;
	}
}

/** The parameters inside a collection, or inside the rows of a fixed collection. */
function inside({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
}

const asSentence = (text: string): string => `${text.replace(/\.$/, '')}.`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A parameter whose description also says what it takes: its type, the range, an example. For a
 * collection that holds of the parameters in it.
 */
export function described(property: INodeProperties): INodeProperties {
	const { type, options = [], description } = property;
	if (type === 'collection') {
		return { ...property, options: (options as INodeProperties[]).map(described) };
	}
	if (type === 'fixedCollection') {
		const groups = (options as INodePropertyCollection[]).map((group) => ({
			...group,
			values: group.values.map(described),
		}));
		return { ...property, options: groups };
	}
	const takes = taken(property);
	if (takes === undefined || description === undefined) return property;
	const example = takes.example === undefined ? '' : `, for example ${takes.example}`;
	const words = capital(`${takes.kind}${takes.range}${example}.`);
	return { ...property, description: `${asSentence(description)} ${words}` };
}

/** A description in few words: no markup, no word of the service's own behind it. */
export function brief(description: string): string {
	return description.replace(/<\/?\w+>/g, '').replace(/ \([\w.]+\)$|\.$/, '');
}

/**
 * The same in few words, for a text that is about many parameters: a line for each of them, those in
 * a collection on lines of their own. That a boolean is one is left out.
 */
export function inLines(property: INodeProperties): string[] {
	const { displayName, type, description = '' } = property;
	const meaning = brief(description);
	const within = inside(property).flatMap(inLines);
	if (type === 'collection') return within;
	// What stands behind the first sentence is about the form.
	if (type === 'fixedCollection')
		return [`${displayName}: ${meaning.split('. ', 1)[0]}`, ...within];
	const takes = type === 'boolean' ? undefined : taken(property);
	if (takes === undefined) return [`${displayName}: ${meaning}`];
	const isLabel = meaning.toLowerCase() === displayName.toLowerCase();
	const kind = `${takes.kind.replace(/^a /, '')}${takes.range}`;
	const example = takes.example === undefined ? '' : `, e.g. ${takes.example}`;
	return [`${displayName}: ${isLabel ? '' : `${meaning}; `}${kind}${example}`];
}
