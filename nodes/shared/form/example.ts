import { propertiesOf, type Field } from '../contract/fields';

/** Maximum number of records and lists within each other. */
const MAX_EXAMPLE_DEPTH = 3;

/**
 * Returns an example value.
 *
 * @param maxFields maximum number of fields of each record
 */
export function exampleOf(field: Field, maxFields = Infinity, depth = 0): unknown {
	switch (field.kind) {
		case 'list':
		case 'repeated':
		case 'tokens':
			if (field.of.kind === 'record') return [exampleOf(field.of, maxFields, depth)];
			// A list may be a list of itself.
			return depth < MAX_EXAMPLE_DEPTH ? [exampleOf(field.of, maxFields, depth + 1)] : [];
		case 'record': {
			const [shown = field] = field.isAbstract === true ? (field.derived ?? []) : [];
			const inner = Object.entries(propertiesOf(shown)).slice(0, maxFields);
			if (depth >= MAX_EXAMPLE_DEPTH) return {};
			return Object.fromEntries(
				inner.map(([name, one]) => [name, exampleOf(one, maxFields, depth + 1)]),
			);
		}
		case 'any':
			return {};
		case 'boolean':
			return true;
		case 'enumeration':
			return field.values[0] ?? '';
		case 'int':
		case 'integer':
		case 'decimal':
		case 'float':
			return Number(field.example ?? 0);
		case 'dateTime':
			return '2026-01-31T12:00:00';
		case 'date':
			return '2026-01-31';
		case 'time':
			return '12:00:00';
		default:
			return field.example ?? '';
	}
}
