/** The columns of input items: which field each of them is for, and the values by field. */
import { at, collect, invalidInput, invalidValue } from '../../errors/InputError';
import { distinct, formatValue, joinNames, truncate } from '../../errors/words';
import { trimmed } from '../../values/kind';
import { columnName } from '../names';
import { emptyValues, isObject, isSet, setterOf, valueAt, type Values } from '../../values/values';

/** A field that a column can be for. */
export interface ColumnField {
	/** Its element names, from the outermost element. */
	readonly path: readonly string[];
	/** Its label in the form. */
	readonly label: string;
}

/**
 * A name without regard to case and blanks: "Employee ID", `employeeId` and `EmployeeId` are the
 * same. `id` is not `Id`: tables give each row an `id` of their own.
 */
function columnKey(name: string): string {
	const key = name.toLowerCase().replace(/\s/g, '');
	return key === 'id' ? name : key;
}

/**
 * Returns a text for each path that no other path has: dotted, or `/A.B/C` if a dot in the name of an
 * element makes two of them the same.
 */
export function pathTexts(paths: ReadonlyArray<readonly string[]>): string[] {
	return distinct(
		paths.map((path) => path.join('.')),
		(_, i) => `/${paths[i]?.join('/')}`,
	);
}

/**
 * Fields by the names of their columns: the label, the dotted path of element names, and the column
 * name of Simplify. A column that is exactly a path is for that field.
 */
export class Columns<F extends ColumnField = ColumnField> {
	private readonly byPath = new Map<string, F>();
	/** The paths of the fields that a name is for. */
	private readonly byName = new Map<string, string[]>();

	constructor(fields: readonly F[]) {
		const texts = pathTexts(fields.map(({ path }) => path));
		for (const [i, field] of fields.entries()) {
			const text = texts[i] ?? '';
			this.byPath.set(text, field);
			for (const key of new Set([text, field.path.join('.'), field.label].map(columnKey))) {
				const named = this.byName.get(key) ?? [];
				named.push(text);
				this.byName.set(key, named);
			}
		}
	}

	/**
	 * Returns the field that a column is for; `undefined` if there is none.
	 *
	 * @throws {InputError} if there are several
	 */
	find(column: string): F | undefined {
		const exact = this.exactly(column);
		const named = this.byName.get(columnKey(column)) ?? [];
		if (exact === undefined && named.length > 1) {
			const known = joinNames(named, 'or');
			const text = `is the name of several fields. Rename the column to one of them: ${known}.`;
			throw invalidInput(text).at(column);
		}
		return exact ?? this.byPath.get(named[0] ?? '');
	}

	/** Returns the field whose path a column is; `undefined` if there is none. */
	exactly(column: string): F | undefined {
		return this.byPath.get(column);
	}

	/** Lists the names that a field's column can have. */
	namesOf({ path, label }: ColumnField): string {
		const exact = `/${path.join('/')}`;
		const text = this.byPath.has(exact) ? exact : path.join('.');
		const names = [label, text, columnName(label)].filter(
			(name) => name === text || this.byName.get(columnKey(name))?.length === 1,
		);
		return joinNames([...new Set(names)], 'or');
	}
}

/** The text of a cell that empties a field. */
const EMPTY_TEXT = '""';

/**
 * Returns what a cell says: nothing if it is blank, as spreadsheets have it for a field that is not to
 * change, and an empty text if it is `""`, two quotes.
 */
export function cellValue(value: unknown): unknown {
	const text = trimmed(value);
	if (text === '') return undefined;
	return text === EMPTY_TEXT ? '' : value;
}

/** A column that is for the field at another path. */
interface MovedColumn {
	readonly column: string;
	readonly path: readonly string[];
	readonly value: unknown;
}

/** A value as text that is the same for `4100` and `"4100"`. */
const comparable = (value: unknown): string =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);

/**
 * Returns the cells of an item by field; blank ones are `undefined`. A column that is for no field keeps
 * its name.
 *
 * @param pathOf returns the path of the field that a column is for; `undefined` if there is none
 * @throws {InputError} with every column that contradicts another one of the same field
 */
export function placeColumns(
	item: Values,
	pathOf: (column: string) => readonly string[] | undefined,
): Values {
	const values = emptyValues();
	const set = setterOf(values);
	const given: MovedColumn[] = [];
	const empty: MovedColumn[] = [];
	collect(Object.entries(item), ([column, cell]) => {
		// What `""` stands for is left to the reader of the request: here, it would be blank afterwards.
		const value = cellValue(cell) === undefined ? undefined : cell;
		const path = pathOf(column) ?? [column];
		if (path.length === 1 && path[0] === column) values[column] = value;
		else (isSet(value) ? given : empty).push({ column, path, value });
	});
	/** The column of each value that was moved. */
	const columns = new Map<string, string>();
	collect(given, ({ column, path, value }) => {
		const other = valueAt(values, path);
		const key = path.join('/');
		if (!isSet(other)) {
			// A value around it that is no record is refused later.
			set(path, value);
			columns.set(key, column);
		} else if (comparable(value) !== comparable(other)) {
			at(path, () => {
				const names = [column, columns.get(key) ?? path.join('.')];
				const [own, others] = names.map((name) => `in the column '${truncate(name)}'`);
				throw invalidValue(value, `${own} contradicts ${formatValue(other)} ${others}.`);
			});
		}
	});
	for (const { path, value } of empty) {
		// A record is not made of empty columns.
		const isPlace = isObject(valueAt(values, path.slice(0, -1)));
		if (isPlace && !isSet(valueAt(values, path))) set(path, value);
	}
	return values;
}
