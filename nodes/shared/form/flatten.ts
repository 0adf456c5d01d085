import type { RecordField, ScalarField } from '../contract/fields';
import { label, parameterName } from './names';

/** A scalar of a record as the form shows it: nested records are flattened, one level deep. */
export interface FlatField {
	/** Element names from the record down to the scalar, for example `['CostCenter', 'Code']`. */
	readonly path: readonly string[];
	readonly parameter: string;
	readonly label: string;
	readonly field: ScalarField;
}

function flat(
	record: RecordField,
	path: readonly string[],
	labels: readonly string[],
): FlatField[] {
	return Object.entries(record.fields).flatMap(([name, field]): FlatField[] => {
		const here = [...path, name];
		const names = [...labels, label(name, field)];
		if (field.kind === 'record') return flat(field, here, names);
		if (field.kind === 'list') {
			throw new TypeError(`A form cannot show the list ${here.join('.')} inside a record`);
		}
		return [{ path: here, parameter: parameterName(...here), label: names.join(' '), field }];
	});
}

/**
 * The scalars of a record and of the records nested in it, in the contract's order.
 *
 * @throws {TypeError} where the contract holds a list inside a record, or two fields would share a
 * parameter name: a mistake in the contract, found when the module loads
 */
export function flatten(record: RecordField): readonly FlatField[] {
	const fields = flat(record, [], []);
	const names = new Set(fields.map(({ parameter }) => parameter));
	if (names.size < fields.length) {
		throw new TypeError(`Two fields of ${record.type} would share one parameter name`);
	}
	return fields;
}
