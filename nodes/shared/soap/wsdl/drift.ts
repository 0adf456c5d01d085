import type { Fields } from '../../contract/fields';
import {
	propertiesAndOthers,
	type DescribedOperation,
	type Occurrence,
	type RecordContent,
	type SchemaField,
	type SchemaFields,
	type SchemaValue,
} from '../../contract/schemaFields';
import type { SoapOperation } from '../../contract/soapOperation';
import { joinNames } from '../../errors/words';
import { ownEntry } from '../../values/values';
import type { WsdlError } from './documents';
import { integerName } from './simpleTypes';
import type { Wsdl } from './Wsdl';

/** The type of a field, in a word or two. */
function typeName(field: SchemaValue & Occurrence): string {
	switch (field.kind) {
		case 'any':
			return field.unsupported ?? 'any type';
		case 'integer':
			return integerName(field.min, field.max);
		case 'record':
			return field.type === '' ? 'a record' : `a record of type ${field.type}`;
		case 'list':
		case 'repeated':
			return field.kind === 'list' ? 'a list' : 'a repeated element';
		default:
			return field.kind;
	}
}

/** Compares the names of an enumeration. */
function* enumerationDrift(
	path: string,
	expected: readonly string[],
	values: readonly string[],
): Generator<string> {
	const added = values.filter((value) => !expected.includes(value));
	const missing = expected.filter((value) => !values.includes(value));
	if (added.length > 0) yield `element ${path} has the new value ${joinNames(added)}`;
	if (missing.length > 0) yield `element ${path} has no value ${joinNames(missing, 'or')}`;
}

/** Compares an element that the contract and the description both have. */
function* fieldDrift(
	path: string,
	expected: SchemaField,
	field: SchemaValue & Occurrence,
): Generator<string> {
	if (field.namespace !== expected.namespace) {
		yield `element ${path} is in the namespace "${field.namespace}"`;
	} else if (field.kind !== expected.kind) {
		yield `element ${path} is ${typeName(field)}, expected ${typeName(expected)}`;
	} else if (field.kind === 'enumeration' && expected.kind === 'enumeration') {
		yield* enumerationDrift(path, expected.values, field.values);
	} else if (field.kind === 'record' && expected.kind === 'record') {
		yield* fieldsDrift(`${path}.`, expected.fields, field);
	} else if (field.kind === 'list' && expected.kind === 'list') {
		const [row, expectedRow] = [field, expected].map(
			(list) => list.row ?? (list.of.kind === 'record' ? list.of.type : ''),
		);
		if (row !== expectedRow) yield `element ${path} has rows ${row}, expected ${expectedRow}`;
		else yield* fieldDrift(`${path}[]`, expected.of, field.of);
	}
}

/** Says where the elements of two lists of the same names differ in order. */
function* orderDrift(
	path: string,
	expected: readonly string[],
	names: readonly string[],
): Generator<string> {
	const moved = names.filter((name, index) => name !== expected[index]);
	if (moved.length === 2) {
		const [one, other] = moved.sort();
		yield `elements ${path}${one} and ${path}${other} are swapped`;
	} else if (moved.length > 0) {
		yield `elements ${joinNames(moved.map((name) => path + name))} are in another order`;
	}
}

/** Compares the elements of a record. The contract has no recursive records, so this ends. */
function* fieldsDrift(
	path: string,
	expected: SchemaFields,
	content: RecordContent,
): Generator<string> {
	const fields = propertiesAndOthers(content);
	const names = Object.keys(fields);
	const common = names.filter((name) => Object.hasOwn(expected, name));
	for (const [name, field] of Object.entries(expected)) {
		const described = ownEntry(fields, name);
		if (described === undefined) yield `element ${path}${name} is missing`;
		else yield* fieldDrift(path + name, field, described);
	}
	for (const [index, name] of names.entries()) {
		const field = ownEntry(fields, name);
		if (field === undefined || Object.hasOwn(expected, name)) continue;
		const next = names.slice(index).find((other) => common.includes(other));
		const type = typeName(field) + (field.required && !field.nillable ? ', required' : '');
		const place = next === undefined ? 'at the end' : `before ${next}`;
		yield `new element ${path}${name} (${type}) ${place}`;
	}
	yield* orderDrift(
		path,
		Object.keys(expected).filter((name) => common.includes(name)),
		common,
	);
}

/**
 * Compares an operation of the contract with the service's description of it: names, order and
 * types of all elements. Which elements are required is no part of the contract.
 *
 * @returns each difference, in words
 */
export function drift(description: Wsdl, operation: SoapOperation): string[] {
	const { name, request, result } = operation;
	if (!description.operations.some((listed) => listed.name === name)) return [`${name} is missing`];
	let found: DescribedOperation;
	try {
		found = description.operation(name);
	} catch (error) {
		return [(error as WsdlError).message];
	}
	const response: Fields = result === undefined ? {} : { [`${name}Result`]: result };
	return [
		...[...fieldsDrift('', request, found.request)].map((text) => `${name}: ${text}`),
		...[...fieldsDrift('', response, found.response)].map((text) => `${name}, answer: ${text}`),
	];
}
