/** The labels of an operation's parameters. */
import { ATTRIBUTE, TEXT, WILDCARD, type RecordContent } from '../../contract/schemaFields';
import { joinNames, truncate } from '../../errors/words';
import { words } from '../../form/names';

type ElementPath = readonly string[];

/** Returns the label of a path, for example "Address House Number". */
export function labelOf(path: ElementPath, separator = ' '): string {
	const names = path.map((name) => {
		if (name === WILDCARD) return 'Other Elements';
		return name === TEXT ? 'Value' : words(name.replace(ATTRIBUTE, ''));
	});
	return names.join(separator);
}

/** Returns the labels that occur more than once. */
function repeated(labels: readonly string[]): ReadonlySet<string> {
	const seen = new Set<string>();
	const again = labels.filter((label) => {
		const isSeen = seen.has(label);
		seen.add(label);
		return isSeen;
	});
	return new Set(again);
}

/**
 * Returns labels of paths, no two of which are the same: "Employee ID" and "Employee: ID" for
 * EmployeeId and Employee.Id, with the names of the elements if that is not enough.
 */
export function distinctLabels(paths: readonly ElementPath[]): string[] {
	const plain = paths.map((path) => labelOf(path));
	const several = repeated(plain);
	const nested = paths.map((path) => labelOf(path, several.has(labelOf(path)) ? ': ' : ' '));
	const still = repeated(nested);
	return paths.map((path, i) => {
		const label = nested[i] ?? '';
		return still.has(label) ? `${label} (${path.join('.')})` : label;
	});
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
