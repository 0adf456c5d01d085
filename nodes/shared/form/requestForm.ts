import type { INodeProperties } from 'n8n-workflow';
import type { Field, Fields, ListField, RecordField, ScalarField } from '../contract/fields';
import { joinNames } from '../errors/words';
import { exampleOf } from './example';
import { flatten, type FlatField } from './flatten';
import { label, parameterName, words } from './names';
import { pickProperty } from './pick';

/**
 * The ways to give a record: field by field, as JSON, or, for the rows of a list, as input items.
 */
export const FIELDS = 'fields';
export const JSON_TEXT = 'json';
export const ITEMS = 'items';
/** Returns the name of the parameter that holds the choice of how to give an element. */
export const specify = (element: string): string => `specify${element}`;
/** Returns the name of the parameter that holds an element as JSON. */
export const json = (element: string): string => `${parameterName(element)}Json`;
/** Parameter names inside the parameter of a repeated record. */
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
			if (field.pickedFrom !== undefined) {
				return { ...common, ...pickProperty(field.pickedFrom, placeholder) };
			}
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

/**
 * The property of a scalar that every request has. An integer is a text field: n8n marks an empty
 * required field before the run only if it is a text field. `numberPrecision` marks it as a number.
 */
function requiredProperty(name: string, field: ScalarField): INodeProperties {
	const displayName = label(name, field);
	const description = field.description ?? displayName;
	const property = scalarProperty(parameterName(name), displayName, field, description);
	if (field.kind === 'boolean') return property;
	return { ...property, ...(field.kind === 'int' && { type: 'string' }), required: true };
}

/** Appends the service's own name if the label differs from it. */
function describe(flat: FlatField): string {
	const text = flat.field.description ?? flat.label;
	const service = flat.path.join('.');
	return words(flat.path.join('')) === flat.label ? text : `${text} (${service})`;
}

function flatProperty(flat: FlatField): INodeProperties {
	return scalarProperty(flat.parameter, flat.label, flat.field, describe(flat));
}

function recordFields(record: RecordField): INodeProperties[] {
	return flatten(record).map(flatProperty).sort(byDisplayName);
}

/** The fields that every row of a list shows, in the order of `rowFields`. */
function fieldsOfEachRow({ of, rowFields = [] }: ListField): FlatField[] {
	const flat = flatten(of);
	return rowFields.flatMap((path) => {
		return flat.find((one) => one.path.join('.') === path.join('.')) ?? [];
	});
}

/** The properties of a row: the fields that every row shows, and a collection of the others. */
function rowProperties(list: ListField): INodeProperties[] {
	const shown = fieldsOfEachRow(list).map(flatProperty);
	const names = new Set(shown.map(({ name }) => name));
	return [
		...shown,
		{
			displayName: 'Additional Fields',
			name: ROW_FIELDS,
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: recordFields(list.of).filter(({ name }) => !names.has(name)),
		},
	];
}

/**
 * The title of a row, from the fields that every row shows: "4100: 40 %". Only n8n's new row design
 * shows it, which is behind a feature flag in 2.41; elsewhere rows have no title.
 */
function rowTitle(list: ListField): string | undefined {
	const values = fieldsOfEachRow(list).map(({ parameter, field }) => {
		const text = `String($collection.item.value.${parameter} ?? '')`;
		const isPercentage = field.kind === 'decimal' && field.shareOf === 100;
		return isPercentage ? `${text}.replace(/^[^=].*/, '$& %')` : text;
	});
	if (values.length === 0) return undefined;
	// The title cannot evaluate an expression.
	const isKnown = `(text) => text !== '' && !text.startsWith('=')`;
	return `={{ [${values.join(', ')}].filter(${isKnown}).join(': ') }}`;
}

/**
 * Returns the choice between fields and JSON.
 *
 * @param choices further choices, listed first
 */
export function specifyProperty(
	displayName: string,
	name: string,
	choices: NonNullable<INodeProperties['options']> = [],
): INodeProperties {
	return {
		displayName: `Specify ${displayName}`,
		name: specify(name),
		type: 'options',
		noDataExpression: true,
		default: FIELDS,
		options: [
			...choices,
			{ name: 'Using Fields Below', value: FIELDS },
			{ name: 'Using JSON', value: JSON_TEXT },
		],
	};
}

/** Sentences that list the allowed names of a record's enumerations. */
function namesOf({ fields }: RecordField): string {
	return Object.entries(fields)
		.map(([name, field]) =>
			field.kind === 'enumeration' ? `${name} is one of ${field.values.join(', ')}. ` : '',
		)
		.join('');
}

