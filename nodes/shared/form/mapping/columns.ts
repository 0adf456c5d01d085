/** The fields of a request or a record by the names of columns, and input items as the values of such fields. */
import { type Fields, onceFor } from '../../contract/fields';
import { LIMITS } from '../../contract/limits';
import { collect, invalidInput, invalidValue, missing, type Path } from '../../values/InputError';
import { formatValue, joinNames, truncate } from '../../errors/words';
import { trimmed } from '../../values/kind';
import {
	emptyValues,
	groupedBy,
	isObject,
	isSet,
	ownEntry,
	setterOf,
	valueAt,
	type Values,
} from '../../values/values';
import { type FormField, formFields, words } from '../fields';
import { meaningOf } from '../words';

/** Ignores case and blanks: "Employee ID" is `EmployeeId`. But `id` is not `Id`: tables number their rows with it. */
function columnKey(name: string): string {
	const key = name.toLowerCase().replace(/\s/g, '');
	return key === 'id' ? name : key;
}

/** The fields of a request, or of a record in it. */
class Form {
	/** By id, in their order. */
	readonly fields: ReadonlyMap<string, FormField>;
	/** By what names their columns: the label, the dotted path, and the column name of Simplify. */
	readonly #byName: ReadonlyMap<string, readonly FormField[]>;
	/** By the lines of the table of words that their labels have. */
	readonly #byLine: ReadonlyMap<string, readonly FormField[]>;

	constructor(fields: readonly FormField[]) {
		this.fields = new Map(fields.map((field) => [field.id, field]));
		const namesOf = ({ id, path, label }: FormField) => [id, path.join('.'), label];
		this.#byName = groupedBy(fields, (field) => namesOf(field).map(columnKey));
		this.#byLine = groupedBy(fields, ({ label }) => meaningOf(label).lines.map(String));
	}

	/** Returns the field that a column is for; `undefined` if there is none. @throws {InputError} if there are several */
	find(column: string): FormField | undefined {
		const named = this.#byName.get(columnKey(column)) ?? [];
		if (named.length > 1) {
			const ids = named.map(({ id }) => id);
			const text = `is the name of several fields. Rename the column to one of them: ${joinNames(ids, 'or')}.`;
			throw invalidInput(text).at(column);
		}
		return named[0];
	}

