/** What n8n makes of the forms and expressions of nodes and credentials (1.123 and 2.41). */
import { type FieldType, NodeHelpers } from 'n8n-workflow';
import { type Field, onceFor } from '../contract/fields';

/**
 * Condition of what is shown, or hidden, if the node is a tool of an AI agent: `getPropertyValues` in
 * `node-helpers.ts` of n8n-workflow.
 */
export const AS_TOOL = { '@tool': [true] };

/**
 * The field of a number is one of text: n8n's field for numbers drops a decimal comma, so that "33,34"
 * becomes 3334, and marks no empty required field before the run (`ParameterInput.vue` of n8n's editor).
 */
export const NUMBER = { type: 'string', default: '' } as const;

/**
 * Returns a text for the description of a tool that depends on other parameters, as far as n8n evaluates an
 * expression there: 2.41 does, with a third parameter of this function, and 1.123 gives it to the model as it is.
 */
export function evaluatedDescription(expression: string, otherwise: string): string {
	return NodeHelpers.getToolDescriptionForNode.length > 2 ? `=${expression}` : otherwise;
}

/**
 * The inputs of n8n's resource mapper, which cuts long labels and shows no description of a field:
 * `ParameterInputFull` in `MappingFields.vue` of its editor. Any other kind
 * is a text, also a number: n8n's input for numbers drops a decimal comma, so that "4,5" becomes 45, and
 * rounds what JavaScript cannot hold.
 */
const INPUTS: Partial<Record<Field['kind'], FieldType>> = {
	any: 'object',
	boolean: 'boolean',
	date: 'dateTime',
	dateTime: 'dateTime',
	list: 'array',
	record: 'object',
	repeated: 'array',
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
	if (field.kind !== 'enumeration') return INPUTS[field.kind] ?? 'string';
	return isTool || hasMarkup(field.values) ? 'string' : 'options';
}

/** The mode of the mapper in which columns are found by their names. */
export const AUTOMATIC = 'autoMapInputData';

const COLUMN = /^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[(["'])((?:(?!\2)[^\\\n])*)\2\])\s*\}\}$/;

/**
 * Returns the field of the input item that an expression gives as it is, such as `Name` for
 * `={{ $json.Name }}` and `={{ $json['Name'] }}`, as the editor writes it when a column is dragged into
 * a field; `undefined` for any other expression.
 */
export function columnIn(expression: string): string | undefined {
	const [, name, , quoted] = COLUMN.exec(expression) ?? [];
	return name ?? quoted;
}
