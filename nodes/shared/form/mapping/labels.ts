/** The labels of an operation's parameters, and what they say about the values. */
import { TEXT, WILDCARD, type RecordContent, type Field } from '../../contract/fields';
import { distinct, joinNames, truncate } from '../../errors/words';
import { pathTexts, type ColumnField } from './columns';
import { exampleOf } from '../example';
import { words } from '../names';
import { isJson } from '../../host/forms';

/** Fields of each record in an example. */
const EXAMPLE_FIELDS = 3;

/** The kinds whose notation an example shows. */
const TEMPORAL: ReadonlySet<string> = new Set(['date', 'dateTime', 'time']);

/** How a label names the kinds of numbers. */
const NUMBERS: Partial<Record<Field['kind'], string>> = {
	decimal: 'decimal number',
	float: 'decimal number',
	int: 'whole number',
	integer: 'whole number',
};

type ElementPath = readonly string[];

/** Returns the label of an element, for example "House Number". */
export function stepLabel(name: string, field?: Field): string {
	if (name === WILDCARD) return 'Other Elements';
	if (name === TEXT) return 'Value';
	return field?.label ?? words(name.replace(/^@(?:xml:|\{.+\})?/, ''));
}

/**
 * Returns labels of fields, no two of which are the same: "Employee ID (EmployeeId)" and "Employee ID
 * (Employee.Id)" for fields with the same label.
 */
export function distinctLabels(fields: readonly ColumnField[]): string[] {
	const texts = pathTexts(fields.map(({ path }) => path));
	// n8n names the argument of a tool by the letters and digits of the label.
	const labels = fields.map(({ label }, i) =>
		texts[i]?.startsWith('/') ? `${label} (field ${i + 1})` : label,
	);
	return distinct(labels, (label, i) => `${label} (${texts[i]})`);
}

/**
 * Returns what the labels of fields say about their alternatives: "(enter this or From)", or
 * "(not with From)" if none is required; empty for a field that has none.
 *
 * @param outer path of the record
 */
export function choiceNotes(outer: ElementPath, content: RecordContent): (name: string) => string {
	const { names = [], required } = content.choice ?? {};
	const alternatives = new Set(names);
	// More are only counted.
	const first = [...alternatives]
		.slice(0, 12)
		.map((name) => [name, [...outer, name].map((step) => stepLabel(step)).join(' ')]);
	return (own) => {
		const others = alternatives.size - 1;
		if (others < 1 || !alternatives.has(own)) return '';
		const labels = first.flatMap(([name, label = '']) => (name === own ? [] : [label]));
		const text = required
			? joinNames(['enter this', ...labels], 'or', others + 1)
			: `not with ${joinNames(labels, 'or', others)}`;
		return ` (${truncate(text)})`;
	};
}

/** Why a field is sent unchanged; `undefined` if its type is supported. */
function unsupportedIn(field: Field): string | undefined {
	return (field.kind === 'repeated' ? field.of : field).unsupported;
}

/** Returns an example of a JSON field; an empty record for any other field. */
export function jsonExample(field: Field): unknown {
	if (!isJson(field) || unsupportedIn(field) !== undefined) return {};
	return exampleOf(field, EXAMPLE_FIELDS);
}

/** The example that a JSON field with records is filled with; `undefined` for any other one. */
export function filledExample(example: unknown): string | undefined {
	const text = JSON.stringify(example, null, 2);
	return text.includes('":') ? text : undefined;
}

/**
 * What the label of a field says about its values; empty if the input shows that. In a tool, it says
 * more: n8n passes an AI model the label of a field as the name of its argument, and nothing else.
 *
 * @param isTool or whether the field shows no choices
 * @param example of a JSON field
 */
export function noteOf(field: Field, isTool: boolean, example: unknown): string {
	if (isJson(field)) {
		const unsupported = unsupportedIn(field);
		if (unsupported !== undefined) return ` (JSON, sent unchanged: ${unsupported})`;
		const text = JSON.stringify(example);
		const isElsewhere = text === '{}' || (!isTool && filledExample(example) !== undefined);
		return isElsewhere ? ' (JSON)' : ` (JSON, e.g. ${truncate(text)})`;
	}
	if (field.kind === 'base64Binary') return ' (binary field, or base64)';
	if (!isTool) return '';
	if (field.kind === 'enumeration') {
		const first = field.values.slice(0, 40).map((name) => truncate(name));
		return ` (${truncate(first.join(', '))})`;
	}
	if (TEMPORAL.has(field.kind)) return ` (e.g. ${String(exampleOf(field))})`;
	const number = NUMBERS[field.kind];
	return number === undefined ? '' : ` (${number})`;
}
