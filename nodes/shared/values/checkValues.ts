/** Rules for the values of a request. */
import { listFields, type ListedField } from '../contract/fieldList';
import type { RecordField } from '../contract/fields';
import {
	TYPE,
	WILDCARD,
	type RepeatedField,
	type SchemaField,
	type SchemaFields,
	type SchemaList,
	type SchemaRecord,
} from '../contract/schemaFields';
import {
	at,
	collect,
	conflict,
	faulty,
	invalid,
	texts,
	type InputError,
} from '../errors/InputError';
import { joinNames } from '../errors/words';
import { notOneOf } from './codec';
import { typeOf, typesOf } from './recordTypes';
import { scalarText } from './scalars';
import { checkAny, checkDepth, checkElement, checkElementName } from './untyped';
import { isObject, ownEntry, type Values } from './values';

/** Returns the error for a value that is not a record. */
function notRecord({ fields }: SchemaRecord, value: unknown): InputError {
	return invalid(texts.values.record, value, { fields: joinNames(Object.keys(fields)) });
}

/** Whether a request with this value has the field's element. */
function isSent(field: SchemaField, value: unknown): boolean {
	if (value === undefined || value === null) return value === null && field.nillable === true;
	return field.kind !== 'repeated' || !Array.isArray(value) || value.length > 0;
}

/** Checks a value that no field has the name of: it can only stand in the place of a wildcard. */
function checkOther(fields: SchemaFields, name: string, value: unknown, depth: number): void {
	if (name === WILDCARD || !Object.hasOwn(fields, WILDCARD)) {
		const known = Object.keys(fields).filter((field) => field !== WILDCARD);
		throw faulty(texts.values.field, { known: joinNames(known) });
	}
	checkElementName(name);
	checkElement(value, depth);
}

function refuseMissing(): never {
	throw faulty(texts.values.required);
}

function checkFields(
	fields: SchemaFields,
	values: Readonly<Values>,
	depth: number,
	ignored?: string,
): void {
	checkDepth(depth);
	const others = Object.keys(values).filter(
		(name) => name !== ignored && (name === WILDCARD || !Object.hasOwn(fields, name)),
	);
	const hasValue = (name: string): boolean => (values[name] ?? null) !== null;
	/** The field that is sent of each choice. */
	const chosen = new Map<number, string>();
	const check = (entry: string | ListedField): void => {
		if (typeof entry === 'string') {
			return at(entry, () => checkOther(fields, entry, values[entry], depth));
		}
		const { name, field, choice } = entry;
		const isWildcard = name === WILDCARD;
		const value = isWildcard ? others.find(hasValue) : ownEntry(values, name);
		if (choice !== undefined && isSent(field, value)) {
			const other = chosen.get(choice);
			if (other !== undefined) throw conflict([name], texts.values.alternative, [other]);
			chosen.set(choice, name);
		}
		if ((value ?? null) === null) {
			if (entry.isRequired && !entry.isNillable) at(name, refuseMissing);
		} else if (!isWildcard) at(name, () => checkPresent(field, value, depth));
	};
	const { all } = listFields(fields);
	collect(others.length === 0 ? all : [...others, ...all], check);
}

/**
 * Validates values against their fields.
 *
 * @throws {InputError} with every unknown name, every value that a field does not allow, and every
 * required field that is not set
 */
export function checkValues(fields: SchemaFields, values: Readonly<Values>): void {
	checkFields(fields, values, 1);
}

function checkPresent(field: SchemaField, value: unknown, depth: number): void {
	switch (field.kind) {
		case 'record':
			return checkRecord(field, value, depth + 1);
		case 'list':
		case 'repeated':
			return checkRows(field, value, depth + 1);
		case 'any':
			return field.unsupported === undefined ? checkAny(value, depth) : checkElement(value, depth);
		default:
			scalarText(field, value);
	}
}

function checkRows(field: SchemaList | RepeatedField, value: unknown, depth: number): void {
	checkDepth(depth);
	if (!Array.isArray(value)) throw invalid(texts.values.list, value);
	const { of, minRows = 0, maxRows = Infinity } = field;
	if (value.length < minRows || value.length > maxRows) {
		const limit = value.length < minRows ? `at least ${minRows}` : `at most ${maxRows}`;
		throw faulty(texts.values.entries, { count: value.length, limit });
	}
	collect(value, (row: unknown, i) =>
		at(i, () => {
			if (of.nillable !== true || (row !== undefined && row !== null)) checkPresent(of, row, depth);
		}),
	);
}

/** Throws the error for a record that can only be sent as one of several types. */
function refuseType(record: SchemaRecord, value: Readonly<Values>): never {
	return at(TYPE, () => {
		throw notOneOf(ownEntry(value, TYPE), [...typesOf(record).keys()]);
	});
}

/**
 * Validates a record.
 *
 * @throws {InputError} if the value is not an object, does not name one of the record's types where
 * it must, or as {@link checkValues}
 */
export function checkRecord(
	record: SchemaRecord,
	value: unknown,
	depth = 1,
): asserts value is Values {
	if (!isObject(value)) throw notRecord(record, value);
	const type = typeOf(record, value);
	if (type === undefined) return refuseType(record, value);
	checkFields(type.fields, value, depth, record.derived === undefined ? undefined : TYPE);
}

/** Whether a record has any value. Recursion ends at the depth of the contract. */
function isSet(field: SchemaField | undefined, value: unknown): boolean {
	if (field?.kind === 'record' && isObject(value)) {
		return Object.entries(value).some(([name, inner]) =>
			isSet(ownEntry(field.fields, name), inner),
		);
	}
	return value !== undefined && value !== null;
}

/**
 * Validates a record of the contract that must have a value. A record without any would be sent as
 * an empty element, and is more likely a mistake.
 *
 * @throws {InputError} if the value is not an object or has no value, or as {@link checkRecord}
 */
export function checkFilledRecord(record: RecordField, value: unknown): asserts value is Values {
	if (!isObject(value)) throw notRecord(record, value);
	if (!isSet(record, value)) throw faulty(texts.values.noFields);
	checkFields(record.fields, value, 1);
}
