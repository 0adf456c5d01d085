import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

/** The values that a parameter accepts, in words. */
interface AcceptedValues {
	/** Type, for example `whole number`. */
	readonly kind: string;
	/** The allowed values of that type, for example ` from 1`; empty if all are allowed. */
	readonly range: string;
	/** An example, unless the range lists the values. */
	readonly example: string | undefined;
}

function placeholderExample({
	placeholder = '',
	default: value,
}: INodeProperties): string | undefined {
	const [, example] = /^e\.g\. (.*)$/.exec(placeholder) ?? [];
	return example ?? (typeof value === 'number' ? String(value) : undefined);
}

function acceptedValues(property: INodeProperties): AcceptedValues | undefined {
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
export function brief(description: string): string {
	return description.replace(/<\/?\w+>/g, '').replace(/ \([\w.]+\)$|\.$/, '');
}

/**
 * Describes the meaning and accepted values of a parameter, on one line. Parameters inside a
 * collection have lines of their own. For a boolean, the type is omitted.
 */
export function descriptionLines(property: INodeProperties): string[] {
	const { displayName, type, description = '' } = property;
	const meaning = brief(description);
	const within = innerProperties(property).flatMap(descriptionLines);
	if (type === 'collection') return within;
	// Only the first sentence is about the value; the others are about the form.
	if (type === 'fixedCollection')
		return [`${displayName}: ${meaning.split('. ', 1)[0]}`, ...within];
	const accepted = acceptedValues(property);
	if (accepted === undefined) return [`${displayName}: ${meaning}`];
	const isLabel = meaning.toLowerCase() === displayName.toLowerCase();
	const kind = `${accepted.kind}${accepted.range}`;
	const example = accepted.example === undefined ? '' : `, e.g. ${accepted.example}`;
	return [`${displayName}: ${isLabel ? '' : `${meaning}; `}${kind}${example}`];
}
