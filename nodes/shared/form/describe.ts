import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { isOnlyStored } from './requestForm';

/** What a parameter takes, in words. */
interface Taken {
	/** Its type, for example `whole number`. */
	readonly kind: string;
	/** The values of that type that are allowed, for example ` from 1`; empty where all are. */
	readonly range: string;
	/** An example, where the kind does not name the values already. */
	readonly example: string | undefined;
}

function placeholderExample({
	placeholder = '',
	default: value,
}: INodeProperties): string | undefined {
	const [, example] = /^e\.g\. (.*)$/.exec(placeholder) ?? [];
	return example ?? (typeof value === 'number' ? String(value) : undefined);
}

function taken(property: INodeProperties): Taken | undefined {
	const { type, typeOptions = {}, noDataExpression } = property;
	if (noDataExpression) return undefined;
	const example = placeholderExample(property);
	switch (type) {
		case 'number':
		case 'string': {
			const { minValue, numberPrecision } = typeOptions;
			if (numberPrecision === 0) {
				const range = minValue === undefined ? '' : ` from ${minValue}`;
				return { kind: 'whole number', range, example };
			}
			if (type === 'string') return { kind: 'text', range: '', example };
			return { kind: 'decimal number', range: '', example };
		}
		case 'resourceLocator':
			return { kind: 'whole number', range: '', example };
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
	if (type === 'collection') {
		return (options as INodeProperties[]).filter((option) => !isOnlyStored(option));
	}
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
}

/** A description in few words: no markup, no word of the service's own behind it. */
export function brief(description: string): string {
	return description.replace(/<\/?\w+>/g, '').replace(/ \([\w.]+\)$|\.$/, '');
}

/**
 * What a parameter means and takes, in few words: a line for each, those in a collection on lines of
 * their own. That a boolean is one is left out.
 */
export function inLines(property: INodeProperties): string[] {
	const { displayName, type, description = '' } = property;
	const meaning = brief(description);
	const within = inside(property).flatMap(inLines);
	if (type === 'collection') return within;
	// What stands behind the first sentence is about the form.
	if (type === 'fixedCollection')
		return [`${displayName}: ${meaning.split('. ', 1)[0]}`, ...within];
	const takes = taken(property);
	if (takes === undefined) return [`${displayName}: ${meaning}`];
	const isLabel = meaning.toLowerCase() === displayName.toLowerCase();
	const kind = `${takes.kind}${takes.range}`;
	const example = takes.example === undefined ? '' : `, e.g. ${takes.example}`;
	return [`${displayName}: ${isLabel ? '' : `${meaning}; `}${kind}${example}`];
}