	/** Returns the field that an everyday name means: "Kostenplaats" is the code of the cost center. A number is never an Id. */
	meantBy(column: string): FormField | undefined {
		const { lines, kind } = meaningOf(column);
		const meant = new Set(lines.flatMap((line) => this.#byLine.get(String(line)) ?? []));
		const all = [...meant].filter(({ label }) => !kind || meaningOf(label).kind === kind);
		// Who names a record alone means its main field.
		const main = all.filter(({ field }) => field.isKey === true || field.isShown === true);
		const [only, ...others] = main.length > 0 ? main : all;
		return others.length === 0 ? only : undefined;
	}

	/** The ids of the fields that columns are for. */
	readonly idsOf = onceFor(
		(columns: ReadonlySet<string>) =>
			new Set([...columns].map((name) => (this.find(name) ?? this.meantBy(name))?.id)),
	);

	/** Lists the names that a field's column can have. */
	namesOf(id: string): string {
		const { label = id, column = id } = this.fields.get(id) ?? {};
		const isClear = (name: string) =>
			name === id || this.#byName.get(columnKey(name))?.length === 1;
		return joinNames([...new Set([label, id, column].filter(isClear))], 'or');
	}

	/** @param columns those of all input items @throws {InputError} with each required value that is blank or has no column */
	requireValues(values: Values, columns: ReadonlySet<string>): void {
		collect(this.fields.values(), ({ id, path, field, isRequired }) => {
			const isOfGiven = isObject(valueAt(values, path.slice(0, -1)));
			const isNeeded = isRequired || (isOfGiven && field.required === true && !field.nillable);
			if (!isNeeded || isSet(valueAt(values, path))) return;
			if (this.idsOf(columns).has(id)) throw missing().at(path);
			const text = `is missing. Name a column ${this.namesOf(id)}.`;
			throw invalidInput(text, 'VALUE_REQUIRED').at(path);
		});
	}

	/**
	 * Returns the path to a value, from the request or from the id of a field, with the label of the field in place of
	 * the names of its elements. If a column of an item gives the value, the names follow the label.
	 */
	labelledPath(path: Path, isByColumn: boolean): Path {
		const row = path.findIndex((step) => typeof step === 'number');
		const names = path.slice(0, row < 0 ? undefined : row).map(String);
		for (let { length } = names; length > 0; length -= 1) {
			const outer = names.slice(0, length);
			const id = outer.join('.');
			const found = this.fields.get(`/${outer.join('/')}`) ?? this.fields.get(id);
			if (found === undefined) continue;
			const isSaid = found.label === id || found.label.endsWith(`(${id})`);
			const label = isByColumn && !isSaid ? `${found.label} (${id})` : found.label;
			return [label, ...path.slice(length)];
		}
		return names.length === 0 ? path : [names.map(words).join(' '), ...path.slice(names.length)];
	}
}

/** Returns the form of a request, or of a record in it. */
export const formOf = onceFor((fields: Fields) => new Form(formFields(fields)));

/** Returns what a cell says: nothing if it is blank, so that the field stays as it is, and an empty text if it is `""`. */
export function cellValue(value: unknown): unknown {
	const text = trimmed(value);
	if (text === '') return undefined;
	return text === '""' ? '' : value;
}

/**
 * Returns the path of the field that a column is exactly: by its name, by its id in the form, or as its dotted path,
 * also through records that are JSON in the form.
 */
function exactPath(fields: Fields, column: string): readonly string[] | undefined {
	if (Object.hasOwn(fields, column)) return [column];
	const inForm = formOf(fields).fields.get(column)?.path;
	const path = column.split('.');
	if (inForm !== undefined || path.length > LIMITS.depth) return inForm;
	let within = fields;
	for (const name of path.slice(0, -1)) {
		const field = ownEntry(within, name);
		if (field?.kind !== 'record') return undefined;
		within = field.fields;
	}
	return Object.hasOwn(within, path.at(-1) ?? '') ? path : undefined;
}

/** A value as text that is the same for `4100` and `"4100"`. */
export const comparable = (value: unknown): string =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);

/**
 * Returns the cells of an input item by the fields that its columns name; any other column keeps its name. If the
 * item lacks the only record of the request, its columns are also those of the record, so that an item
 * that one operation reads can be changed and written by another. A column is for one field: the one
 * whose path it is, else one by its label, and one of the request before one of the record. A blank cell is
 * `undefined`; what a cell says is left to {@link knownValues} with {@link cellValue}.
 *
 * @throws {InputError} with every column that names several fields, or contradicts another one
 */
export function automaticCells(request: Fields, item: Values): Values {
	const records = Object.entries(request).flatMap(([name, field]) =>
		field.kind === 'record' ? [{ fields: field.fields, outer: [name] }] : [],
	);
	const lacking = records.filter(({ outer: [name = ''] }) => !Object.hasOwn(item, name));
	const contents = [{ fields: request, outer: [] }, ...(records.length === 1 ? lacking : [])];
	const first = (find: (fields: Fields) => readonly string[] | undefined) => {
		for (const { fields, outer } of contents) {
			const path = find(fields);
			if (path !== undefined) return [...outer, ...path];
		}
		return undefined;
	};
	const named = collect(Object.entries(item), ([column, cell]) => {
		// What `""` stands for is left to the reader of the request: here, it would be blank afterwards.
		const value = cellValue(cell) === undefined ? undefined : cell;
		const isText = typeof value === 'number' || typeof value === 'string';
		const exact = first((fields) => {
			const path = exactPath(fields, column);
			const isRecord = ownEntry(fields, path?.[0] ?? '')?.kind === 'record';
			// A cell under the name of a record is its code.
			return path?.length === 1 && isRecord && isText ? undefined : path;
		});
		const path = exact ?? first((fields) => formOf(fields).find(column)?.path);
		return { column, value, path };
	});
	// What people call a field counts only where no column has its name, and "Medewerker" only beside no "Medewerker ID".
	const cells = named.map((cell) => {
		const meant = cell.path ? undefined : first((own) => formOf(own).meantBy(cell.column)?.path);
		return { ...cell, meant, isBare: meaningOf(cell.column).kind === '' };
	});
	const keyOf = (path: readonly string[] | undefined) => path?.join('/');
	const taken = new Set(named.map(({ path }) => keyOf(path)));
	const meantFully = new Set(cells.map(({ meant, isBare }) => (isBare ? undefined : keyOf(meant))));
	const placed = cells.map(({ column, value, path, meant, isBare }) => {
		const isTaken = taken.has(keyOf(meant)) || (isBare && meantFully.has(keyOf(meant)));
		// A number of an employee or a period must not contradict another one.
		const isKey = meant?.length === 1 && ownEntry(request, meant[0] ?? '')?.isKey === true;
		const isGiven = isKey && /^\d+$/.test(String(value));
		return { column, value, path: path ?? (meant && (isGiven || !isTaken) ? meant : [column]) };
	});
	const isOwn = ({ column, path }: (typeof placed)[number]) =>
		path.length === 1 && path[0] === column;
	const values = emptyValues();
	const set = setterOf(values);
	/** The column of each value. */
	const columns = new Map<string, string>();
	const ordered = [...placed.filter(isOwn), ...placed.filter((cell) => !isOwn(cell))];
	collect(ordered, ({ column, path, value }) => {
		const other = valueAt(values, path);
		const key = path.join('/');
		if (!isSet(other)) {
			// A record is not made of empty columns. A value around it that is no record is refused later.
			const isPlace = isSet(value) || isObject(valueAt(values, path.slice(0, -1)));
			if (isPlace) set(path, value);
			columns.set(key, column);
		} else if (isSet(value) && comparable(value) !== comparable(other)) {
			const otherColumn = truncate(columns.get(key) ?? path.join('.'));
			const text = `in the column '${truncate(column)}' contradicts ${formatValue(other)} in the column '${otherColumn}'.`;
			throw invalidValue(value, text).at(path);
		}
	});
	return values;
}
