/** The form of a request: its keys, and its record or list, whose rows may be input items; and how that is read. */
import type { INodeProperties } from 'n8n-workflow';
import { type Fields, isScalar, type RecordField, type ScalarField } from '../contract/fields';
import { keysOf, requestRows, type RequestRows, subjectOf } from '../contract/operation';
import { joinNames } from '../errors/words';
import { AS_TOOL, AUTOMATIC, isTool } from '../host/nodes';
import { collect, InputError, invalidInput, invalidValue } from '../values/InputError';
import { countries } from '../values/scalars';
import {
	emptyValues,
	fromPaths,
	isEmpty,
	isObject,
	isSet,
	setterOf,
	valueAt,
	type Values,
} from '../values/values';
import {
	columnsOf,
	exampleOf,
	formScalars,
	json,
	label,
	ONLY_THESE,
	parameterName,
	rowFieldsOf,
	specify,
	wayOf,
	WAYS,
	words,
} from './fields';
import type { InputItem } from './inputItem';
import { readSwitch } from './options';
import { decimalCommaProperty, fractionsProperty, parseJsonField } from './requestValues';

const { fields: FIELDS, json: JSON_TEXT, items: ITEMS } = WAYS;

const ONLY_THESE_LABEL = 'Allow Incomplete Address';
/** Parameter names inside the parameter of a repeated record. */
const [ROW, ROW_FIELDS] = ['row', 'fields'];
/** Returns the name of the collection of those fields of a record that are not always shown. */
const additional = (element: string): string => `${parameterName(element)}Fields`;

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
		displayName: ONLY_THESE_LABEL,
		name: ONLY_THESE,
		type: 'boolean',
		noDataExpression: true,
		default: false,
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

/**
 * Returns a record with elements in place of the columns that a tool and Simplify give: `{ costCenterCode: '4100' }` and
 * `{ 'CostCenter.Code': '4100' }` → `{ CostCenter: { Code: '4100' } }`. Whatever else it has stays as it is.
 */
function fromColumns(fields: Fields, value: unknown): unknown {
	if (!isObject(value)) return value;
	const result = Object.assign(emptyValues(), value);
	const set = setterOf(result);
	const scalars = formScalars(fields);
	for (const [name, cell] of Object.entries(value)) {
		const named = scalars.find(({ column, id }) => column === name || id === name);
		if (named === undefined || Object.hasOwn(fields, name)) continue;
		const { path } = named;
		delete result[name];
		if (!isSet(cell)) continue;
		if (isSet(valueAt(result, path))) {
			const text = ' is given twice, as ';
			const problem = { code: 'VALUE_CONFLICT', path: [name], text, others: [path] } as const;
			throw new InputError([problem]);
		}
		set(path, cell);
	}
	return result;
}

/**
 * Reads the record or the list of a request from the form. Its values are not checked.
 *
 * @throws {InputError} if there is none, or it is no list; or with every argument that a model left out, which n8n does
 * not check: it is `undefined`, and an empty text if the model wants none
 */
export function readGiven(item: InputItem, { name, of, isList }: RequestRows): unknown {
	const isJson = wayOf(item, name) === WAYS.json;
	const scalars = formScalars(of.fields);
	const isOfModel = isTool(item.node);
	/** From the fields of the form: `{ costCenterCode: 'A' }` → `{ CostCenter: { Code: 'A' } }`. */
	const recordOf = (row: unknown): unknown => {
		if (isJson) return fromColumns(of.fields, row);
		const { [ROW_FIELDS]: added, ...shown } = isObject(row) ? row : {};
		const others = isObject(added) ? added : {};
		const values = collect(scalars, ({ path, parameter }) => {
			const own = shown[parameter];
			const isLeftOut = [shown, others].some((all) => {
				return Object.hasOwn(all, parameter) && all[parameter] === undefined;
			});
			if (isOfModel && isLeftOut) {
				const text = 'is missing: give a value, or an empty text for none.';
				throw invalidInput(text, 'VALUE_REQUIRED').at(path);
			}
			// A field that the form always shows is not given if it is empty, and nor is any that a model leaves empty.
			const other = isOfModel && others[parameter] === '' ? undefined : others[parameter];
			return [path, (own === '' ? undefined : own) ?? other ?? undefined] as const;
		});
		return fromPaths(values);
	};
	let given: unknown;
	if (isJson) {
		const value = item.read(json(name));
		if (isEmpty(value)) throw item.missing(json(name));
		given = parseJsonField(value);
	} else if (isList) given = (Object(item.read(parameterName(name), {})) as Values)[ROW] ?? [];
	else {
		const shown = scalars.filter(({ field }) => field.isShown);
		const entries = shown.map(({ parameter }) => [parameter, item.read(parameter, '')] as const);
		given = { ...Object.fromEntries(entries), [ROW_FIELDS]: item.read(additional(name), {}) };
	}
	if (!isList) return recordOf(given);
	if (!Array.isArray(given)) throw invalidValue(given, 'is not a list.');
	const rows = collect(given as unknown[], recordOf, (_, i) => i);
	// A model may need fewer rows than the builder offers.
	const isNone = (row: unknown) => isOfModel && !isJson && Object.keys(Object(row)).length === 0;
	const filled = rows.filter((row) => !isNone(row));
	if (filled.length === 0) throw invalidInput('has no rows.', 'VALUE_EMPTY');
	return filled;
}

/**
 * Ensures that a record has its usual fields. It may be empty, and the builder can allow it without them.
 *
 * @param columnAdvice says which column rows lack, by the id of its field; empty if they have it
 * @throws {InputError} naming those that are missing or blank: in a row, each is a cell of its own
 */
export function checkUsualFields(
	item: InputItem,
	{ name, of }: RequestRows,
	value: unknown,
	columnAdvice: (id: string) => string,
): void {
	if (!isObject(value) || !Object.values(value).some(isSet)) return;
	const usual = formScalars(of.fields).filter(({ field }) => field.isUsual);
	const lacking = usual.filter(({ path }) => isEmpty(valueAt(value, path)));
	if (lacking.length === 0 || readSwitch(item, ONLY_THESE, false)) return;
	const turnOn = `turn on '${ONLY_THESE_LABEL}'.`;
	const way = wayOf(item, name);
	if (way === WAYS.items) {
		collect(lacking, ({ id, path }) => {
			const advice = columnAdvice(id) || `Fill it in, or ${turnOn}`;
			throw invalidInput(`is empty. ${advice}`, 'VALUE_REQUIRED').at(path);
		});
		return;
	}
	const isJson = way === WAYS.json;
	const names = lacking.map(({ label, id }) => `'${isJson ? id : label}'`);
	const without = lacking.filter(({ parameter }) => !isJson && item.isExpression(parameter));
	const quoted = without.map(({ label }) => `'${label}'`);
	const labels = joinNames(quoted, 'and that of');
	const why = labels && `The expression of ${labels} gives nothing for this item. `;
	const them = names.length === 1 ? 'it' : 'them';
	const text = `has no ${joinNames(names, 'and no')}. ${why}Enter ${them}, or ${turnOn}`;
	throw invalidInput(text, 'VALUE_REQUIRED');
}
