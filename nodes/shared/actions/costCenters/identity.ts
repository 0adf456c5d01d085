/** What says which cost center a row is: its Record ID, else the code or the identifier of its cost center. */
import { costCenter, employeeCostCenter } from '../../contract/resources';
import {
	at,
	collect,
	conflict,
	invalidInput,
	missing,
	type InputError,
} from '../../errors/InputError';
import { trimmed } from '../../values/kind';
import { recordKey } from '../../values/records';
import { isObject, isSet, valueAt, type Values } from '../../values/values';

/** The elements that identify a nested record. Its other elements are attributes. */
export const IDENTITY: ReadonlySet<string> = new Set(['Code', 'Id']);

/** What identifies a cost center's record, before its code. */
export const RECORD_ID = { label: 'Record ID', path: ['Id'], field: employeeCostCenter.fields.Id };
/** The code of a cost center. */
export const COST_CENTER_CODE = {
	label: 'Cost Center Code',
	path: ['CostCenter', 'Code'],
	field: costCenter.fields.Code,
};
export const COST_CENTER_ID = {
	label: 'Cost Center ID',
	path: ['CostCenter', 'Id'],
	field: costCenter.fields.Id,
};
/** What a row can be found by, in this order. */
export const IDENTITIES = [RECORD_ID, COST_CENTER_CODE, COST_CENTER_ID];

/** Returns the error for a row that names neither a record nor a cost center. */
export function unidentified(): InputError {
	const labels = `'${RECORD_ID.label}' or '${COST_CENTER_CODE.label}'`;
	return invalidInput(`needs ${labels} to identify the record.`, 'VALUE_REQUIRED');
}

/** Returns a nested record without the whitespace around its code; any other value as it is. */
function withTrimmedCode(nested: unknown): unknown {
	return isObject(nested) && isSet(nested.Code)
		? { ...nested, Code: trimmed(nested.Code) }
		: nested;
}

/** Returns a given row without the whitespace around its codes: `"4300 "` → `"4300"`. */
function identifiedRow(row: Values): Values {
	const codes = ['CostCenter', 'Kostensoort'].flatMap((name) =>
		Object.hasOwn(row, name) ? [[name, withTrimmedCode(row[name])]] : [],
	);
	const identified: Values = { ...row, ...Object.fromEntries(codes) };
	if (valueAt(identified, COST_CENTER_CODE.path) === '') {
		at(COST_CENTER_CODE.path, () => {
			throw missing();
		});
	}
	if (!IDENTITIES.some(({ path }) => isSet(valueAt(identified, path)))) throw unidentified();
	return identified;
}

/** Returns what two rows cannot both have: an employee has a cost center once (docs/dev/interface.md, section 10). */
function identityOf(row: Values): string {
	const found = IDENTITIES.find(({ path }) => isSet(valueAt(row, path))) ?? RECORD_ID;
	return `${found.label} ${recordKey(employeeCostCenter, row, [found])}`;
}

/**
 * Returns given rows without the whitespace around their codes. What is wrong with rows whatever the
 * current ones are is found here.
 *
 * @throws {InputError} with every row whose cost center code is blank, that names neither a record nor a
 * cost center, or that is for the same one as another row
 */
export function identifiedRows(rows: readonly Values[]): Values[] {
	const indexes = new Map<string, number>();
	return collect(rows, (given, i) => {
		const row = at(i, () => identifiedRow(given));
		const key = at(i, () => identityOf(row));
		const other = indexes.get(key);
		if (other !== undefined) throw conflict([i], 'is for the same cost center as', [other]);
		indexes.set(key, i);
		return row;
	});
}
