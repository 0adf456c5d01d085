/** The columns of input items: which field each of them is for, and the values by field. */
import { at, collect, invalidInput, invalidValue } from '../../errors/InputError';
import { distinct, formatValue, joinNames, truncate } from '../../errors/words';
import type { ScalarField } from '../../contract/fields';
import { trimmed } from '../../values/kind';
import { numberAsText, plainDecimal } from '../../values/numbers';
import { columnName } from '../names';
import { meaningOf } from '../words';
import { emptyValues, isObject, isSet, setterOf, valueAt, type Values } from '../../values/values';

/** A field that a column can be for. */
export interface ColumnField {
	/** Its element names, from the outermost element. */
	readonly path: readonly string[];
	/** Its label in the form. */
	readonly label: string;
	/** Whether it is what people mean who name its record alone. */
	readonly isMain?: boolean;
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
	private readonly byLine = new Map<number, F[]>();

	constructor(fields: readonly F[]) {
		const texts = pathTexts(fields.map(({ path }) => path));
		for (const [i, field] of fields.entries()) {
			const text = texts[i] ?? '';
			this.byPath.set(text, field);
			for (const line of meaningOf(field.label).lines) {
				const meant = this.byLine.get(line) ?? [];
				this.byLine.set(line, meant);
				meant.push(field);
			}
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

	/**
	 * Returns the field that a column means by what people call it: "Kostenplaats" is the code of the cost center.
	 * The number of an employee is not the identifier.
	 */
	meantBy(column: string): F | undefined {
		const { lines, kind } = meaningOf(column);
		const meant = [...new Set(lines.flatMap((line) => this.byLine.get(line) ?? []))];
		const fitting = meant.filter(({ label }) => kind === '' || meaningOf(label).kind === kind);
		const main = fitting.filter(({ isMain }) => isMain);
		const [only, ...others] = main.length > 0 ? main : fitting;
		return others.length === 0 ? only : undefined;
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

/** The label of the switch. */
const DECIMAL_COMMA_LABEL = 'Decimal Comma';

/** "33,34" and "1.234,56", or "33.34" and "1.234", which may be thousands; perhaps with a sign beside it. */
const NUMBER =
	/^([+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+|[+-]?\d*\.\d+)(\s*(?:%|€|EUR|procent|percent))?$/i;

/**
 * Returns the number in a cell with a decimal point: "1.234,56" → "1234.56". Any other value is left to the
 * check of its field.
 *
 * @param isComma whether the builder says that the texts have a decimal comma
 * @throws {InputError} if the text is written the other way
 */
export function decimalCell({ kind }: ScalarField, cell: unknown, isComma: boolean): unknown {
	const isDecimal = kind === 'decimal' || kind === 'float';
	const [, number = '', sign] = (isDecimal && NUMBER.exec(String(trimmed(cell)))) || [];
	if (typeof cell !== 'string' || number === '') return cell;
	const hasComma = number.includes(',');
	if (hasComma && !isComma) {
		const also = sign ? ', and leave out the sign beside the number' : '';
		throw invalidValue(cell, `has a decimal comma. Turn on '${DECIMAL_COMMA_LABEL}'${also}.`);
	}
	if (hasComma && sign) {
		throw invalidValue(cell, `has a sign beside the number. Write ${number}.`);
	}
	if (hasComma) return number.replaceAll('.', '').replace(',', '.');
	if (!isComma) return cell;
	const what = `has a decimal point${sign ? ' and a sign' : ''}, but '${DECIMAL_COMMA_LABEL}' is on`;
	throw invalidValue(cell, `${what}. Write ${number.replace('.', ',')}, or turn it off.`);
}

/**
 * Returns the percentage that a fraction stands for: 0.6 → "60". A text that is no number is left to the check
 * of its field.
 *
 * @throws {InputError} if it is more than 1
 */
export function percentageOf(cell: unknown): unknown {
	const text = String(trimmed(numberAsText(cell)));
	if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) return cell;
	const [whole = '', fraction = ''] = text.split('.');
	if (Number(text) > 1) {
		throw invalidValue(
			cell,
			"is more than 1, but 'Percentages Are Fractions' is on. Write a fraction, such as 0.6 for 60 %, or turn it off.",
		);
	}
	const digits = fraction.padEnd(2, '0');
	return plainDecimal(`${whole}${digits.slice(0, 2)}.${digits.slice(2)}`);
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
