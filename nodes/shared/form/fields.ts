/** The fields of a request or a record as the form has them: flattened, each with a label and names of its own. */
import {
	type Field,
	type Fields,
	isScalar,
	onceFor,
	type ScalarField,
	sizeOf,
} from '../contract/fields';
import { groupedBy } from '../values/values';
import { columnName, label as labelOf, parameterName } from './names';

/** Maximum number of elements on the way to a field; what is deeper is given as JSON. */
const MAX_FLAT = 3;

/** Maximum number of fields of nested records; further records are given as JSON. */
const MAX_NESTED = 1000;

/** A field of the form. */
export interface FormField<F extends Field = Field> {
	/** Its dotted path, or `/A.B/C` if a dot in the name of an element makes two of them the same. */
	readonly id: string;
	/** Its element names, from the outermost element. */
	readonly path: readonly string[];
	readonly label: string;
	readonly field: F;
	/** Whether it and all records that contain it are required, and it cannot be sent as nil. */
	readonly isRequired: boolean;
	readonly parameter: string;
	/** Name of its column in a simplified record. */
	readonly column: string;
}

/** Returns what tells whether a text is in a list several times. */
function repeatedIn(texts: readonly string[]): (text: string) => boolean {
	const groups = groupedBy(texts, (text) => text);
	return (text) => groups.get(text)?.length !== 1;
}

/**
 * Returns the fields of a request or a record, in the contract's order. Nested records are flattened, except
 * recursive ones. No two fields have the same label: "Employee ID (EmployeeId)" and "Employee ID (Employee.Id)".
 */
export const formFields = onceFor((content: Fields): readonly FormField[] => {
	let left = MAX_NESTED;
	type Flat = Pick<FormField, 'path' | 'label' | 'isRequired' | 'field'>;
	const flatten = (fields: Fields, outer: Omit<Flat, 'field'>, around: readonly Fields[]): Flat[] =>
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
	const flat = flatten(content, { path: [], label: '', isRequired: true }, []);
	const isSharedId = repeatedIn(flat.map(({ path }) => path.join('.')));
	const named = flat.map(({ path, label, ...own }, i) => {
		const id = path.join('.');
		if (!isSharedId(id)) return { ...own, path, id, label };
		// n8n names the argument of a tool by the letters and digits of the label.
		return { ...own, path, id: `/${path.join('/')}`, label: `${label} (field ${i + 1})` };
	});
	const isSharedLabel = repeatedIn(named.map(({ label }) => label));
	return named.map((own) => {
		const label = isSharedLabel(own.label) ? `${own.label} (${own.id})` : own.label;
		return { ...own, label, parameter: parameterName(...own.path), column: columnName(label) };
	});
});

/** Returns those that hold a single text on the wire. */
export const formScalars = onceFor((fields: Fields) =>
	formFields(fields).filter((own): own is FormField<ScalarField> => isScalar(own.field)),
);