/** The notice that is shown if the rows of a list are input items. */
function itemsNotice(name: string, keys: readonly string[]): INodeProperties {
	return {
		displayName: `Each input item is one row, as 'Get Many' returns it. Items with the same ${joinNames(keys)} are written together, in one call.`,
		name: `${parameterName(name)}Items`,
		type: 'notice',
		default: '',
		displayOptions: { show: { [specify(name)]: [ITEMS] } },
	};
}

/** The properties of a record or repeated record: the choice, the fields, the JSON. */
function recordProperties(
	name: string,
	field: RecordField | ListField,
	choices: INodeProperties['options'] = [],
): INodeProperties[] {
	const displayName = label(name, field);
	const record = field.kind === 'list' ? field.of : field;
	const description = field.description ?? `The ${displayName.toLowerCase()} to write`;
	const itemTitle = field.kind === 'list' ? rowTitle(field) : undefined;
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
					typeOptions: {
						multipleValues: true,
						sortable: true,
						...(itemTitle !== undefined && { fixedCollection: { itemTitle } }),
					},
					description: `${description}. A field that is empty or not added is not sent.`,
					options: [
						{
							displayName: label(record.type, record),
							name: ROW,
							values: rowProperties(field),
						},
					],
				};
	const hint = field.hint === undefined ? {} : { hint: field.hint };
	const emptyJson = field.kind === 'list' ? '[]' : '{}';
	return [
		{ ...specifyProperty(displayName, name, choices), ...hint },
		{ ...fields, displayOptions: { show: { [specify(name)]: [FIELDS] } } },
		{
			displayName: `${displayName} (JSON)`,
			name: json(name),
			type: 'json',
			required: true,
			default: emptyJson,
			typeOptions: { rows: 8 },
			description: `${description}, with the service's own element names. Missing fields are not sent. ${namesOf(record)}Example: <code>${JSON.stringify(exampleOf(field))}</code>.`,
			displayOptions: { show: { [specify(name)]: [JSON_TEXT] } },
		},
	];
}

/** A list of a request and its element name. */
export interface RequestList {
	readonly name: string;
	readonly list: ListField;
}

/**
 * Returns the only list of a request; `undefined` if there is none or more than one, since input
 * items could then be rows of either.
 */
export function requestList(request: Fields): RequestList | undefined {
	const lists = Object.entries(request).flatMap(([name, field]) =>
		field.kind === 'list' ? [{ name, list: field }] : [],
	);
	return lists.length === 1 ? lists[0] : undefined;
}

/** Sort rank of a request value in the form: keys, then records and lists, then the rest. */
function rank(field: Field, isKey: boolean): number {
	if (isKey) return 0;
	return field.kind === 'record' || field.kind === 'list' ? 1 : 2;
}

/**
 * Returns the form of a request: its keys, then its records and lists, then its other values, each
 * in the contract's order. A scalar is one parameter; a record or list has a choice of fields or
 * JSON. The rows of the only list can also be input items, which then contain the keys.
 *
 * @param keys names of the elements that identify the employee or company and the period
 */
export function requestProperties(
	request: Fields,
	keys: readonly string[] = [],
): INodeProperties[] {
	const list = requestList(request);
	const keyLabels = keys.flatMap((key) => {
		const field = request[key];
		return field === undefined ? [] : `'${label(key, field)}'`;
	});
	const place = ([name, field]: [string, Field]): number => rank(field, keys.includes(name));
	const inOrder = Object.entries(request).sort((a, b) => place(a) - place(b));
	return inOrder.flatMap(([name, field]): INodeProperties[] => {
		if (field.kind === 'record') return recordProperties(name, field);
		if (field.kind === 'list') {
			if (list === undefined) return recordProperties(name, field);
			// The input item of a tool holds the model's arguments.
			const displayOptions = { hide: { '@tool': [true] } };
			const fromItems = { name: 'From Input Items', value: ITEMS, displayOptions };
			return [...recordProperties(name, field, [fromItems]), itemsNotice(name, keyLabels)];
		}
		const property = requiredProperty(name, field);
		if (list === undefined || !keys.includes(name)) return [property];
		const show = { [specify(list.name)]: [FIELDS, JSON_TEXT] };
		return [{ ...property, displayOptions: { show } }];
	});
}

/** Shows properties only for one resource and operation, in addition to their own conditions. */
export function shownFor(
	resource: string,
	operation: string,
	properties: readonly INodeProperties[],
): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { resource: [resource], operation: [operation], ...property.displayOptions?.show },
		},
	}));
}
