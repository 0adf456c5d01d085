/**
 * A request or a record as fields of n8n's resource mapper: by their ids, and by the names that people give their
 * columns.
 */
import type { ResourceMapperField } from 'n8n-workflow';
import {
	type Field,
	type Fields,
	onceFor,
	type RecordContent,
	sizeOf,
} from '../../contract/fields';
import { invalidInput, type Path } from '../../errors/InputError';
import { distinct, joinNames, truncate } from '../../errors/words';
import { inputOf, isJson } from '../../host/forms';
import { groupedBy } from '../../values/values';
import { columnName, label as labelOf, words } from '../names';
import { exampleOf } from '../requestForm';
import { meaningOf } from '../words';

/** Maximum number of elements on the way to a field; what is deeper is given as JSON. */
const MAX_FLAT = 3;

/** Maximum number of fields of nested records; further records are given as JSON. */
const MAX_NESTED = 1000;

/** Nobody chooses from more names, and n8n would store them with the workflow: they become a text. */
const MAX_OPTIONS = 500;

/** Fields of each record in an example. */
const EXAMPLE_FIELDS = 3;

/** The kinds whose notation an example shows. */
const TEMPORAL: readonly string[] = ['date', 'dateTime', 'time'];

/** How a label names the kinds of numbers. */
const NUMBERS: Partial<Record<Field['kind'], string>> = {
	decimal: 'decimal number',
	float: 'decimal number',
	int: 'whole number',
	integer: 'whole number',
};

/** A field of the form. */
export interface MappedField {
	/** Its dotted path, or `/A.B/C` if a dot in the name of an element makes two of them the same. */
	readonly id: string;
	/** Its element names, from the outermost element. */
	readonly path: readonly string[];
	readonly label: string;
	readonly field: Field;
	/** Whether it and all records that contain it are required, and it cannot be sent as nil. */
	readonly isRequired: boolean;
}

/**
 * A name without regard to case and blanks: "Employee ID", `employeeId` and `EmployeeId` are the
 * same. `id` is not `Id`: tables give each row an `id` of their own.
 */
function columnKey(name: string): string {
	const key = name.toLowerCase().replace(/\s/g, '');
	return key === 'id' ? name : key;
}

/** The fields of a request, or of a record in it. */
class Form {
	/** By id, in their order. */
	readonly fields: ReadonlyMap<string, MappedField>;
	/** By what names their columns: the label, the dotted path, and the column name of Simplify. */
	readonly #byName: ReadonlyMap<string, ReadonlyArray<{ readonly field: MappedField }>>;
	/** By the lines of the table of words that their labels have. */
	readonly #byLine: ReadonlyMap<
		string,
		ReadonlyArray<{ readonly field: MappedField; readonly kind: string }>
	>;

	constructor(fields: readonly MappedField[]) {
		this.fields = new Map(fields.map((field) => [field.id, field]));
		const named = fields.flatMap((field) => {
			const keys = new Set([field.id, field.path.join('.'), field.label].map(columnKey));
			return [...keys].map((key) => ({ key, field }));
		});
		this.#byName = groupedBy(named, ({ key }) => key);
		const meant = fields.flatMap((field) => {
			const { lines, kind } = meaningOf(field.label);
			return lines.map((line) => ({ line, field, kind }));
		});
		this.#byLine = groupedBy(meant, ({ line }) => String(line));
	}

	/**
	 * Returns the field that a column is for; `undefined` if there is none. One that is exactly an id is for that field.
	 *
	 * @throws {InputError} if there are several
	 */
	find(column: string): MappedField | undefined {
		const exact = this.fields.get(column);
		const named = this.#byName.get(columnKey(column)) ?? [];
		if (exact === undefined && named.length > 1) {
			const ids = named.map(({ field }) => field.id);
			const text = `is the name of several fields. Rename the column to one of them: ${joinNames(ids, 'or')}.`;
			throw invalidInput(text).at(column);
		}
		return exact ?? named[0]?.field;
	}

