/** What an AI model reads as the answer of a tool: each character costs, and its context is limited. */
import type { IDataObject } from 'n8n-workflow';
import { beginning, readable } from '../errors/words';
import { withoutFiles } from '../values/text';
import { isObject } from '../values/values';

/** What a person looks at in a dry run: the model has its changes as lines of text. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['envelope', 'request']);

/** Returns the record of a write, or of its dry run, without what only a person looks at. */
export function briefRecord(record: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(record).filter(([name]) => !FOR_PEOPLE.has(name)));
}

/** Most characters of an answer, beside what is said of the rest, and those of `null` and a comma. */
const MAX_ANSWER = 19_500;
const NOTHING = 5;

/** Characters of a text in JSON, with the sign after it. */
const lengthOf = (text: string): number => JSON.stringify(text).length + 1;

/** The values of a record by their paths: `{ CostCenter: { Code: '4100' } }` → `CostCenter.Code`. */
export function* cellsOf(record: object, outer = ''): Generator<[string, unknown]> {
	for (const [name, value] of Object.entries(record)) {
		if (isObject(value)) yield* cellsOf(value, `${outer}${name}.`);
		else yield [outer + name, value];
	}
}

/** Whether a field is one of those, or is in one: `CostCenter.Code` is in `CostCenter`. */
function isSelected(name: string, fields: ReadonlySet<string> | undefined): boolean {
	if (fields === undefined || fields.has(name)) return true;
	const end = name.lastIndexOf('.');
	return end > 0 && isSelected(name.slice(0, end), fields);
}

/** An answer that is cut while it is made, so that a large one takes no memory or time. */
class Answer {
	left = MAX_ANSWER;
	/** How many values are cut or left out. */
	private cut = 0;

	/** Returns a value as far as there is room for it. */
	fit(value: unknown): unknown {
		if (typeof value === 'string') {
			const text = readable(withoutFiles(value));
			const { left } = this;
			this.left -= text.length > left ? left : Math.min(left, lengthOf(text));
			if (this.left > 0) return text;
			this.cut += 1;
			// In JSON, a control character takes six.
			return `${beginning(text, Math.floor(left / 6))}…`;
		}
		if (!isObject(value) && !Array.isArray(value)) {
			this.left -= String(value).length + 1;
			return value;
		}
		this.left -= 3;
		const entries = Object.entries(value);
		const kept: Array<[string, unknown]> = [];
		for (const [name, inner] of entries) {
			const length = Array.isArray(value) ? 0 : lengthOf(name);
			if (this.left <= length + NOTHING) {
				this.cut += entries.length - kept.length;
				break;
			}
			this.left -= length;
			kept.push([readable(name), this.fit(inner)]);
		}
		return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
	}

	/** Returns the columns and rows of records, without those columns that are in each row the same. */
	table(
		records: readonly IDataObject[],
		beside: IDataObject,
		fields?: ReadonlySet<string>,
	): IDataObject {
		const columns: string[] = [];
		const places = new Map<string, number>();
		const rows: unknown[][] = [];
		for (const record of records) {
			const row: unknown[] = [];
			const { cut } = this;
			let isFull = false;
			this.left -= 3 + NOTHING * columns.length;
			for (const [name, value] of cellsOf(record)) {
				// Whatever else a long name has to do takes time.
				if (isFull) this.cut += 1;
				if (isFull || Object.hasOwn(beside, name) || !isSelected(name, fields)) continue;
				// A new column has no value in the rows before.
				const cost = places.has(name) ? -NOTHING : lengthOf(name) + NOTHING * rows.length;
				isFull = this.left <= Math.max(cost, 0);
				if (isFull) {
					this.cut += 1;
					continue;
				}
				this.left -= cost;
				const place = places.get(name) ?? columns.push(readable(name)) - 1;
				places.set(name, place);
				row[place] = this.fit(value ?? null);
			}
			isFull ||= this.left <= 0;
			if (!isFull || rows.length === 0) rows.push(row);
			else this.cut = cut;
			if (isFull) break;
		}
		return {
			columns,
			rows: rows.map((row) => columns.map((_, place) => row[place] ?? null)),
			...this.rest(records.length - rows.length),
		} as IDataObject;
	}

	/** Says what is left out, and how to read it. @param records how many of them */
	rest(records = 0): IDataObject {
		const what = [records > 0 && `${records} more records`, this.cut > 0 && `${this.cut} values`];
		const text = what.filter(Boolean).join(' and ');
		if (text === '') return {};
		return {
			leftOut: `${text}, since an answer has at most 20000 characters. Ask for less at once: for one employee, company or period, or with a smaller limit.`,
		};
	}
}

/** Returns the records of a write, as far as a model reads them. */
export function briefRecords(records: readonly IDataObject[]): readonly IDataObject[] {
	const answer = new Answer();
	const shown: IDataObject[] = [];
	for (const record of records) {
		if (answer.left <= 0) return [...shown, answer.rest(records.length - shown.length)];
		const fitted = answer.fit(briefRecord(record)) as IDataObject;
		shown.push({ ...fitted, ...answer.rest() });
	}
	return shown;
}

/**
 * Returns records as a table, in which the names of columns stand once, after the keys of the call. A single
 * record stays as it is, unless the builder selected fields.
 */
export function tableOf(
	keys: IDataObject,
	records: readonly IDataObject[],
	leftOut: IDataObject | undefined,
	fields: ReadonlySet<string> | undefined,
): IDataObject {
	const answer = new Answer();
	const [first] = records;
	if (first !== undefined && records.length === 1 && leftOut === undefined && !fields) {
		const fitted = answer.fit(first) as IDataObject;
		return { ...fitted, ...answer.rest() };
	}
	const shared = Object.entries(keys).filter(([name, value]) => {
		return records.every((record) => record[name] === value);
	});
	const beside = answer.fit(Object.fromEntries(shared)) as IDataObject;
	return { ...beside, ...answer.table(records, beside, fields), ...leftOut };
}
