import {
	propertiesAndOthers,
	rowName,
	type RecordContent,
	type SchemaField,
} from '../../contract/schemaFields';
import { typedOperation, type SoapOperation } from '../../contract/soapOperation';
import { joinNames } from '../../errors/words';
import { WsdlError } from '../../soap/wsdl/documents';
import { integerName } from '../../soap/wsdl/simpleTypes';
import type { Wsdl } from '../../soap/wsdl/Wsdl';
import { ownEntry } from '../../values/values';

/** The type of a field, in a few words. */
function typeName(field: SchemaField): string {
	switch (field.kind) {
		case 'any':
			return field.unsupported ?? 'any type';
		case 'integer':
			return integerName(field.min, field.max);
		case 'enumeration':
			return joinNames(field.values, 'or');
		case 'record':
			return field.type;
		case 'list':
			return `list of ${rowName(field)}`;
		default:
			return field.kind;
	}
}

/**
 * Lists the elements of a record with their types, those of nested records after it: `Address
 * (Address)`, `Address.Street (string)`.
 *
 * @param expected the contract's record: nested records are only listed as deep as this one is, since
 * those of a description may be recursive
 */
function elementsOf(content: RecordContent, expected: RecordContent, path = ''): string[] {
	return Object.entries(propertiesAndOthers(content)).flatMap(([name, field]) => {
		const place = `${path}${name}`;
		const namespace = field.namespace === undefined ? '' : ` of "${field.namespace}"`;
		const known = ownEntry(expected.fields, name);
		const row = field.kind === 'list' ? field.of : field;
		const expectedRow = known?.kind === 'list' ? known.of : known;
		const isNested = row.kind === 'record' && expectedRow?.kind === 'record';
		const nested = isNested ? elementsOf(row, expectedRow, `${place}.`) : [];
		return [`${place} (${typeName(field)}${namespace})`, ...nested];
	});
}

/** Compares two lists of elements, as a sentence; none if they are equal. */
function difference(name: string, found: readonly string[], expected: readonly string[]): string[] {
	const added = found.filter((element) => !expected.includes(element));
	const missing = expected.filter((element) => !found.includes(element));
	if (added.length + missing.length === 0) {
		return found.join() === expected.join() ? [] : [`${name} has its elements in another order`];
	}
	const has = added.length === 0 ? [] : [`also has ${joinNames(added)}`];
	const lacks = missing.length === 0 ? [] : [`has no ${joinNames(missing, 'or')}`];
	return [`${name} ${[...has, ...lacks].join(' and ')}`];
}

function messageOf(error: unknown): string {
	if (error instanceof WsdlError) return error.message;
	throw error;
}

/**
 * Compares an operation of the contract with the service's description: names, types and order of
 * all elements. Which elements are required is no part of the contract.
 *
 * @returns the differences, as sentences
 */
export function drift(wsdl: Wsdl, operation: SoapOperation): string[] {
	const { name, request, response } = typedOperation(operation);
	if (!wsdl.operations.some((listed) => listed.name === name)) return [`${name} is missing`];
	try {
		const found = wsdl.operation(name);
		const compare = (title: string, content: RecordContent, expected: RecordContent) =>
			difference(title, elementsOf(content, expected), elementsOf(expected, expected));
		return [
			...compare(name, found.request, request),
			...compare(`The answer of ${name}`, found.response, response),
		];
	} catch (error) {
		return [messageOf(error)];
	}
}