	/**
	 * Returns the field that a column means by what people call it: "Kostenplaats" is the code of the cost center.
	 * The number of an employee is not the identifier.
	 */
	meantBy(column: string): MappedField | undefined {
		const { lines, kind } = meaningOf(column);
		const meant = lines.flatMap((line) => this.#byLine.get(String(line)) ?? []);
		const fitting = meant.filter((own) => kind === '' || own.kind === kind);
		const all = [...new Set(fitting.map(({ field }) => field))];
		// Who names a record alone means its main field.
		const main = all.filter(({ field }) => field.isKey === true || field.isShown === true);
		const [only, ...others] = main.length > 0 ? main : all;
		return others.length === 0 ? only : undefined;
	}

	/** Lists the names that a field's column can have. */
	namesOf({ path, label, id }: MappedField): string {
		const text = id.startsWith('/') ? id : path.join('.');
		const names = [label, text, columnName(label)].filter(
			(name) => name === text || this.#byName.get(columnKey(name))?.length === 1,
		);
		return joinNames([...new Set(names)], 'or');
	}
}

/**
 * Returns the form of a request or of a record in it. Nested records are flattened, except recursive ones. No two
 * fields have the same label: "Employee ID (EmployeeId)" and "Employee ID (Employee.Id)".
 */
export const formOf = onceFor((content: RecordContent): Form => {
	let left = MAX_NESTED;
	const flatten = (
		fields: Fields,
		outer: Pick<MappedField, 'path' | 'label' | 'isRequired'>,
		around: readonly Fields[],
	): Array<Omit<MappedField, 'id'>> =>
		Object.entries(fields).flatMap(([name, field]) => {
			const path = [...outer.path, name];
			const label = `${outer.label} ${labelOf(name, field)}`.trim();
			const isRequired = outer.isRequired && field.required === true;
			const own = { path, label, field, isRequired: isRequired && field.nillable !== true };
			if (field.kind !== 'record' || path.length >= MAX_FLAT) return [own];
			const count = sizeOf(field.fields);
			const within = [...around, fields];
			if (count === 0 || count > left || within.includes(field.fields)) return [own];
			left -= count;
			return flatten(field.fields, { path, label, isRequired }, within);
		});
	const flat = flatten(content.fields, { path: [], label: '', isRequired: true }, []);
	const ids = distinct(
		flat.map(({ path }) => path.join('.')),
		(_, i) => `/${flat[i]?.path.join('/')}`,
	);
	// n8n names the argument of a tool by the letters and digits of the label.
	const given = flat.map(({ label }, i) =>
		ids[i]?.startsWith('/') ? `${label} (field ${i + 1})` : label,
	);
	const labels = distinct(given, (label, i) => `${label} (${ids[i]})`);
	return new Form(flat.map((own, i) => ({ ...own, id: ids[i] ?? '', label: labels[i] ?? '' })));
});

/** Returns why a JSON field is sent as given, if its type is not supported; and its example, which fills its input if it has records. */
export function jsonExample(field: Field) {
	const { of } = field.kind === 'repeated' ? field : { of: field };
	const unsupported = of.kind === 'any' ? of.unsupported : undefined;
	const example = unsupported === undefined ? exampleOf(field, EXAMPLE_FIELDS) : {};
	const text = JSON.stringify(example, null, 2);
	const filled = text.includes('":') ? text : undefined;
	return { unsupported, short: JSON.stringify(example), filled };
}

/**
 * Returns the fields of n8n's resource mapper for an operation's request, in the operation's order.
 * Required fields are shown, the builder adds the others as needed. Its form cuts long
 * labels, and shows no description of such a field: a record or list that is given as JSON is filled
 * with its example when it is added, see {@link mappedValues}. In a tool, the label says more about the values:
 * n8n passes an AI model the label of a field as the name of its argument, and nothing else.
 *
 * A field has no default value that lets an AI model define it: n8n stores these fields in the node,
 * and would ask the model for each of them, also for those that the builder sets or does not add.
 *
 * @param isTool whether the node is a tool of an AI agent
 */
export function mapperFields(request: RecordContent, isTool: boolean): ResourceMapperField[] {
	return [...formOf(request).fields].map(([id, { field, label, isRequired }]) => {
		const input = inputOf(field, isTool);
		const names = field.kind === 'enumeration' ? field.values : [];
		const isChoice = input === 'options' && names.length > 0 && names.length <= MAX_OPTIONS;
		const isTooLong = input === 'options' && !isChoice;
		let note = '';
		let filled: string | undefined;
		if (isJson(field)) {
			const { unsupported, short, filled: text } = jsonExample(field);
			const isElsewhere = short === '{}' || (!isTool && text !== undefined);
			const example = isElsewhere ? '' : `, e.g. ${truncate(short)}`;
			note = `JSON${unsupported === undefined ? example : `, sent unchanged: ${unsupported}`}`;
			filled = text;
		} else if (field.kind === 'base64Binary') {
			// n8n's own nodes put a file into the field `data`.
			[note, filled] = ['binary field, or base64', 'data'];
		} else if (isTool || isTooLong) {
			const choices = names
				.slice(0, 40)
				.map((name) => truncate(name))
				.join(', ');
			const example = TEMPORAL.includes(field.kind) ? `e.g. ${String(exampleOf(field))}` : '';
			note = NUMBERS[field.kind] ?? (truncate(choices) || example);
		}
		return {
			id,
			displayName: note === '' ? label : `${label} (${note})`,
			type: isTooLong ? 'string' : input,
			...(!isTool && filled !== undefined && { defaultValue: filled }),
			...(isChoice && { options: names.map((value) => ({ name: words(value), value })) }),
			defaultMatch: false,
			required: isRequired,
			display: true,
			removed: !isRequired,
		};
	});
}

/**
 * Returns the path to a value with the label of its field in place of the names of its elements.
 *
 * @param path from the request, or from the id of a field
 * @param isByColumn whether a column of an item gives the value: the label is followed by its path
 */
export function labelledPath(request: RecordContent, path: Path, isByColumn: boolean): Path {
	const { fields } = formOf(request);
	const row = path.findIndex((step) => typeof step === 'number');
	const names = path.slice(0, row < 0 ? undefined : row).map(String);
	for (let { length } = names; length > 0; length -= 1) {
		const outer = names.slice(0, length);
		const id = outer.join('.');
		const found = fields.get(`/${outer.join('/')}`) ?? fields.get(id);
		if (found === undefined) continue;
		const label = isByColumn && found.label !== id ? `${found.label} (${id})` : found.label;
		return [label, ...path.slice(length)];
	}
	return names.length === 0
		? path
		: [names.map((name) => words(name)).join(' '), ...path.slice(names.length)];
}
