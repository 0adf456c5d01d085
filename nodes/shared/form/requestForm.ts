import type { INodeProperties } from 'n8n-workflow';
import {
	isRecordList,
	isScalar,
	type Fields,
	type RecordField,
	type RecordList,
	type ScalarField,
} from '../contract/fields';
import { requestList, type RequestList } from '../contract/operation';
import { joinNames } from '../errors/words';
import { AS_TOOL, NUMBER, rowTitle } from '../host/forms';
import { exampleOf } from './example';
import {
	additional,
	FIELDS,
	flatten,
	ITEMS,
	json,
	JSON_TEXT,
	label,
	parameterName,
	ROW,
	ROW_FIELDS,
	specify,
	words,
	type FlatField,
} from './names';

/** The property of a scalar. The tool description takes the kind of number from `numberPrecision`. */
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

/** The property of a field by its label, with the service's own name if that differs. */
function fieldProperty({ path, label, field }: FlatField): INodeProperties {
	const name = parameterName(...path);
	const service = words(path.join('')) === label ? '' : ` (${path.join('.')})`;
	return scalarProperty(name, label, field, `${field.description ?? label}${service}`);
}

/**
 * The properties of a record: the fields that are always shown, and a collection of the others.
 *
 * @param added name of the collection
 */
function fieldProperties(record: RecordField, added: string) {
	const propertiesOf = (isShown: boolean): INodeProperties[] =>
		flatten(record.fields)
			.filter(({ field }) => (field.isShown === true) === isShown)
			.map(fieldProperty);
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

/** The choice of how to give a record or a list. */
function specifyProperty(name: string, field: RecordField | RecordList): INodeProperties {
	// The input item of a tool holds the model's arguments.
	const displayOptions = { hide: AS_TOOL };
	const fromItems = { name: 'From Input Items', value: ITEMS, displayOptions };
	return {
		displayName: `Specify ${label(name, field)}`,
		name: specify(name),
		type: 'options',
		noDataExpression: true,
		default: FIELDS,
		options: [
			...(field.kind === 'list' ? [fromItems] : []),
			{ name: 'Using Fields Below', value: FIELDS },
			{ name: 'Using JSON', value: JSON_TEXT },
		],
		...(field.hint && { hint: field.hint }),
	};
}

function jsonProperty(
	name: string,
	field: RecordField | RecordList,
	about: string,
): INodeProperties {
	const { fields } = field.kind === 'list' ? field.of : field;
	const names = Object.entries(fields).map(([element, one]) =>
		one.kind === 'enumeration' ? `${element} is one of ${one.values.join(', ')}. ` : '',
	);
	const empty = field.kind === 'list' ? '[]' : '{}';
	return {
		displayName: `${label(name, field)} (JSON)`,
		name: json(name),
		type: 'json',
		required: true,
		default: empty,
		typeOptions: { rows: 8 },
		description: `${about}, with the service's own element names. Missing fields are not sent. ${names.join('')}Example: <code>${JSON.stringify(exampleOf(field))}</code>.`,
		displayOptions: { show: { [specify(name)]: [JSON_TEXT] } },
	};
}

function rowsProperty(
	name: string,
	list: RecordList,
	about: string,
	title?: string,
): INodeProperties {
	const { of } = list;
	const row = label(of.type, of);
	return {
		displayName: label(name, list),
		name: parameterName(name),
		type: 'fixedCollection',
		default: {},
		placeholder: `Add ${row}`,
		typeOptions: {
			multipleValues: true,
			sortable: true,
			...(title !== undefined && rowTitle(title)),
		},
		description: `${about}. A field that is empty or not added is not sent.`,
		options: [{ displayName: row, name: ROW, values: fieldProperties(of, ROW_FIELDS) }],
	};
}

/** The properties of a record or list: the choice, the fields, the JSON. */
function recordForm(
	name: string,
	field: RecordField | RecordList,
	title?: string,
): INodeProperties[] {
	const about = field.description ?? `The ${label(name, field).toLowerCase()} to write`;
	const fields =
		field.kind === 'record'
			? fieldProperties(field, additional(name))
			: [rowsProperty(name, field, about, title)];
	const displayOptions = { show: { [specify(name)]: [FIELDS] } };
	return [
		specifyProperty(name, field),
		...fields.map((property) => ({ ...property, displayOptions })),
		jsonProperty(name, field, about),
	];
}

/** The notice that is shown if the rows of a list are input items. */
function itemsNotice({ name, list }: RequestList, keys: readonly string[]): INodeProperties {
	const nested = flatten(list.of.fields).find(({ path }) => path.length > 1);
	const example = nested === undefined ? '' : `, such as '${nested.label}'`;
	return {
		displayName: `Each input item is one row, as 'Get Many' returns it, or with the labels of the fields as columns${example}. Items with the same ${joinNames(keys)} are written together, in one call.`,
		name: `${parameterName(name)}Items`,
		type: 'notice',
		default: '',
		displayOptions: { show: { [specify(name)]: [ITEMS] } },
	};
}

/**
 * Returns the form of a request: its keys, then its records and lists, then its other values, each
 * in the contract's order. A scalar is one parameter; a record or list has a choice of fields or
 * JSON. The rows of the only list can also be input items, which then contain the keys.
 *
 * @param title expression of the title of a row of its list
 * @throws {TypeError} if two parameters would share a name, or a field has no form: a mistake in the
 * contract, found when the module loads
 */
export function requestProperties(request: Fields, title?: string): INodeProperties[] {
	const list = requestList(request);
	const isTyped = list && {
		displayOptions: { show: { [specify(list.name)]: [FIELDS, JSON_TEXT] } },
	};
	const keys: INodeProperties[] = [];
	const records: INodeProperties[] = [];
	const others: INodeProperties[] = [];
	for (const [name, field] of Object.entries(request)) {
		if (field.kind === 'record' || isRecordList(field)) {
			records.push(...recordForm(name, field, title));
		} else if (!isScalar(field)) throw new TypeError(`There is no form for ${field.kind}`);
		else if (field.isKey) keys.push({ ...requiredProperty(name, field), ...isTyped });
		else others.push(requiredProperty(name, field));
	}
	const labels = keys.map(({ displayName }) => `'${displayName}'`);
	const notices = list ? [itemsNotice(list, labels)] : [];
	const properties = [...keys, ...records, ...notices, ...others];
	if (new Set(properties.map(({ name }) => name)).size < properties.length) {
		throw new TypeError('Two fields of a request would share one parameter name');
	}
	return properties;
}
