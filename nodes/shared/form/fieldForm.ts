/** The fields of a record in the form. */
import type { INodeProperties } from 'n8n-workflow';
import { type Field, type RecordField, type ScalarField } from '../contract/fields';
import { joinNames } from '../errors/words';
import { AS_TOOL, NUMBER } from '../host/forms';
import { countries } from '../values/text';
import { type FlatField, flatten, words } from './names';
import { kindOf, readScalar } from '../values/scalars';

/** Name and label of the switch that allows a record without its usual fields. */
export const ONLY_THESE = 'onlyTheseFields';
export const ONLY_THESE_LABEL = 'Allow Incomplete Address';

/** The property of a scalar. The tool description takes the kind of number from `numberPrecision`. */
export function scalarProperty(
	name: string,
	displayName: string,
	field: ScalarField,
	description: string,
): INodeProperties {
	const placeholder = field.example === undefined ? {} : { placeholder: `e.g. ${field.example}` };
	const common = { displayName, name, description, ...placeholder };
	switch (field.kind) {
		case 'int':
			return { ...common, ...NUMBER, typeOptions: { numberPrecision: 0 } };
		case 'decimal':
			return { ...common, ...NUMBER, typeOptions: { numberPrecision: 2 } };
		case 'boolean':
			return { ...common, type: 'boolean', default: false };
		case 'enumeration':
			return {
				...common,
				type: 'options',
				default: field.values[0] ?? '',
				options: field.values
					.map((value) => ({ name: words(value), value }))
					.sort((a, b) => a.name.localeCompare(b.name)),
			};
		default:
			return { ...common, type: 'string', default: '' };
	}
}

/** The choices of a country, by name: "Netherlands (NL)". */
const countryOptions = [
	{ name: 'Not Given', value: '' },
	...countries().map(({ code, name }) => ({ name: `${name} (${code})`, value: code })),
];

/**
 * Returns a field's property as the editor shows it: a usual field is required unless the builder
 * chooses otherwise; a country is a list, and a text where a model may give it.
 */
function variantsOf({ path, label, field, parameter }: FlatField): INodeProperties[] {
	// The service's own name is added if it differs.
	const service = words(path.join('')) === label ? '' : ` (${path.join('.')})`;
	const about = `${field.description ?? label}${service}`;
	const property = scalarProperty(parameter, label, field, about);
	if (field.kind === 'country') {
		return [
			{ ...property, type: 'options', options: countryOptions, displayOptions: { hide: AS_TOOL } },
			{ ...property, displayOptions: { show: AS_TOOL } },
		];
	}
	if (field.isUsual !== true) return [property];
	return [true, false].map((required) => {
		return { ...property, required, displayOptions: { show: { [ONLY_THESE]: [!required] } } };
	});
}

/**
 * The properties of a record: the fields that are always shown, and a collection of the others.
 *
 * @param added name of the collection
 */
export function fieldProperties(record: RecordField, added: string) {
	const propertiesOf = (isShown: boolean): INodeProperties[] =>
		flatten(record.fields)
			.filter(({ field }) => (field.isShown === true) === isShown)
			.flatMap(variantsOf);
	const others: INodeProperties = {
		displayName: 'Additional Fields',
		name: added,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: propertiesOf(false).sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
	return [...propertiesOf(true), others];
}

/** The switch of a record that has usual fields. It takes no expression: only a person sets it. */
export function onlyTheseProperty(record: RecordField): INodeProperties[] {
	const usual = flatten(record.fields).flatMap(({ field, label }) =>
		field.isUsual ? [`'${label}'`] : [],
	);
	if (usual.length === 0) return [];
	const meaning = `Whether to leave out any of ${joinNames(usual)}, which are required otherwise`;
	return [
		{
			displayName: ONLY_THESE_LABEL,
			name: ONLY_THESE,
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description: record.hint === undefined ? meaning : `${meaning}. ${record.hint}.`,
		},
	];
}

/** Maximum number of records and lists within each other. */
const MAX_EXAMPLE_DEPTH = 3;

/**
 * Returns an example value.
 *
 * @param maxFields maximum number of fields of each record
 */
export function exampleOf(field: Field, maxFields = Infinity, depth = 0): unknown {
	switch (field.kind) {
		case 'list':
		case 'repeated':
			if (field.of.kind === 'record') return [exampleOf(field.of, maxFields, depth)];
			// A list may be a list of itself.
			return depth < MAX_EXAMPLE_DEPTH ? [exampleOf(field.of, maxFields, depth + 1)] : [];
		case 'record': {
			const inner = Object.entries(field.fields).slice(0, maxFields);
			if (depth >= MAX_EXAMPLE_DEPTH) return {};
			return Object.fromEntries(
				inner.map(([name, one]) => [name, exampleOf(one, maxFields, depth + 1)]),
			);
		}
		case 'any':
			return {};
		default: {
			const { example } = field;
			const [name] = field.kind === 'enumeration' ? field.values : [];
			return (example && readScalar(field, example)) ?? name ?? kindOf(field).example ?? '';
		}
	}
}
