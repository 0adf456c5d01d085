import { rowName, type Field, type Fields } from '../../contract/fields';
import type { Operation } from '../../contract/operation';
import { joinNames } from '../../errors/words';
import { WsdlError } from '../../soap/wsdl/documents';
import type { Wsdl } from '../../soap/wsdl/Wsdl';
import { ownEntry } from '../../values/values';

function typeName(field: Field): string {
	switch (field.kind) {
		case 'any':
			return field.unsupported ?? field.kind;
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
 * Lists elements with their types, those of a record after it: `Address (Address)`, `Address.Street
 * (string)`.
 *
 * @param expected the elements of the contract: records are only listed as deep as these are, since
 * those of a description may hold themselves
 */
function listElements(fields: Fields, expected: Fields, path = ''): string[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		const namespace = field.namespace === undefined ? '' : ` of "${field.namespace}"`;
		const known = ownEntry(expected, name);
		const row = field.kind === 'list' ? field.of : field;
		const knownRow = known?.kind === 'list' ? known.of : known;
		const isRecord = row.kind === 'record' && knownRow?.kind === 'record';
		const place = `${path}${name}`;
		return [
			`${place} (${typeName(field)}${namespace})`,
			...(isRecord ? listElements(row.fields, knownRow.fields, `${place}.`) : []),
		];
	});
}

/** Compares elements, as a sentence; none if they are equal. */
function differences(title: string, fields: Fields, contract: Fields): string[] {
	const found = listElements(fields, contract);
	const expected = listElements(contract, contract);
	const added = found.filter((element) => !expected.includes(element));
	const missing = expected.filter((element) => !found.includes(element));
	if (added.length > 0 || missing.length > 0) {
		const has = added.length === 0 ? [] : [`also has ${joinNames(added)}`];
		const lacks = missing.length === 0 ? [] : [`has no ${joinNames(missing, 'or')}`];
		return [`${title} ${[...has, ...lacks].join(' and ')}`];
	}
	return found.join() === expected.join() ? [] : [`${title} has its elements in another order`];
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
export function drift(wsdl: Wsdl, operation: Operation): string[] {
	const { name, request, response } = operation;
	if (!wsdl.operations.some((listed) => listed.name === name)) return [`${name} is missing`];
	try {
		const found = wsdl.operation(name);
		return [
			...differences(name, found.request.fields, request.fields),
			...differences(`The answer of ${name}`, found.response.fields, response.fields),
		];
	} catch (error) {
		return [messageOf(error)];
	}
}
