import type { INodeProperties } from 'n8n-workflow';
import type { Fields, ListField, RecordField, ScalarField } from '../contract/fields';
import { joinNames } from '../errors/words';
import { exampleOf } from './example';
import { flatten, label, parameterName, words, type FlatField } from './names';
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
/** Returns the name of the collection of those fields of a record that are not always shown. */
export const additional = (element: string): string => `${parameterName(element)}Fields`;
/** Parameter names inside the parameter of a repeated record. */
export const ROW = 'row';
export const ROW_FIELDS = 'fields';

/**
 * Returns the property of a scalar. Numbers are text fields: n8n's field for numbers drops a decimal
 * comma, so that "33,34" becomes 3334, and marks no empty required field before the run. The tool
 * description takes the kind of number from `numberPrecision`.
 */
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
			return { ...common, type: 'string', default: '', typeOptions: { numberPrecision: 0 } };
		case 'decimal':
			return { ...common, type: 'string', default: '', typeOptions: { numberPrecision: 2 } };
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

/** The property of a scalar that every request has. */
function requiredProperty(name: string, field: ScalarField): INodeProperties {
	const displayName = label(name, field);
	const description = field.description ?? displayName;
	const property = scalarProperty(parameterName(name), displayName, field, description);
	return field.kind === 'boolean' ? property : { ...property, required: true };
}

/** Returns the fields of a record that the form always shows. */
export function shownFields({ fields }: RecordField): readonly FlatField[] {
	return flatten(fields).filter(({ field }) => field.isShown);
}

/** The fields of a record by their labels, with the service's own name if that differs. */
function recordFields(record: RecordField): INodeProperties[] {
	return flatten(record.fields).map(({ path, label: displayName, field }) => {
		const { description = displayName } = field;
		const service = words(path.join('')) === displayName ? '' : ` (${path.join('.')})`;
		return scalarProperty(parameterName(...path), displayName, field, `${description}${service}`);
	});
}

/** How the form shows the rows of a list, by names of parameters. */
export interface RowForm {
	/**
	 * Expression of a row's title. Only n8n's new row design shows it, which is behind a feature flag
	 * in 2.41; elsewhere rows have no title.
	 */
	readonly title: string;
	/** The field that is chosen from a list, and the list search method. */
	readonly picked: string;
	readonly searchListMethod: string;
}

/**
 * The properties of a record: the fields that are always shown, and a collection of the others.
 *
 * @param added name of the collection
 */
function fieldProperties(record: RecordField, added: string, rows?: RowForm): INodeProperties[] {
	const fields = recordFields(record).map((property): INodeProperties => {
		const { displayName, name, description = '', placeholder = '' } = property;
		if (name !== rows?.picked) return property;
		const choice = pickProperty(rows.searchListMethod, { placeholder });
		return { displayName, name, description, placeholder, ...choice };
	});
	const shown = shownFields(record).map(({ path }) => parameterName(...path));
	return [
		...fields.filter(({ name }) => shown.includes(name)),
		{
			displayName: 'Additional Fields',
			name: added,
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: fields
				.filter(({ name }) => !shown.includes(name))
				.sort((a, b) => a.displayName.localeCompare(b.displayName)),
		},
	];
}

/**
 * Returns the choice between fields and JSON.
 *
 * @param choices further choices, listed first
 */
function specifyProperty(
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
function itemsNotice({ name, list }: RequestList, keys: readonly string[]): INodeProperties {
	const [field] = flatten(list.of.fields).filter(({ path }) => path.length > 1);
	const example = field && `, such as '${field.label}'`;
	return {
		displayName: `Each input item is one row, as 'Get Many' returns it, or with the labels of the fields as columns${example ?? ''}. Items with the same ${joinNames(keys)} are written together, in one call.`,
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
	rows?: RowForm,
): INodeProperties[] {
	const displayName = label(name, field);
	const record = field.kind === 'list' ? field.of : field;
	const description = field.description ?? `The ${displayName.toLowerCase()} to write`;
	const displayOptions = { show: { [specify(name)]: [FIELDS] } };
	const row = label(record.type, record);
	const fields: INodeProperties[] =
		field.kind === 'record'
			? fieldProperties(record, additional(name)).map((property) => ({
					...property,
					displayOptions,
				}))
			: [
					{
						displayName,
						name: parameterName(name),
						type: 'fixedCollection',
						default: {},
						placeholder: `Add ${row}`,
						typeOptions: {
							multipleValues: true,
							sortable: true,
							...(rows && { fixedCollection: { itemTitle: rows.title } }),
						},
						description: `${description}. A field that is empty or not added is not sent.`,
						options: [
							{ displayName: row, name: ROW, values: fieldProperties(record, ROW_FIELDS, rows) },
						],
						displayOptions,
					},
				];
	const hint = field.hint === undefined ? {} : { hint: field.hint };
	const emptyJson = field.kind === 'list' ? '[]' : '{}';
	return [
		{ ...specifyProperty(displayName, name, choices), ...hint },
		...fields,
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

/** The list of a request and its element name. */
export interface RequestList {
	readonly name: string;
	readonly list: ListField;
}

/**
 * Returns the list of a request; `undefined` if it has none.
 *
 * @throws {TypeError} if it has several, since input items could be rows of either: a mistake in the
 * contract, found when the module loads
 */
export function requestList(request: Fields): RequestList | undefined {
	const [only, ...others] = Object.entries(request).flatMap(([name, field]) =>
		field.kind === 'list' ? [{ name, list: field }] : [],
	);
	if (others.length > 0) throw new TypeError('A request has more than one list');
	return only;
}

/**
 * Returns the form of a request: its keys, then its records and lists, then its other values, each
 * in the contract's order. A scalar is one parameter; a record or list has a choice of fields or
 * JSON. The rows of the only list can also be input items, which then contain the keys.
 *
 * @param rows how the rows of the list are titled, and which of their fields is chosen from a list
 * @throws {TypeError} if two parameters would share a name: a mistake in the contract, found when the
 * module loads
 */
export function requestProperties(request: Fields, rows?: RowForm): INodeProperties[] {
	const list = requestList(request);
	const keyed: INodeProperties[] = [];
	const records: INodeProperties[] = [];
	const others: INodeProperties[] = [];
	for (const [name, field] of Object.entries(request)) {
		if (field.kind === 'record') {
			records.push(...recordProperties(name, field));
		} else if (field.kind === 'list') {
			// The input item of a tool holds the model's arguments.
			const displayOptions = { hide: { '@tool': [true] } };
			const fromItems = { name: 'From Input Items', value: ITEMS, displayOptions };
			records.push(...recordProperties(name, field, [fromItems], rows));
		} else if (field.isKey) {
			const show = list && { [specify(list.name)]: [FIELDS, JSON_TEXT] };
			keyed.push({ ...requiredProperty(name, field), ...(show && { displayOptions: { show } }) });
		} else {
			others.push(requiredProperty(name, field));
		}
	}
	const labels = keyed.map(({ displayName }) => `'${displayName}'`);
	const notices = list ? [itemsNotice(list, labels)] : [];
	const properties = [...keyed, ...records, ...notices, ...others];
	if (new Set(properties.map(({ name }) => name)).size < properties.length) {
		throw new TypeError('Two fields of a request would share one parameter name');
	}
	return properties;
}
