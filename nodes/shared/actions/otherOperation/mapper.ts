/**
 * The parameters of an operation that the service describes, as fields of n8n's resource mapper,
 * and the values that the builder maps to them.
 */
import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import {
	ATTRIBUTE,
	propertiesAndOthers,
	propertiesOf,
	TEXT,
	TYPE,
	WILDCARD,
	type RecordContent,
	type SchemaField,
	type SchemaRecord,
} from '../../contract/schemaFields';
import { at, collect, faulty, invalid, texts } from '../../errors/InputError';
import { truncate } from '../../errors/words';
import { exampleOf } from '../../form/example';
import { words } from '../../form/names';
import { parseJsonField } from '../../form/requestValues';
import { typeOf } from '../../values/recordTypes';
import { emptyValues, isObject, ownEntry, setAt, type Values } from '../../values/values';

/** Maximum number of elements on the way to a field; what is deeper is given as JSON. */
const MAX_DEPTH = 3;

/** Maximum number of fields of nested records; further records are given as JSON. */
const MAX_NESTED = 1000;

/** Fields of each record in an example. */
const EXAMPLE_FIELDS = 3;

/** The kinds whose notation an example shows. */
const TEMPORAL: ReadonlySet<string> = new Set(['date', 'dateTime', 'time']);

/** A field of the form, with the path to its value. */
interface MappedField {
	readonly path: readonly string[];
	readonly field: SchemaField;
	/** Whether it and all records that contain it are required, and it cannot be sent as nil. */
	readonly isRequired: boolean;
}

/** Whether the fields of a record become fields of the form. */
function isFlat(field: SchemaField, path: readonly string[]): field is SchemaRecord {
	return (
		field.kind === 'record' &&
		path.length < MAX_DEPTH &&
		field.isAbstract !== true &&
		(field.derived ?? []).length === 0 &&
		Object.keys(propertiesAndOthers(field)).length > 0
	);
}

/** Returns the fields of the form: nested records are flattened, except recursive ones. */
function mappedFields(
	content: RecordContent,
	outer: readonly string[] = [],
	isRequired = true,
	around: ReadonlyArray<RecordContent['fields']> = [],
	left = { fields: MAX_NESTED },
): MappedField[] {
	const within = [...around, content.fields];
	return Object.entries(propertiesAndOthers(content)).flatMap(([name, field]) => {
		const path = [...outer, name];
		const required = isRequired && field.required === true;
		const unmapped = [{ path, field, isRequired: required && field.nillable !== true }];
		if (!isFlat(field, path) || within.includes(field.fields)) return unmapped;
		const count = Object.keys(propertiesAndOthers(field)).length;
		if (count > left.fields) return unmapped;
		left.fields -= count;
		return mappedFields(field, path, required, within, left);
	});
}

function idOf(path: readonly string[]): string {
	return path.join('.');
}

/** Whether every value of a whole number is exact as a number of JavaScript. */
function isSafe(field: SchemaField): boolean {
	if (field.kind !== 'integer') return true;
	return [field.min, field.max].every((bound) => Number.isSafeInteger(Number(bound ?? Number.NaN)));
}

/** Whether a field holds elements that the schema does not name. */
function isWildcard({ path }: Pick<MappedField, 'path'>): boolean {
	return path.at(-1) === WILDCARD;
}

/** The input of a field in n8n's form. */
function inputOf({ path, field }: MappedField): Pick<ResourceMapperField, 'type' | 'options'> {
	switch (field.kind) {
		case 'int':
		case 'integer':
		case 'decimal':
		case 'float':
			// A field for numbers would round what JavaScript cannot represent.
			return { type: isSafe(field) ? 'number' : 'string' };
		case 'boolean':
			return { type: 'boolean' };
		case 'enumeration':
			// n8n would evaluate such a choice as an expression.
			if (field.values.some((value) => value.startsWith('='))) return { type: 'string' };
			return {
				type: 'options',
				options: field.values.map((value) => ({ name: words(value), value })),
			};
		case 'dateTime':
		case 'date':
			return { type: 'dateTime' };
		case 'record':
			return { type: 'object' };
		case 'list':
		case 'repeated':
		case 'tokens':
			return { type: 'array' };
		case 'any':
			return {
				type: field.unsupported === undefined && !isWildcard({ path }) ? 'string' : 'object',
			};
		default:
			return { type: 'string' };
	}
}

/** Display name of a path, for example "Address House Number". */
function labelOf(path: readonly string[]): string {
	const names = path.map((name) => {
		if (name === WILDCARD) return 'Other Elements';
		return name === TEXT ? 'Value' : words(name.replace(ATTRIBUTE, ''));
	});
	return names.join(' ');
}

/**
 * What the label of a field says about its values; empty if the input shows that. In a tool, it says
 * more: n8n passes an AI model the label of a field as the name of its argument, and nothing else.
 */
function noteOf(mapped: MappedField, isTool: boolean): string {
	const { field } = mapped;
	const { type } = inputOf(mapped);
	if (type === 'array' || type === 'object') {
		const { unsupported } = 'unsupported' in field || field.kind !== 'repeated' ? field : field.of;
		if (unsupported !== undefined) return ` (JSON, sent unchanged: ${unsupported})`;
		const example = JSON.stringify(exampleOf(field, EXAMPLE_FIELDS));
		return example === '{}' ? ' (JSON)' : ` (JSON, e.g. ${truncate(example)})`;
	}
	if (!isTool) return '';
	if (field.kind === 'enumeration') return ` (${truncate(field.values.join(', '))})`;
	return TEMPORAL.has(field.kind) ? ` (e.g. ${String(exampleOf(field))})` : '';
}

