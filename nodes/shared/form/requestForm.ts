/** The form of a request: its keys, and its record or list, whose rows may be input items. */
import type { INodeProperties } from 'n8n-workflow';
import {
	type Field,
	type Fields,
	isScalar,
	type RecordField,
	type ScalarField,
} from '../contract/fields';
import { keysOf, requestRows, type RequestRows, subjectOf } from '../contract/operation';
import { joinNames } from '../errors/words';
import { AS_TOOL, AUTOMATIC } from '../host/forms';
import { kindOf, readScalar, countries } from '../values/scalars';
import { formScalars } from './fields';
import {
	additional,
	columnsOf,
	json,
	label,
	ONLY_THESE,
	ONLY_THESE_LABEL,
	parameterName,
	ROW,
	ROW_FIELDS,
	rowFieldsOf,
	specify,
	WAYS,
	words,
} from './names';

const { fields: FIELDS, json: JSON_TEXT, items: ITEMS } = WAYS;

const MAX_EXAMPLE_DEPTH = 3;

/** Returns an example value, in which each record has at most `maxFields` fields. */
export function exampleOf(field: Field, maxFields = Infinity, depth = 0): unknown {
	switch (field.kind) {
		case 'list':
		case 'repeated':
			if (field.of.kind === 'record') return [exampleOf(field.of, maxFields, depth)];
			// A list may be a list of itself.
			return depth < MAX_EXAMPLE_DEPTH ? [exampleOf(field.of, maxFields, depth + 1)] : [];
		case 'record': {
			if (depth >= MAX_EXAMPLE_DEPTH) return {};
			const inner = Object.entries(field.fields).slice(0, maxFields);
			return Object.fromEntries(
				inner.map(([name, own]) => [name, exampleOf(own, maxFields, depth + 1)]),
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

/**
 * The property of a scalar. A number is a text: n8n's field for numbers drops a decimal comma, so that "33,34" becomes
 * 3334, and marks no empty required field before the run (`ParameterInput.vue` of n8n's editor). The tool description
 * takes the kind of number from `numberPrecision`.
 */
function scalarProperty(
	name: string,
	displayName: string,
	field: ScalarField,
	description = displayName,
): INodeProperties {
	const text: INodeProperties = { displayName, name, description, type: 'string', default: '' };
	if (field.example !== undefined) text.placeholder = `e.g. ${field.example}`;
	switch (field.kind) {
		case 'int':
			return { ...text, typeOptions: { numberPrecision: 0 } };
		case 'decimal':
			return { ...text, typeOptions: { numberPrecision: 2 } };
		case 'boolean':
			return { ...text, type: 'boolean', default: false };
		case 'enumeration':
			return {
				...text,
				type: 'options',
				default: field.values[0] ?? '',
				options: field.values
					.map((value) => ({ name: words(value), value }))
					.sort((a, b) => a.name.localeCompare(b.name)),
			};
		default:
			return text;
	}
}

const countryOptions = [
	{ name: 'Not Given', value: '' },
	...countries.map(({ code, name }) => ({ name: `${name} (${code})`, value: code })),
];

/**
 * The properties of a record: the fields that are always shown, and a collection of the others, named `added`. A usual
 * field is required unless the builder chooses otherwise; a country is a list, and a text where a model may give it.
 */
function fieldProperties(record: RecordField, added: string): INodeProperties[] {
	const propertiesOf = (isShown: boolean): INodeProperties[] =>
		formScalars(record.fields).flatMap(({ path, label: text, field, parameter }) => {
			if ((field.isShown === true) !== isShown) return [];
			// The service's own name is added if it differs.
			const service = words(path.join('')) === text ? '' : ` (${path.join('.')})`;
			const about = `${field.description ?? text}${service}`;
			const property = scalarProperty(parameter, text, field, about);
			if (field.kind === 'country') {
				const list = { type: 'options', options: countryOptions } as const;
				return [
					{ ...property, ...list, displayOptions: { hide: AS_TOOL } },
					{ ...property, displayOptions: { show: AS_TOOL } },
				];
			}
			if (field.isUsual !== true) return [property];
			return [true, false].map((required) => {
				return { ...property, required, displayOptions: { show: { [ONLY_THESE]: [!required] } } };
			});
		});
	return [
		...propertiesOf(true),
		{
			displayName: 'Additional Fields',
			name: added,
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: propertiesOf(false).sort((a, b) => a.displayName.localeCompare(b.displayName)),
		},
	];
}

const bySheet = { type: 'boolean', noDataExpression: true, default: false } as const;

/** The switch for texts of cells with a decimal comma. */
export const decimalCommaProperty: INodeProperties = {
	...bySheet,
	displayName: 'Decimal Comma',
	name: 'decimalComma',
	description: 'Whether the sheet writes numbers with a decimal comma, such as 33,34 and 1.234,56',
};

/** The switch for what Excel has in a cell that it shows as 60 %. */
export const fractionsProperty: INodeProperties = {
	...bySheet,
	displayName: 'Percentages Are Fractions',
	name: 'percentagesAreFractions',
	description:
		'Whether the sheet has 0.6 for 60 %, as Excel stores cells that are formatted as percentages',
};

/** Shows properties only if a record or list is given in one of these ways, beside their own conditions. */
const shownFor = (element: string, ways: string[], properties: readonly INodeProperties[]) =>
	properties.map(({ displayOptions, ...property }): INodeProperties => {
		const show = { ...displayOptions?.show, [specify(element)]: ways };
		return { ...property, displayOptions: { ...displayOptions, show } };
	});

/** The properties of rows that are input items: the mapping of their columns, and how numbers are written. */
function itemsProperties(request: Fields, { name, of, isList }: RequestRows): INodeProperties[] {
	const row = label(of.type, of).toLowerCase();
	const keys = Object.entries(keysOf(request)).map(([key, own]) =>
		label(key, own).toLowerCase().replace(/ id$/, ''),
	);
	const together = `; items with the same ${joinNames(keys)} are written together, in one call`;
	const matchingFieldsLabels = {
		title: 'Column to Match On',
		description: `The column by which the node finds the ${row} that a row changes`,
		hint: `Each row needs it. It says which ${row} of the service the row is.`,
	};
	return shownFor(
		name,
		[ITEMS],
		[
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
						...(isList && { matchingFieldsLabels }),
					},
				},
			},
			...(isList ? [decimalCommaProperty] : []),
			...(Object.values(of.fields).some((own) => own.isPercentage) ? [fractionsProperty] : []),
		],
	);
}

/** The properties of a request's record or list: how it is given, field by field, and as JSON. */
function recordProperties(rows: RequestRows, title?: string): INodeProperties[] {
	const { name, field, of, isList } = rows;
	const text = label(name, field);
	const about = field.description ?? `The ${text.toLowerCase()} to write`;
	const typeLabel = label(of.type, of);
	const empty = isList ? '[]' : '{}';
	const rowsOfForm: INodeProperties = {
		displayName: text,
		name: parameterName(name),
		type: 'fixedCollection',
		default: {},
		placeholder: `Add ${typeLabel}`,
		typeOptions: {
			multipleValues: true,
			sortable: true,
			// The editor shows it in its new row design only.
			...(title !== undefined && { fixedCollection: { itemTitle: title } }),
		},
		description: `${about}. A field that is empty or not added is not sent, but an empty text under 'Additional Fields' empties the field at the service.`,
		options: [{ displayName: typeLabel, name: ROW, values: fieldProperties(of, ROW_FIELDS) }],
	};
	const typed = isList ? [rowsOfForm] : fieldProperties(of, additional(name));
	const names = Object.entries(of.fields).map(([element, own]) =>
		own.kind === 'enumeration' ? `${element} is one of ${own.values.join(', ')}. ` : '',
	);
	const usual = formScalars(of.fields).filter((own) => own.field.isUsual);
	const usualNames = joinNames(usual.map((own) => `'${own.label}'`));
	const leavesOut = `Whether to leave out any of ${usualNames}, which are required otherwise`;
	// It takes no expression: only a person sets it.
	const onlyThese: INodeProperties = {
		...bySheet,
		displayName: ONLY_THESE_LABEL,
		name: ONLY_THESE,
		description: of.hint === undefined ? leavesOut : `${leavesOut}. ${of.hint}.`,
	};
	return [
		{
			displayName: `Specify ${text}`,
			name: specify(name),
			type: 'options',
			noDataExpression: true,
			default: FIELDS,
			options: [
				// The input item of a tool holds the model's arguments.
				{ name: 'From Input Items', value: ITEMS, displayOptions: { hide: AS_TOOL } },
				{ name: 'Using Fields Below', value: FIELDS },
				{ name: 'Using JSON', value: JSON_TEXT },
			],
			...(field.hint && { hint: field.hint }),
		},
		...shownFor(name, [FIELDS], typed),
		{
			displayName: `${text} (JSON)`,
			name: json(name),
			type: 'json',
			required: true,
			default: empty,
			typeOptions: { rows: 8 },
			description: `${about}, with the service's own element names or those of a simplified record. Missing fields are not sent. ${names.join('')}Example: <code>${JSON.stringify(exampleOf(field))}</code>.`,
			displayOptions: { show: { [specify(name)]: [JSON_TEXT] } },
		},
		...(usual.length > 0 ? [onlyThese] : []),
	];
}

/**
 * Returns the form of a request: its keys, then its record or list, then its other values. A scalar is one parameter;
 * a record or list has a choice of fields, JSON or input items, which then contain the keys.
 *
 * @param title expression of the title of a row of its list
 */
export function requestProperties(request: Fields, title?: string): INodeProperties[] {
	const rows = requestRows(request);
	const propertiesOf = (areKeys: boolean): INodeProperties[] =>
		Object.entries(request).flatMap(([name, field]): INodeProperties[] => {
			if (!isScalar(field) || (field.isKey === true) !== areKeys) return [];
			const text = label(name, field);
			const own = scalarProperty(parameterName(name), text, field, field.description);
			const property = field.kind === 'boolean' ? own : { ...own, required: true };
			if (!areKeys || rows === undefined) return [property];
			const typed = shownFor(rows.name, [FIELDS, JSON_TEXT], [property]);
			if (name === subjectOf(request)) return typed;
			const description = `${property.description}. Leave it empty if the rows have a column with it.`;
			const beside = { ...property, required: false, description };
			return [...typed, ...shownFor(rows.name, [ITEMS], [beside])];
		});
	const ofRecord = rows
		? [...recordProperties(rows, title), ...itemsProperties(request, rows)]
		: [];
	return [...propertiesOf(true), ...ofRecord, ...propertiesOf(false)];
}
