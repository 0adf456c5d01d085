import type { RecordField } from '../contract/fields';
import { scalarsIn, type NestedScalar } from '../contract/values';
import { labelAt, parameterName } from './names';

/** A scalar of a record as the form shows it: nested records are flattened, one level deep. */
export interface FlatField extends NestedScalar {
	readonly parameter: string;
	readonly label: string;
}

/**
 * The scalars of a record and of the records nested in it, in the contract's order.
 *
 * @throws {TypeError} where the contract holds a list inside a record, or two fields would share a
 * parameter name: a mistake in the contract, found when the module loads
 */
export function flatten(record: RecordField): readonly FlatField[] {
	const fields = scalarsIn(record).map(({ path, field }) => ({
		path,
		parameter: parameterName(...path),
		label: labelAt(record.fields, path) ?? path.join(' '),
		field,
	}));
	const names = new Set(fields.map(({ parameter }) => parameter));
	if (names.size < fields.length) {
		throw new TypeError(`Two fields of ${record.type} would share one parameter name`);
	}
	return fields;
}
