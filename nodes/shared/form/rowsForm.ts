/** The form of a list whose rows are input items. */
import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import { keysOf, type RequestList } from '../contract/operation';
import { joinNames } from '../errors/words';
import { AUTOMATIC } from '../host/forms';
import { columnsOf, DECIMAL_COMMA, ITEMS, label, rowFieldsOf, specify } from './names';

/** The switch for the texts of cells. */
export const decimalCommaProperty: INodeProperties = {
	displayName: 'Decimal Comma',
	name: DECIMAL_COMMA,
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether numbers that are texts have a decimal comma, such as 33,34 and 1.234,56',
};

/** Returns the property of a key beside the rows of a list, which may have it themselves. */
export function besideRows(list: string, property: INodeProperties): INodeProperties {
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
export function rowsProperties(request: Fields, { name, list }: RequestList): INodeProperties[] {
	const keys = Object.entries(keysOf(request)).map(([key, field]) =>
		label(key, field).toLowerCase().replace(/ id$/, ''),
	);
	const displayOptions = { show: { [specify(name)]: [ITEMS] } };
	const row = label(list.of.type, list.of).toLowerCase();
	return [
		{
			displayName: 'Columns',
			name: columnsOf(name),
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: AUTOMATIC, value: null },
			description: `Which column of the input items is which field. Each item is one ${row}; items with the same ${joinNames(keys)} are written together, in one call. Blank rows and totals are skipped.`,
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod: rowFieldsOf(name),
					mode: 'upsert',
					multiKeyMatch: false,
					supportAutoMap: true,
					fieldWords: { singular: 'column', plural: 'columns' },
					matchingFieldsLabels: {
						title: 'Column to Match On',
						description: `The column that says which ${row} of the service a row is`,
						hint: `Each row needs it. It says which ${row} of the service the row is.`,
					},
				},
			},
			displayOptions,
		},
		{ ...decimalCommaProperty, displayOptions },
	];
}
