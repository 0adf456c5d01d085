/** The labels of an operation's parameters, and what they say about the values. */
import { TEXT, WILDCARD, type RecordContent, type Field } from '../../contract/fields';
import { joinNames, truncate } from '../../errors/words';
import { exampleOf } from '../../form/example';
import { words } from '../../form/names';
import { isJson } from '../../host/resourceMapper';

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

/** Returns the label of a path, for example "Address House Number". */
function labelOf(path: ElementPath): string {
	const names = path.map((name) => {
		if (name === WILDCARD) return 'Other Elements';
		return name === TEXT ? 'Value' : words(name.replace(/^@(?:xml:|\{.+\})?/, ''));
	});
	return names.join(' ');
}

/**
 * Returns labels of paths, no two of which are the same: "Employee ID (EmployeeId)" and "Employee ID
 * (Employee.Id)" for paths with the same label.
 */
export function distinctLabels(paths: readonly ElementPath[]): string[] {
	const plain = paths.map(labelOf);
	const counts = new Map<string, number>();
	for (const label of plain) counts.set(label, (counts.get(label) ?? 0) + 1);
	return plain.map((label, i) =>
		counts.get(label) === 1 ? label : `${label} (${paths[i]?.join('.')})`,
	);
}

/**
 * Returns what the label of a field says about its alternatives: "(enter this or From)", or
 * "(not with From)" if none is required; empty if it has none.
 *
 * @param outer path of the record
 */
export function choiceNote(outer: ElementPath, content: RecordContent, name: string): string {
	const { names, required } = content.choice ?? { names: [] };
	const others = names.filter((one) => one !== name);
	if (others.length === 0 || others.length === names.length) return '';
	const labels = others.map((one) => labelOf([...outer, one]));
	const text = required
		? joinNames(['enter this', ...labels], 'or')
		: `not with ${joinNames(labels, 'or')}`;
	return ` (${truncate(text)})`;
}

/** Why a field is sent unchanged; `undefined` if its type is supported. */
function unsupportedIn(field: Field): string | undefined {
	return (field.kind === 'repeated' ? field.of : field).unsupported;
}

/** The example that a JSON field with records is filled with; `undefined` for any other field. */
export function filledExample(field: Field): string | undefined {
	if (!isJson(field) || unsupportedIn(field) !== undefined) return undefined;
	const text = JSON.stringify(exampleOf(field, EXAMPLE_FIELDS), null, 2);
	return text.includes('":') ? text : undefined;
}

/**
 * What the label of a field says about its values; empty if the input shows that. In a tool, it says
 * more: n8n passes an AI model the label of a field as the name of its argument, and nothing else.
 */
export function noteOf(field: Field, isTool: boolean): string {
	if (isJson(field)) {
		const unsupported = unsupportedIn(field);
		if (unsupported !== undefined) return ` (JSON, sent unchanged: ${unsupported})`;
		const example = JSON.stringify(exampleOf(field, EXAMPLE_FIELDS));
		const isElsewhere = example === '{}' || (!isTool && filledExample(field) !== undefined);
		return isElsewhere ? ' (JSON)' : ` (JSON, e.g. ${truncate(example)})`;
	}
	if (!isTool) return '';
	if (field.kind === 'enumeration') return ` (${truncate(field.values.join(', '))})`;
	if (TEMPORAL.has(field.kind)) return ` (e.g. ${String(exampleOf(field))})`;
	const number = NUMBERS[field.kind];
	return number === undefined ? '' : ` (${number})`;
}
