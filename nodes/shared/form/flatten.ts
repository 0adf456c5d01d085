import type { RecordField } from '../contract/fields';
import { scalarsIn, type NestedScalar } from '../values/values';
import { labelAt, parameterName } from './names';

/** A scalar of a record in the form, where nested records are flattened. */
export interface FlatField extends NestedScalar {
	readonly parameter: string;
	readonly label: string;
}

/**
 * Returns the scalars of a record and of its nested records, in the contract's order.
 *
 * @throws {TypeError} if the contract has a list inside a record, or if two fields would share a
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
