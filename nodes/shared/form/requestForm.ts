import type { INodeProperties } from 'n8n-workflow';
import {
	isRecordList,
	isScalar,
	type Fields,
	type RecordField,
	type RecordList,
	type ScalarField,
} from '../contract/fields';
import { requestList, subjectOf } from '../contract/operation';
import { AS_TOOL, rowTitle } from '../host/forms';
import { exampleOf } from './example';
import { fieldProperties, onlyTheseProperty, scalarProperty } from './fieldForm';
import {
	additional,
	FIELDS,
	ITEMS,
	json,
	JSON_TEXT,
	label,
	parameterName,
	ROW,
	ROW_FIELDS,
	specify,
} from './names';
import { besideRows, rowsProperties } from './rowsForm';

/** The property of a scalar that every request has. */
function requiredProperty(name: string, field: ScalarField): INodeProperties {
	const displayName = label(name, field);
	const description = field.description ?? displayName;
	const property = scalarProperty(parameterName(name), displayName, field, description);
	return field.kind === 'boolean' ? property : { ...property, required: true };
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
		description: `${about}, with the service's own element names or those of a simplified record. Missing fields are not sent. ${names.join('')}Example: <code>${JSON.stringify(exampleOf(field))}</code>.`,
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
		...fields.map((property) => ({
			...property,
			displayOptions: {
				...property.displayOptions,
				show: { ...property.displayOptions?.show, ...displayOptions.show },
			},
		})),
		jsonProperty(name, field, about),
		...(field.kind === 'record' ? onlyTheseProperty(field) : []),
	];
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
		else if (field.isKey) {
			keys.push({ ...requiredProperty(name, field), ...isTyped });
			if (list && name !== subjectOf(request)) {
				keys.push(besideRows(list.name, requiredProperty(name, field)));
			}
		} else others.push(requiredProperty(name, field));
	}
	const properties = [
		...keys,
		...records,
		...(list ? rowsProperties(request, list) : []),
		...others,
	];
	const names = properties.map(({ name }) => name);
	// The variants of one field follow each other.
	if (new Set(names).size < names.filter((name, i) => name !== names[i - 1]).length) {
		throw new TypeError('Two fields of a request would share one parameter name');
	}
	return properties;
}
