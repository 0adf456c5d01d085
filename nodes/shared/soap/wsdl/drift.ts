import {
	propertiesAndOthers,
	rowName,
	type RecordContent,
	type SchemaField,
	type SchemaFields,
} from '../../contract/schemaFields';
import { typedOperation, type SoapOperation } from '../../contract/soapOperation';
import { joinNames } from '../../errors/words';
import { ownEntry } from '../../values/values';
import { WsdlError } from './documents';
import { integerName } from './simpleTypes';
import type { Wsdl } from './Wsdl';

/** The type of a field, in a word or two. */
function typeName(field: SchemaField): string {
	switch (field.kind) {
		case 'any':
			return field.unsupported ?? 'any type';
		case 'integer':
			return integerName(field.min, field.max);
		case 'record':
			return field.type === '' ? 'a record' : `a record of type ${field.type}`;
		case 'list':
			return `a list of ${rowName(field)}`;
		case 'repeated':
			return 'a repeated element';
		default:
			return field.kind;
	}
}

/** Compares an element that the contract and the WSDL both have. */
function fieldDrift(path: string, expected: SchemaField, field: SchemaField): string[] {
	if (field.namespace !== expected.namespace) {
		return [`element ${path} is in the namespace "${field.namespace}"`];
	}
	if (field.kind === 'record' && expected.kind === 'record') {
		return fieldsDrift(`${path}.`, expected.fields, field);
	}
	if (typeName(field) !== typeName(expected)) {
		return [`element ${path} is ${typeName(field)}, expected ${typeName(expected)}`];
	}
	if (field.kind === 'list' && expected.kind === 'list') {
		return fieldDrift(`${path}[]`, expected.of, field.of);
	}
	if (field.kind !== 'enumeration' || expected.kind !== 'enumeration') return [];
	const added = field.values.filter((value) => !expected.values.includes(value));
	const missing = expected.values.filter((value) => !field.values.includes(value));
	return [
		...(added.length > 0 ? [`element ${path} has the new value ${joinNames(added)}`] : []),
		...(missing.length > 0 ? [`element ${path} has no value ${joinNames(missing, 'or')}`] : []),
	];
}

/** Compares the elements of a record. The contract has no recursive records, so this ends. */
function fieldsDrift(path: string, expected: SchemaFields, content: RecordContent): string[] {
	const fields = propertiesAndOthers(content);
	const known = Object.entries(expected).flatMap(([name, field]) => {
		const found = ownEntry(fields, name);
		if (found === undefined) return [`element ${path}${name} is missing`];
		return fieldDrift(path + name, field, found);
	});
	const added: string[] = [];
	let place = 'at the end';
	for (const [name, field] of Object.entries(fields).reverse()) {
		if (Object.hasOwn(expected, name)) {
			place = `before ${name}`;
			continue;
		}
		const type = typeName(field) + (field.required && !field.nillable ? ', required' : '');
		added.unshift(`new element ${path}${name} (${type}) ${place}`);
	}
	const common = Object.keys(fields).filter((name) => Object.hasOwn(expected, name));
	const inOrder = Object.keys(expected).filter((name) => common.includes(name));
	const moved = common.filter((name, index) => name !== inOrder[index]);
	const names = joinNames(moved.map((name) => path + name));
	const order = moved.length === 0 ? [] : [`elements ${names} are in another order`];
	return [...known, ...added, ...order];
}

function messageOf(error: unknown): string {
	if (error instanceof WsdlError) return error.message;
	throw error;
}

/**
 * Compares an operation of the contract with the service's WSDL: names, order and types of all
 * elements. Which elements are required is no part of the contract.
 *
 * @returns each difference, in words
 */
export function drift(wsdl: Wsdl, operation: SoapOperation): string[] {
	const { name, request, response } = typedOperation(operation);
	if (!wsdl.operations.some((listed) => listed.name === name)) return [`${name} is missing`];
	try {
		const found = wsdl.operation(name);
		return [
			...fieldsDrift('', request.fields, found.request).map((text) => `${name}: ${text}`),
			...fieldsDrift('', response.fields, found.response).map((text) => `${name}, answer: ${text}`),
		];
	} catch (error) {
		return [messageOf(error)];
	}
}
