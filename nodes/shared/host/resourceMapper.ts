/**
 * n8n's resource mapper, as its form and its values limit a field (n8n 1.123 and 2.41). The form cuts
 * long labels, and shows no description of a field.
 */
import type { FieldType } from 'n8n-workflow';
import type { Field } from '../contract/fields';
import { onceFor } from '../contract/onceFor';

/**
 * The inputs of n8n's form, `ParameterInputFull` in `MappingFields.vue` of its editor. Any other kind
 * is a text, also a number: n8n's input for numbers drops a decimal comma, so that "4,5" becomes 45, and
 * rounds what JavaScript cannot hold.
 */
const INPUTS: Partial<Record<Field['kind'], FieldType>> = {
	boolean: 'boolean',
	date: 'dateTime',
	dateTime: 'dateTime',
	list: 'array',
	record: 'object',
	repeated: 'array',
	tokens: 'array',
};

/** What n8n evaluates, and what it renders as HTML in the message about an invalid value. */
const hasMarkup = onceFor((values: readonly string[]) =>
	values.some((value) => /^=|<[a-z!/]/i.test(value)),
);

/**
 * Returns the input of a field in n8n's form. n8n evaluates a choice that begins with "=" as an
 * expression: `getParameterValue` in `expression.ts` of n8n-workflow.
 *
 * @param isTool whether the node is a tool: a drop-down list has no button that lets the model define
 * its value
 */
export function inputOf(field: Field, isTool = false): FieldType {
	switch (field.kind) {
		case 'any':
			return field.unsupported === undefined ? 'string' : 'object';
		case 'enumeration':
			return isTool || hasMarkup(field.values) ? 'string' : 'options';
		default:
			return INPUTS[field.kind] ?? 'string';
	}
}

/** Whether a field takes JSON in n8n's form. */
export function isJson(field: Field): boolean {
	return ['array', 'object'].includes(inputOf(field));
}

/**
 * How to read the values of the mapper: with its checks, n8n would evaluate the schema that it stores
 * with them as expressions, and convert dates. See `validateResourceMapperValue` in
 * `validate-value-against-schema.ts` of n8n-core.
 */
export const asGiven = { skipValidation: true };

/** The mode of the mapper in which columns are found by their names. */
export const AUTOMATIC = 'autoMapInputData';

/** Returns a value of the mapper; `undefined` if it is not set. n8n stores `''` for a cleared field. */
export function setValue(value: unknown, isText: boolean): unknown {
	return value === '' && !isText ? undefined : (value ?? undefined);
}
