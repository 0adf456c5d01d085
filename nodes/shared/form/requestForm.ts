import type { DisplayCondition, INodeProperties } from 'n8n-workflow';
import type { Field, Fields, ListField, RecordField, ScalarField } from '../contract/fields';
import { inWords } from '../errors/words';
import { flatten, type FlatField } from './flatten';
import { label, parameterName, words } from './names';
import { pickProperty } from './pick';

/** How a record is given: field by field, as JSON, or a list's rows as input items. */
export const FIELDS = 'fields';
export const JSON_TEXT = 'json';
export const ITEMS = 'items';
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
			if (field.pick !== undefined) return { ...common, ...pickProperty(field.pick, placeholder) };
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
 * A value that every request has. A number is a text field, too: n8n marks an empty required field
 * before the run only where it is one. Its precision says that it is for numbers.
 */
function requiredProperty(name: string, field: ScalarField): INodeProperties {
	const displayName = label(name, field);
	const description = field.description ?? displayName;
	const property = scalarProperty(parameterName(name), displayName, field, description);
	if (field.kind === 'boolean') return property;
	return { ...property, ...(field.kind === 'int' && { type: 'string' }), required: true };
}

/** The service's own word is named where the label is another one. */
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

/** The fields that every row of a list shows, in the contract's order. */
function fieldsOfEachRow({ of, rowFields = [] }: ListField): FlatField[] {
	const flat = flatten(of);
	return rowFields.flatMap((path) => {
		return flat.find((one) => one.path.join('.') === path.join('.')) ?? [];
	});
}

/** A row of a list: the fields that each row shows, and the others to add. */
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
			// Rows of an earlier version have all their fields here.
			options: recordFields(list.of).map((field) =>
				names.has(field.name) ? onlyWhereStored(field) : field,
			),
		},
	];
}

/**
 * A row's title, by the fields that each row shows: "4100: 40 %". Seen where n8n's new look of rows is
 * enabled, which 2.41 has behind a feature flag; elsewhere rows have no title.
 */
function rowTitle(list: ListField): string | undefined {
	const values = fieldsOfEachRow(list).map(({ parameter, field }) => {
		const text = `String($collection.item.value.${parameter} ?? '')`;
		const isPercentage = field.kind === 'decimal' && field.shareOf === 100;
		return isPercentage ? `${text}.replace(/^[^=].*/, '$& %')` : text;
	});
	if (values.length === 0) return undefined;
	// What an expression comes to is not known to the title.
	const isKnown = `(text) => text !== '' && !text.startsWith('=')`;
	return `={{ [${values.join(', ')}].filter(${isKnown}).join(': ') }}`;
}

/** Values of all fields, as examples, by the service's own element names. */
export function exampleOf(fields: Fields): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(fields).map(([name, field]) => [name, exampleValue(field)]),
	);
}

function exampleValue(field: Field): unknown {
	if (field.kind === 'record') return exampleOf(field.fields);
	if (field.kind === 'list') return [exampleOf(field.of.fields)];
	if (field.kind === 'boolean') return true;
	if (field.kind === 'enumeration') return field.values[0];
	return field.kind === 'string' ? (field.example ?? '') : Number(field.example ?? 0);
}

/** The choice between fields and JSON, and what else there is. */
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

/** The names that the enumerations of a record allow, as sentences. */
function namesOf({ fields }: RecordField): string {
	return Object.entries(fields)
		.map(([name, field]) =>
			field.kind === 'enumeration' ? `${name} is one of ${field.values.join(', ')}. ` : '',
		)
		.join('');
}

/** What is said where a list's rows are input items. */
function itemsNotice(name: string, keys: readonly string[]): INodeProperties {
	return {
		displayName: `Each input item is one row, as 'Get Many' gives them. Items with the same ${inWords(keys)} are written together, in one call.`,
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
			description: `${description}, with the service's own element names. What is missing is not sent. ${namesOf(record)}Example: <code>${JSON.stringify(exampleValue(field))}</code>.`,
			displayOptions: { show: { [specify(name)]: [JSON_TEXT] } },
		},
	];
}

/** The list of a request, by its element's name. */
export interface RequestList {
	readonly name: string;
	readonly list: ListField;
}

/** The one list of a request: only then it is plain what the rows among the input items are. */
export function requestList(request: Fields): RequestList | undefined {
	const lists = Object.entries(request).flatMap(([name, field]) =>
		field.kind === 'list' ? [{ name, list: field }] : [],
	);
	return lists.length === 1 ? lists[0] : undefined;
}

/** Where a value of a request stands in its form: whom and when it is about, what is written, the rest. */
function rank(field: Field, isKey: boolean): number {
	if (isKey) return 0;
	return field.kind === 'record' || field.kind === 'list' ? 1 : 2;
}

/**
 * The form of a request: first whom and when it is about, then its records, then its other values,
 * each in the contract's order. A parameter per scalar, a choice of fields or JSON per record and
 * repeated record. The rows of a request's only list may also be the input items, which then name
 * their own keys.
 *
 * @param keys names of the elements that say whom and when
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

/**
 * A field of a collection that only a workflow of an earlier version has: shown where it is stored,
 * and offered nowhere. Without it, n8n would drop the stored value.
 */
export function onlyWhereStored(property: INodeProperties): INodeProperties {
	const isStored: DisplayCondition = { _cnd: { exists: true } };
	return { ...property, displayOptions: { show: { [property.name]: [isStored] } } };
}

/** Whether a field is offered nowhere, see {@link onlyWhereStored}. */
export function isOnlyStored({ name, displayOptions }: INodeProperties): boolean {
	return displayOptions?.show?.[name] !== undefined;
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
			...property.displayOptions,
			show: { resource: [resource], operation: [operation], ...property.displayOptions?.show },
		},
	}));
}
