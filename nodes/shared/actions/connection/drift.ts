import { rowName, type Field, type Fields } from '../../contract/fields';
import type { Operation } from '../../contract/operation';
import { ServiceError } from '../../errors/ServiceError';
import { joinNames } from '../../errors/words';
import type { Wsdl } from '../../soap/wsdl/Wsdl';
import { ownEntry } from '../../values/values';

/** Returns the kind of a field as a description can state it. */
function typeName({ kind }: Field): string {
	return kind === 'country' ? 'string' : kind;
}

/**
 * Lists elements with their kinds, such as `Address (record)` and `Address.Street (string)`. Records
 * are only listed as deep as the known ones, since those of a description may hold themselves.
 */
function listElements(fields: Fields, known: Fields, path = ''): string[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		const [of, knownOf] = [field, ownEntry(known, name)].map((one) =>
			one?.kind === 'list' ? one.of : one,
		);
		const kind = field.kind === 'list' ? `list of ${rowName(field)}` : typeName(field);
		const values = of?.kind === 'enumeration' ? `: ${joinNames(of.values, 'or')}` : '';
		const namespace = field.namespace === undefined ? '' : ` of "${field.namespace}"`;
		const isRecord = of?.kind === 'record' && knownOf?.kind === 'record';
		return [
			`${path}${name} (${kind}${values}${namespace})`,
			...(isRecord ? listElements(of.fields, knownOf.fields, `${path}${name}.`) : []),
		];
	});
}

/** Compares elements, as a sentence; none if they are equal. */
function compareElements(title: string, fields: Fields, contract: Fields): string[] {
	const found = listElements(fields, contract);
	const expected = listElements(contract, contract);
	const added = found.filter((element) => !expected.includes(element));
	const missing = expected.filter((element) => !found.includes(element));
	const parts = [
		...(added.length > 0 ? [`also has ${joinNames(added)}`] : []),
		...(missing.length > 0 ? [`has no ${joinNames(missing, 'or')}`] : []),
	];
	if (parts.length > 0) return [`${title} ${parts.join(' and ')}`];
	return found.join() === expected.join() ? [] : [`${title} has its elements in another order`];
}

function messageOf(error: unknown): string {
	if (error instanceof ServiceError) return error.message;
	throw error;
}

/**
 * Returns the differences between the service's description and an operation of the contract, as
 * sentences: in names, kinds and order of elements. Which are required is no part of the contract.
 */
export function drift(wsdl: Wsdl, { name, request, response }: Operation): string[] {
	try {
		const found = wsdl.operation(name);
		return [
			...compareElements(name, found.request.fields, request.fields),
			...compareElements(`The answer of ${name}`, found.response.fields, response.fields),
		];
	} catch (error) {
		return [messageOf(error)];
	}
}
