/** Rules for the values of a request. */
import {
	concernedNames,
	propertiesOf,
	TYPE,
	WILDCARD,
	type Choice,
	type RecordContent,
	type RepeatedField,
	type Field,
	type ListField,
	type RecordField,
} from '../contract/fields';
import { onceFor } from '../contract/onceFor';
import {
	at,
	collect,
	collectAll,
	conflict,
	invalidBecause,
	invalidInput,
	invalidValue,
} from '../errors/InputError';
import { joinNames } from '../errors/words';
import { refuseName } from './kind';
import { typeOf, typesOf } from './recordTypes';
import { scalarsIn } from './records';
import { writeScalar } from './scalars';
import { checkContent, checkElement, checkElementName, checkReadable } from './untyped';
import { isObject, isSet, ownEntry, valueAt, type Values } from './values';

/** Whether a request with this value has the field's element. */
function isSent(field: Field, value: unknown): boolean {
	if (!isSet(value)) return value === null && field.nillable === true;
	return field.kind !== 'repeated' || !Array.isArray(value) || value.length > 0;
}

/** Checks a value that no field has the name of: it can only be an element of an open record. */
function checkOther(content: RecordContent, name: string, value: unknown): void {
	if (content.others === undefined) {
		const known = joinNames(Object.keys(propertiesOf(content)));
		throw invalidInput(`is not a known field. The known fields are ${known}.`);
	}
	checkElementName(name);
	checkElement(value);
}

function refuseMissing(): never {
	throw invalidInput('is required.', 'VALUE_REQUIRED');
}

/**
 * Validates the values of a request.
 *
 * @throws {InputError} with every unknown name, every value that a field does not allow, and every
 * required field, or required choice of fields, that is not set
 */
export function checkValues(content: RecordContent, values: Readonly<Values>): void {
	checkReadable(values);
	checkFieldValues(content, values);
}

/** @param ignored a name in `values` that is not checked */
function checkFieldValues(
	content: RecordContent,
	values: Readonly<Values>,
	ignored?: string,
): void {
	const fields = propertiesOf(content);
	const known = concernedNames(fields, values, 'refused');
	const others = Object.keys(values).filter(
		(name) => name !== ignored && !Object.hasOwn(fields, name),
	);
	const checkField = (name: string): void => {
		const field = ownEntry(fields, name);
		const value = ownEntry(values, name);
		if (field === undefined) return at(name, () => checkOther(content, name, value));
		if (isSet(value)) at(name, () => checkPresent(field, value));
		else if (field.required === true && field.nillable !== true) at(name, refuseMissing);
	};
	const checkAll = (): unknown =>
		collect(others.length === 0 ? known : [...others, ...known], checkField);
	const checkOthers = (): void => {
		const isMissing = !others.some((name) => isSet(values[name]));
		if (isMissing && content.others?.required === true) at(WILDCARD, refuseMissing);
	};
	collectAll(checkAll, checkOthers, () => checkChoice(content, values, known));
}

const alternativesOf = onceFor(({ names }: Choice) => new Set(names));

/**
 * Checks that at most one alternative of a choice is sent, and one if that is required.
 *
 * @param known names of the fields that the values concern
 */
function checkChoice(
	{ choice, fields }: RecordContent,
	values: Readonly<Values>,
	known: readonly string[],
): void {
	if (choice === undefined) return;
	const [first, ...others] = known.filter((name) => {
		const field = alternativesOf(choice).has(name) ? ownEntry(fields, name) : undefined;
		return field !== undefined && isSent(field, ownEntry(values, name));
	});
	if (first === undefined) {
		if (!choice.required) return;
		throw invalidBecause(`Enter ${joinNames(choice.names, 'or')}.`, 'VALUE_REQUIRED');
	}
	collect(others, (name) => {
		throw conflict([name], 'is given together with its alternative', [first]);
	});
}

function checkPresent(field: Field, value: unknown): void {
	switch (field.kind) {
		case 'record':
			return checkRecord(field, value);
		case 'list':
		case 'repeated':
			return checkRows(field, value);
		case 'any':
			return field.unsupported === undefined ? checkContent(value) : checkElement(value);
		default:
			writeScalar(field, value);
	}
}

function checkRows(field: ListField | RepeatedField, value: unknown): void {
	if (!Array.isArray(value)) throw invalidValue(value, 'is not a list.');
	const { of, minRows = 0, maxRows = Infinity } = field;
	if (value.length < minRows || value.length > maxRows) {
		const limit = value.length < minRows ? `at least ${minRows}` : `at most ${maxRows}`;
		throw invalidInput(`has ${value.length} entries. Give ${limit}`);
	}
	collect(value, (row: unknown, i) =>
		at(i, () => {
			if (of.nillable !== true || isSet(row)) checkPresent(of, row);
		}),
	);
}

/**
 * Validates a record.
 *
 * @throws {InputError} if the value is not an object, does not name one of the record's types where
 * it must, or as {@link checkValues}
 */
export function checkRecord(record: RecordField, value: unknown): asserts value is Values {
	if (!isObject(value)) {
		const fields = joinNames(Object.keys(propertiesOf(record)));
		throw invalidValue(value, `is not an object with the fields ${fields}.`);
	}
	const type = typeOf(record, value);
	if (type === undefined) {
		const names = [...typesOf(record).keys()];
		return at(TYPE, () => refuseName(ownEntry(value, TYPE), names));
	}
	checkFieldValues(type, value, record.derived === undefined ? undefined : TYPE);
}

/**
 * Validates a record of the contract that must have a value. A record without any would be sent as
 * an empty element, and is more likely a mistake.
 *
 * @throws {InputError} as {@link checkRecord}, or if the record has no value
 */
export function checkFilledRecord(record: RecordField, value: unknown): asserts value is Values {
	checkRecord(record, value);
	if (!scalarsIn(record.fields).some(({ path }) => isSet(valueAt(value, path)))) {
		throw invalidInput('has no value in any of its fields.', 'VALUE_EMPTY');
	}
}
