/** The fields of a record in the form. */
import type { INodeProperties } from 'n8n-workflow';
import type { RecordField, ScalarField } from '../contract/fields';
import { joinNames } from '../errors/words';
import { AS_TOOL, NUMBER } from '../host/forms';
import { countries } from '../values/country';
import { flatten, parameterName, words, type FlatField } from './names';

/** Name and label of the switch that allows a record without its usual fields. */
export const ONLY_THESE = 'onlyTheseFields';
export const ONLY_THESE_LABEL = 'Only These Fields';

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

/** Returns the fields of a record that the form always shows. */
export function shownFields({ fields }: RecordField): readonly FlatField[] {
	return flatten(fields).filter(({ field }) => field.isShown);
}

/** Returns the fields that a record usually has. */
export function usualFields({ fields }: RecordField): readonly FlatField[] {
	return flatten(fields).filter(({ field }) => field.isUsual);
}

/** The property of a field by its label, with the service's own name if that differs. */
function fieldProperty({ path, label, field }: FlatField): INodeProperties {
	const name = parameterName(...path);
	const service = words(path.join('')) === label ? '' : ` (${path.join('.')})`;
	return scalarProperty(name, label, field, `${field.description ?? label}${service}`);
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
function variantsOf(flat: FlatField): INodeProperties[] {
	const property = fieldProperty(flat);
	if (flat.field.kind === 'country') {
		return [
			{ ...property, type: 'options', options: countryOptions, displayOptions: { hide: AS_TOOL } },
			{ ...property, displayOptions: { show: AS_TOOL } },
		];
	}
	if (flat.field.isUsual !== true) return [property];
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
	const usual = usualFields(record).map(({ label }) => `'${label}'`);
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
