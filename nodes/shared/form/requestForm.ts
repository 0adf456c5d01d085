/** The form of a request: its keys, its records, and its list, whose rows may be input items. */
import type { INodeProperties } from 'n8n-workflow';
import {
	type Fields,
	isRecordList,
	isScalar,
	type RecordField,
	type RecordList,
	type ScalarField,
} from '../contract/fields';
import { keysOf, requestRows, type RequestRows, subjectOf } from '../contract/operation';
import { AS_TOOL, AUTOMATIC, rowTitle } from '../host/forms';
import { exampleOf, fieldProperties, onlyTheseProperty, scalarProperty } from './fieldForm';
import {
	additional,
	columnsOf,
	DECIMAL_COMMA,
	FIELDS,
	FRACTIONS,
	ITEMS,
	json,
	JSON_TEXT,
	label,
	parameterName,
	ROW,
	ROW_FIELDS,
	rowFieldsOf,
	specify,
} from './names';
import { joinNames } from '../errors/words';

/** The property of a scalar that every request has. */
function requiredProperty(name: string, field: ScalarField): INodeProperties {
	const displayName = label(name, field);
	const description = field.description ?? displayName;
	const property = scalarProperty(parameterName(name), displayName, field, description);
	return field.kind === 'boolean' ? property : { ...property, required: true };
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
	const text = label(name, field);
	const about = field.description ?? `The ${text.toLowerCase()} to write`;
	const isList = field.kind === 'list';
	const record = isList ? field.of : field;
	const fields = isList
		? [rowsProperty(name, field, about, title)]
		: fieldProperties(field, additional(name));
	// The input item of a tool holds the model's arguments.
	const fromItems = {
		name: 'From Input Items',
		value: ITEMS,
		displayOptions: { hide: AS_TOOL },
	};
	const names = Object.entries(record.fields).map(([element, one]) =>
		one.kind === 'enumeration' ? `${element} is one of ${one.values.join(', ')}. ` : '',
	);
	const empty = isList ? '[]' : '{}';
	const isChosen = (way: string) => ({ [specify(name)]: [way] });
	return [
		{
			displayName: `Specify ${text}`,
			name: specify(name),
			type: 'options',
			noDataExpression: true,
			default: FIELDS,
			options: [
				fromItems,
				{ name: 'Using Fields Below', value: FIELDS },
				{ name: 'Using JSON', value: JSON_TEXT },
			],
			...(field.hint && { hint: field.hint }),
		},
		...fields.map((property) => ({
			...property,
			displayOptions: {
				...property.displayOptions,
				show: { ...property.displayOptions?.show, ...isChosen(FIELDS) },
			},
		})),
		{
			displayName: `${text} (JSON)`,
			name: json(name),
			type: 'json',
			required: true,
			default: empty,
			typeOptions: { rows: 8 },
			description: `${about}, with the service's own element names or those of a simplified record. Missing fields are not sent. ${names.join('')}Example: <code>${JSON.stringify(exampleOf(field))}</code>.`,
			displayOptions: { show: isChosen(JSON_TEXT) },
		},
		...(isList ? [] : onlyTheseProperty(field)),
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
	const rows = requestRows(request);
	const isTyped = rows && {
		displayOptions: { show: { [specify(rows.name)]: [FIELDS, JSON_TEXT] } },
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
			if (rows && name !== subjectOf(request)) {
				keys.push(besideRows(rows.name, requiredProperty(name, field)));
			}
		} else others.push(requiredProperty(name, field));
	}
	const properties = [
		...keys,
		...records,
		...(rows ? rowsProperties(request, rows) : []),
		...others,
	];
	const names = properties.map(({ name }) => name);
	// The variants of one field follow each other.
	if (new Set(names).size < names.filter((name, i) => name !== names[i - 1]).length) {
		throw new TypeError('Two fields of a request would share one parameter name');
	}
	return properties;
}

/** The switch for the texts of cells. */
export const decimalCommaProperty: INodeProperties = {
	displayName: 'Decimal Comma',
	name: DECIMAL_COMMA,
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether the sheet writes numbers with a decimal comma, such as 33,34 and 1.234,56',
};

/** The switch for what Excel has in a cell that it shows as 60 %. */
const fractionsProperty: INodeProperties = {
	displayName: 'Percentages Are Fractions',
	name: FRACTIONS,
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether the sheet has 0.6 for 60 %, as Excel stores cells that are formatted as percentages',
};

/** Returns the property of a key beside the rows of a list, which may have it themselves. */
function besideRows(list: string, property: INodeProperties): INodeProperties {
	return {
		...property,
		required: false,
		description: `${property.description}. Leave it empty if the rows have a column with it.`,
		displayOptions: { show: { [specify(list)]: [ITEMS] } },
	};
}

/**
 * Returns the properties of rows that are input items: the mapping of their columns, and how numbers are
 * written.
 */
function rowsProperties(request: Fields, { name, of, isList }: RequestRows): INodeProperties[] {
	const keys = Object.entries(keysOf(request)).map(([key, field]) =>
		label(key, field).toLowerCase().replace(/ id$/, ''),
	);
	const displayOptions = { show: { [specify(name)]: [ITEMS] } };
	const row = label(of.type, of).toLowerCase();
	const hasShares = Object.values(of.fields).some(({ isPercentage }) => isPercentage);
	const together = `; items with the same ${joinNames(keys)} are written together, in one call`;
	const matching = {
		matchingFieldsLabels: {
			title: 'Column to Match On',
			description: `The column by which the node finds the ${row} that a row changes`,
			hint: `Each row needs it. It says which ${row} of the service the row is.`,
		},
	};
	return [
		{
			displayName: 'Columns',
			name: columnsOf(name),
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: AUTOMATIC, value: null },
			description: `Which column of the input items is which field. Each item is one ${row}${isList ? together : ''}. Blank rows and totals are skipped.`,
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod: rowFieldsOf(name),
					mode: isList ? 'upsert' : 'add',
					multiKeyMatch: false,
					supportAutoMap: true,
					fieldWords: { singular: 'column', plural: 'columns' },
					...(isList && matching),
				},
			},
			displayOptions,
		},
		...(isList ? [{ ...decimalCommaProperty, displayOptions }] : []),
		...(hasShares ? [{ ...fractionsProperty, displayOptions }] : []),
	];
}
