/** Fields of a record that exclude each other. */
import type { Choice, Field, RecordContent } from '../contract/fields';
import { onceFor } from '../contract/onceFor';
import { collect, conflict, noneGiven } from '../errors/InputError';
import { isSet, ownEntry, type Values } from './values';

/** Whether a request with this value has the field's element. */
export function isSent(field: Field, value: unknown): boolean {
	if (!isSet(value)) return value === null && field.nillable === true;
	return field.kind !== 'repeated' || !Array.isArray(value) || value.length > 0;
}

const alternativesOf = onceFor(({ names }: Choice) => new Set(names));

/**
 * Checks that at most one alternative of a choice is sent, and one if that is required.
 *
 * @param known names of the fields that the values concern
 * @throws {InputError} naming the alternatives
 */
export function checkChoice(
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
		const [name = '', ...alternatives] = alternativesOf(choice);
		throw noneGiven(
			[name],
			alternatives.map((other) => [other]),
		);
	}
	collect(others, (name) => {
		throw conflict([name], 'is given together with its alternative', [first]);
	});
}
