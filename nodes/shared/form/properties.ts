import type { INodeProperties } from 'n8n-workflow';
import type { Field, Fields, ListField, RecordField, ScalarField } from '../contract/fields';
import { flatten, type FlatField } from './flatten';
import { label, parameterName, words } from './names';

/** How a record is given: field by field, or as JSON. */
export const specify = (element: string): string => `specify${element}`;
export const json = (element: string): string => `${parameterName(element)}Json`;
/** The names inside a repeated record's parameter. */
export const ROW = 'row';
export const ROW_FIELDS = 'fields';

function byDisplayName(a: { displayName: string }, b: { displayName: string }): number {
	return a.displayName.localeCompare(b.displayName);
}

function scalarProperty(
	name: string,
	displayName: string,
	field: ScalarField,
	description: string,
): INodeProperties {
	const placeholder = field.example === undefined ? {} : { placeholder: `e.g. ${field.example}` };
	const common = { displayName, name, description, ...placeholder };
	switch (field.kind) {
		case 'int':
			return { ...common, type: 'number', default: '', typeOptions: { numberPrecision: 0 } };
		case 'decimal':
			return { ...common, type: 'number', default: '' };
		case 'boolean':
			return { ...common, type: 'boolean', default: false };
		case 'string':
			return { ...common, type: 'string', default: '' };
		case 'enumeration':
			return {
				...common,
				type: 'options',
				default: field.values[0] ?? '',
				options: field.values
					.map((value) => ({ name: words(value), value }))
					.sort((a, b) => a.name.localeCompare(b.name)),
			};
	}
}

/** The service's own word is named where the label is another one. */
function describe(flat: FlatField): string {
	const text = flat.field.description ?? flat.label;
	const service = flat.path.join('.');
	return words(flat.path.join('')) === flat.label ? text : `${text} (${service})`;
}

function recordFields(record: RecordField): INodeProperties[] {
	return flatten(record)
		.map((flat) => scalarProperty(flat.parameter, flat.label, flat.field, describe(flat)))
		.sort(byDisplayName);
}

function example(record: RecordField): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(record.fields).map(([name, field]) => [name, exampleValue(field)]),
	);
}

function exampleValue(field: Field): unknown {
	if (field.kind === 'record') return example(field);
	if (field.kind === 'list') return [example(field.of)];
	if (field.kind === 'boolean') return true;
	if (field.kind === 'enumeration') return field.values[0];
	return field.kind === 'string' ? (field.example ?? '') : Number(field.example ?? 0);
}

/** The three properties of a record or repeated record: the choice, the fields, the JSON. */
function recordProperties(name: string, field: RecordField | ListField): INodeProperties[] {
	const displayName = label(name, field);
	const record = field.kind === 'list' ? field.of : field;
	const description = field.description ?? `The ${displayName.toLowerCase()} to write`;
	const fields: INodeProperties =
		field.kind === 'record'
			? {
					displayName,
					name: parameterName(name),
					type: 'collection',
					placeholder: 'Add Field',
					default: {},
					description: `${description}. A field that is not added is not sent.`,
					options: recordFields(record),
				}
			: {
					displayName,
					name: parameterName(name),
					type: 'fixedCollection',
					placeholder: `Add ${label(record.type, record)}`,
					default: {},
					typeOptions: { multipleValues: true, sortable: true },
					description: `${description}. A field that is not added is not sent.`,
					options: [
						{
							displayName: label(record.type, record),
							name: ROW,
							values: [
								{
									displayName: label(record.type, record),
									name: ROW_FIELDS,
									type: 'collection',
									placeholder: 'Add Field',
									default: {},
									options: recordFields(record),
								},
							],
						},
					],
				};
	const emptyJson = field.kind === 'list' ? '[]' : '{}';
	return [
		{
			displayName: `Specify ${displayName}`,
			name: specify(name),
			type: 'options',
			noDataExpression: true,
			default: 'fields',
			options: [
				{ name: 'Using Fields Below', value: 'fields' },
				{ name: 'Using JSON', value: 'json' },
			],
		},
		{ ...fields, displayOptions: { show: { [specify(name)]: ['fields'] } } },
		{
			displayName: `${displayName} (JSON)`,
			name: json(name),
			type: 'json',
			required: true,
			default: emptyJson,
			typeOptions: { rows: 8 },
			description: `${description}, with the service's own element names. Example: <code>${JSON.stringify(exampleValue(field))}</code>.`,
			displayOptions: { show: { [specify(name)]: ['json'] } },
		},
	];
}

/**
 * The form of a request, in the contract's order: a parameter per scalar, a choice of fields or
 * JSON per record and repeated record.
 */
export function requestProperties(request: Fields): INodeProperties[] {
	return Object.entries(request).flatMap(([name, field]): INodeProperties[] => {
		if (field.kind === 'record' || field.kind === 'list') return recordProperties(name, field);
		const property = scalarProperty(
			parameterName(name),
			label(name, field),
			field,
			field.description ?? label(name, field),
		);
		return [field.kind === 'boolean' ? property : { ...property, required: true }];
	});
}

/** Limits properties to one resource and operation, keeping what they depend on already. */
export function shownFor(
	resource: string,
	operation: string,
	properties: readonly INodeProperties[],
): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			show: { resource: [resource], operation: [operation], ...property.displayOptions?.show },
		},
	}));
}
