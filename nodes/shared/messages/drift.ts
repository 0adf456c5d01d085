/** How the service's description differs from the contract, in words. */
import { type Fields, rowElement } from '../contract/fields';
import type { Operation } from '../contract/operation';
import { messageOf, ServiceError, serviceError } from '../errors/ServiceError';
import { joinNames } from '../errors/words';
import type { Wsdl } from '../soap/wsdl/Wsdl';
import { ownEntry } from '../values/values';
import { describeError } from './describe';

/** Lists elements, such as `Address.Street (string)`, as deep as the known ones: described records may hold themselves. */
function listElements(fields: Fields, known: Fields, path = ''): string[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		const [of, knownOf] = [field, ownEntry(known, name)].map((own) =>
			own?.kind === 'list' ? own.of : own,
		);
		// A description cannot state that a text is a country.
		const named = field.kind === 'country' ? 'string' : field.kind;
		const kind = field.kind === 'list' ? `list of ${rowElement(field)}` : named;
		const values = of?.kind === 'enumeration' ? `: ${joinNames(of.values, 'or')}` : '';
		const namespace = field.namespace === undefined ? '' : ` of "${field.namespace}"`;
		const isRecord = of?.kind === 'record' && knownOf?.kind === 'record';
		return [
			`${path}${name} (${kind}${values}${namespace})`,
			...(isRecord ? listElements(of.fields, knownOf.fields, `${path}${name}.`) : []),
		];
	});
}

/**
 * Says how the service's description differs from an operation of the contract: in names, kinds and order of
 * elements. Which are required is no part of the contract.
 */
export function drift(wsdl: Wsdl, { name, request, response }: Operation): string[] {
	let described: Operation;
	try {
		described = wsdl.operation(name);
	} catch (error) {
		if (error instanceof ServiceError) return describeError(error).slice(0, 1);
		throw serviceError('UNEXPECTED', { message: messageOf(error), thrown: error });
	}
	const parts = [
		[name, described.request.fields, request.fields],
		[`The answer of ${name}`, described.response.fields, response.fields],
	] as const;
	return parts.flatMap(([title, fields, contract]) => {
		const found = listElements(fields, contract);
		const expected = listElements(contract, contract);
		const added = found.filter((element) => !expected.includes(element));
		const missing = expected.filter((element) => !found.includes(element));
		const differences = [
			...(added.length > 0 ? [`also has ${joinNames(added)}`] : []),
			...(missing.length > 0 ? [`has no ${joinNames(missing, 'or')}`] : []),
		];
		if (differences.length > 0) return [`${title} ${differences.join(' and ')}`];
		return found.join() === expected.join() ? [] : [`${title} has its elements in another order`];
	});
}
