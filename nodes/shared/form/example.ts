import type { Field, Fields } from '../contract/fields';
import { onceFor } from '../contract/onceFor';
import { kindOf, readScalar } from '../values/scalars';

/** Maximum number of records and lists within each other. */
const MAX_EXAMPLE_DEPTH = 3;

/** The fields of a record, of which examples may show few. */
const entriesOf = onceFor((fields: Fields) => Object.entries(fields));

/**
 * Returns an example value.
 *
 * @param maxFields maximum number of fields of each record
 */
export function exampleOf(field: Field, maxFields = Infinity, depth = 0): unknown {
	switch (field.kind) {
		case 'list':
		case 'repeated':
			if (field.of.kind === 'record') return [exampleOf(field.of, maxFields, depth)];
			// A list may be a list of itself.
			return depth < MAX_EXAMPLE_DEPTH ? [exampleOf(field.of, maxFields, depth + 1)] : [];
		case 'record': {
			const inner = entriesOf(field.fields).slice(0, maxFields);
			if (depth >= MAX_EXAMPLE_DEPTH) return {};
			return Object.fromEntries(
				inner.map(([name, one]) => [name, exampleOf(one, maxFields, depth + 1)]),
			);
		}
		case 'any':
			return {};
		default: {
			const { example } = field;
			const [name] = field.kind === 'enumeration' ? field.values : [];
			return (example && readScalar(field, example)) ?? name ?? kindOf(field).example ?? '';
		}
	}
}