/**
 * Returns the label of each field. Equal labels, such as those of EmployeeId and Employee.Id, also
 * show the names of the elements.
 */
function labelsOf(fields: readonly MappedField[], isTool: boolean): string[] {
	const labels = fields.map(({ path }) => labelOf(path));
	const seen = new Set<string>();
	const repeated = new Set(labels.filter((label) => seen.size === seen.add(label).size));
	return fields.map((mapped, i) => {
		const label = labels[i] ?? '';
		const name = repeated.has(label) ? ` (${idOf(mapped.path)})` : '';
		return `${label}${name}${noteOf(mapped, isTool)}`;
	});
}

/**
 * Returns the fields of n8n's resource mapper for an operation's request, in the operation's order.
 * Required fields are shown, the builder adds the others as needed.
 *
 * A field has no default value that lets an AI model define it: n8n stores these fields in the node,
 * and would ask the model for each of them, also for those that the builder sets or does not add.
 *
 * @param isTool whether the node is a tool, in which an enumeration is a text: a drop-down list has no
 * button that lets the model define it
 */
export function mapperFields(request: RecordContent, isTool: boolean): ResourceMapperField[] {
	const fields = mappedFields(request);
	const labels = labelsOf(fields, isTool);
	return fields.map((mapped, i) => {
		const id = idOf(mapped.path);
		return {
			id,
			...(isTool && mapped.field.kind === 'enumeration' ? { type: 'string' } : inputOf(mapped)),
			displayName: labels[i] ?? id,
			defaultMatch: false,
			required: mapped.isRequired,
			display: true,
			removed: !mapped.isRequired,
		};
	});
}

/** The value of a field as the writer takes it; `undefined` if it is not set. */
function givenValue(mapped: MappedField, value: unknown): unknown {
	const { field } = mapped;
	if (typeof value !== 'string') return value ?? undefined;
	if (field.kind === 'string') return value;
	// n8n stores an empty text for a field that was cleared.
	if (value === '') return undefined;
	if (field.kind === 'tokens' && !value.trim().startsWith('[')) return value.trim().split(/\s+/);
	const { type } = inputOf(mapped);
	return type === 'array' || type === 'object' ? parseJsonField(value) : value;
}

/**
 * Returns the request that the builder's values make.
 *
 * @param given values by the ids of {@link mapperFields}; `null` if a field is empty
 * @returns values by element name; not yet validated
 * @throws {InputError} with every value that is not valid JSON, and every name that the operation
 * does not have
 */
export function mappedValues(request: RecordContent, given: Values): Values {
	const byId = new Map(mappedFields(request).map((mapped) => [idOf(mapped.path), mapped]));
	const values = emptyValues();
	collect(Object.entries(given), ([id, value]) => {
		if ((value ?? null) === null) return;
		at(id, () => {
			const mapped = byId.get(id);
			if (mapped === undefined) {
				throw faulty(texts.parameters.parameter);
			}
			const own = givenValue(mapped, value);
			if (own === undefined) return;
			if (!isWildcard(mapped)) return setAt(values, mapped.path, own);
			if (!isObject(own)) throw invalid(texts.parameters.elements, own);
			const outer = mapped.path.slice(0, -1);
			for (const [name, other] of Object.entries(own)) setAt(values, [...outer, name], other);
		});
	});
	return values;
}

/**
 * Removes what the schema does not define from a value, and notes its path.
 *
 * @param isOpen whether an open record takes whatever the value has
 */
function knownPart(
	field: SchemaField,
	value: unknown,
	path: string,
	unknown: string[],
	isOpen = true,
): unknown {
	if ((field.kind === 'list' || field.kind === 'repeated') && Array.isArray(value)) {
		return value.map((row) => knownPart(field.of, row, path, unknown));
	}
	if (field.kind !== 'record' || !isObject(value)) return value;
	const content = typeOf(field, value) ?? field;
	if (isOpen && content.others !== undefined) return value;
	const fields = propertiesOf(content);
	const known = Object.entries(value).flatMap(([name, inner]) => {
		const own = ownEntry(fields, name);
		const at = `${path}.${name}`;
		if (own !== undefined) return [[name, knownPart(own, inner, at, unknown)] as const];
		if (name === TYPE) return [[name, inner] as const];
		unknown.push(at);
		return [];
	});
	return Object.fromEntries(known);
}

/** A request made from an input item. */
export interface AutomaticRequest {
	readonly values: Values;
	/** Paths of the item's fields that are not part of the request. */
	readonly unknown: readonly string[];
}

/**
 * Returns the request that an input item makes: its fields by name. If the item lacks the only record
 * of the request, its fields are also those of the record, so that an item that one operation reads
 * can be changed and written by another.
 */
export function automaticValues({ fields }: RecordContent, item: IDataObject): AutomaticRequest {
	const records = Object.entries(fields).filter(([, { kind }]) => kind === 'record');
	const [[name, record] = ['', undefined]] = records.length === 1 ? records : [];
	const isItem = record?.kind === 'record' && !Object.hasOwn(item, name);
	const found: string[] = [];
	// The item has more than the record: what came with it is not meant for an open record.
	const own = isItem ? knownPart(record, item, name, found, false) : undefined;
	const inner = isObject(own) ? own : {};
	const values = emptyValues();
	if (Object.keys(inner).length > 0) values[name] = inner;
	const unknown: string[] = [];
	for (const [key, value] of Object.entries(item)) {
		const field = ownEntry(fields, key);
		if (field !== undefined) values[key] = knownPart(field, value, key, unknown);
		else if (!Object.hasOwn(inner, key)) unknown.push(key);
	}
	const nested = found.filter((path) => path.split('.').length > 2);
	return { values, unknown: [...new Set([...unknown, ...nested])] };
}
