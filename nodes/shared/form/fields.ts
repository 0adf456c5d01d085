/**
 * The fields of the form: of requests and records, flattened, each with a label and names of its own; and the names of
 * parameters, with what the builder chose by them.
 */
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import {
	type Field,
	type Fields,
	isScalar,
	onceFor,
	type ScalarField,
	sizeOf,
} from '../contract/fields';
import { requestRows, type RequestRows } from '../contract/operation';
import { AUTOMATIC } from '../host/nodes';
import { kindOf, readScalar } from '../values/scalars';
import { groupedBy, ownEntry } from '../values/values';
import type { InputItem } from './inputItem';

/** Returns the parameter name of an element: its path in camelCase (`EmployeeId` → `employeeId`). */
export function parameterName(...path: string[]): string {
	const name = path.join('');
	return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The ways to give a record: field by field, as JSON, or, for the rows of a list, as input items. */
export const WAYS = { fields: 'fields', json: 'json', items: 'items' } as const;
/** Returns the name of the parameter that holds the choice of how to give an element. */
export const specify = (element: string): string => `specify${element}`;
/** Returns the name of the parameter that holds an element as JSON. */
export const json = (element: string): string => `${parameterName(element)}Json`;
/** Returns the name of the parameter that maps columns of input items to the fields of a row. */
export const columnsOf = (element: string): string => `${parameterName(element)}Columns`;
/** Returns the name of the method that n8n calls for the fields of a row. */
export const rowFieldsOf = (element: string): string => `get${element}Columns`;
/** Name of the switch that allows a record without its usual fields. */
export const ONLY_THESE = 'onlyTheseFields';

/** Returns how the builder chose to give a record or list. All items share this choice. */
export function wayOf(item: InputItem, name: string): unknown {
	return item.readShared(specify(name), '');
}

/** Returns the records of a request that are input items; `undefined` if the builder did not choose them. */
export function rowsOfItems(item: InputItem, request: Fields): RequestRows | undefined {
	const rows = requestRows(request);
	return rows && wayOf(item, rows.name) === WAYS.items ? rows : undefined;
}

/** Whether the builder chose that columns of input items are values of a request. */
export function readsColumns({ node: { parameters } }: InputItem): boolean {
	return Object.entries(parameters).some(([name, value]) => {
		if (name.startsWith(specify(''))) return value === WAYS.items;
		return (Object(value) as { mappingMode?: unknown }).mappingMode === AUTOMATIC;
	});
}

/** The parameters inside a collection or inside the rows of a fixed collection. */
export function innerProperties({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
}

/** Parameters, each with those inside it. */
export const withInner = (properties: readonly INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [property, ...innerProperties(property)]);

/** Splits a name into words for display (`HouseNumberAddition` → `House Number Addition`). */
export function words(name: string): string {
	return name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/\bId\b/g, 'ID')
		.replace(/^./, (first) => first.toUpperCase());
}

/** Returns the display name of a field. */
export function label(name: string, field: Field): string {
	return field.label ?? words(name);
}

/** Returns the column name of a label: "Country ISO Code" → `countryIsoCode`. */
export function columnName(label: string): string {
	const [first = '', ...others] = label.toLowerCase().split(' ');
	return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** Formats the keys of a request, for example "Employee ID 1001, Period 6, Year 2026". */
export function formatKeys(request: Fields, keys: Readonly<Record<string, unknown>>): string {
	const texts = Object.entries(keys).map(([name, value]) => {
		const field = ownEntry(request, name);
		return `${field ? label(name, field) : name} ${String(value)}`;
	});
	return texts.join(', ');
}

/** Maximum number of elements on the way to a field; what is deeper is given as JSON. */
const MAX_FLAT = 3;

/** Maximum number of fields of nested records; further records are given as JSON. */
const MAX_NESTED = 1000;

/** A field of the form. */
export interface FormField<F extends Field = Field> {
	/** Its dotted path, or `/A.B/C` if a dot in the name of an element makes two of them the same. */
	readonly id: string;
	/** Its element names, from the outermost element. */
	readonly path: readonly string[];
	readonly label: string;
	readonly field: F;
	/** Whether it and all records that contain it are required, and it cannot be sent as nil. */
	readonly isRequired: boolean;
	readonly parameter: string;
	/** Name of its column in a simplified record. */
	readonly column: string;
}

/** Returns what tells whether a text is in a list several times. */
function repeatedIn(texts: readonly string[]): (text: string) => boolean {
	const groups = groupedBy(texts, (text) => text);
	return (text) => groups.get(text)?.length !== 1;
}

/**
 * Returns the fields of a request or a record, in the contract's order. Nested records are flattened, except
 * recursive ones. No two fields have the same label: "Employee ID (EmployeeId)" and "Employee ID (Employee.Id)".
 */
export const formFields = onceFor((content: Fields): readonly FormField[] => {
	let left = MAX_NESTED;
	type Flat = Pick<FormField, 'path' | 'label' | 'isRequired' | 'field'>;
	const flatten = (fields: Fields, outer: Omit<Flat, 'field'>, around: readonly Fields[]): Flat[] =>
		Object.entries(fields).flatMap(([name, field]) => {
			const path = [...outer.path, name];
			const text = `${outer.label} ${label(name, field)}`.trim();
			const isRequired = outer.isRequired && field.required === true;
			const own = { path, label: text, field, isRequired: isRequired && field.nillable !== true };
			if (field.kind !== 'record' || path.length >= MAX_FLAT) return [own];
			const count = sizeOf(field.fields);
			const within = [...around, fields];
			if (count === 0 || count > left || within.includes(field.fields)) return [own];
			left -= count;
			return flatten(field.fields, { path, label: text, isRequired }, within);
		});
	const flat = flatten(content, { path: [], label: '', isRequired: true }, []);
	const isSharedId = repeatedIn(flat.map(({ path }) => path.join('.')));
	const named = flat.map((own, i) => {
		const id = own.path.join('.');
		if (!isSharedId(id)) return { ...own, id };
		// n8n names the argument of a tool by the letters and digits of the label.
		return { ...own, id: `/${own.path.join('/')}`, label: `${own.label} (field ${i + 1})` };
	});
	const isSharedLabel = repeatedIn(named.map(({ label }) => label));
	return named.map((own) => {
		const text = isSharedLabel(own.label) ? `${own.label} (${own.id})` : own.label;
		const parameter = parameterName(...own.path);
		return { ...own, label: text, parameter, column: columnName(text) };
	});
});

/** Returns those that hold a single text on the wire. */
export const formScalars = onceFor((fields: Fields) =>
	formFields(fields).filter((own): own is FormField<ScalarField> => isScalar(own.field)),
);

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
