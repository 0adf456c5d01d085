/**
 * The parameters of an operation that the service describes, as fields of n8n's resource mapper,
 * and the values that the builder maps to them.
 */
import type { ResourceMapperField } from 'n8n-workflow';
import { onceFor } from '../../contract/onceFor';
import {
	propertiesOf,
	sizeOf,
	WILDCARD,
	type RecordContent,
	type Field,
	type Fields,
	type RecordField,
} from '../../contract/fields';
import { at, collect, invalidInput, invalidValue, type Path } from '../../errors/InputError';
import { Columns, pathTexts, type ColumnField } from './columns';
import { words } from '../names';
import { parseJsonField } from '../requestValues';
import { inputOf, isJson, setValue } from '../../host/forms';
import { emptyValues, isObject, setterOf, type Values } from '../../values/values';
import {
	choiceNotes,
	distinctLabels,
	filledExample,
	jsonExample,
	noteOf,
	stepLabel,
} from './labels';

/** Maximum number of elements on the way to a field; what is deeper is given as JSON. */
const MAX_FLAT = 3;

/** Maximum number of fields of nested records; further records are given as JSON. */
const MAX_NESTED = 1000;

/** Maximum number of characters of all choices and examples in a form, which n8n stores with the workflow. */
const MAX_OFFERED = 2 ** 20;

/** A field of the form. */
export interface MappedField extends ColumnField {
	readonly field: Field;
	/** Whether it and all records that contain it are required, and it cannot be sent as nil. */
	readonly isRequired: boolean;
	/** What its label says about the alternatives that it, or a record around it, has. */
	readonly choiceNote: string;
}

/** Returns the parts of a record that can be fields of the form, also the place of other elements. */
function mappablePartsOf(content: RecordContent): Fields {
	const { required = false } = content.others ?? {};
	const others: Field = { kind: 'record', type: '', fields: {}, required };
	return { ...propertiesOf(content), ...(content.others && { [WILDCARD]: others }) };
}

/** Counts the {@link mappablePartsOf} a record. */
function countParts(content: RecordContent): number {
	return sizeOf(propertiesOf(content)) + (content.others ? 1 : 0);
}

/** Whether the fields of a record become fields of the form. */
function isFlat(field: Field, path: readonly string[]): field is RecordField {
	return (
		field.kind === 'record' &&
		path.length < MAX_FLAT &&
		field.isAbstract !== true &&
		(field.derived ?? []).length === 0 &&
		countParts(field) > 0
	);
}

/** Returns the fields of the form: nested records are flattened, except recursive ones. */
function flatFields(
	content: RecordContent,
	outer: readonly string[] = [],
	outerLabel = '',
	isRequired = true,
	outerNote = '',
	around: ReadonlyArray<RecordContent['fields']> = [],
	left = { fields: MAX_NESTED },
): MappedField[] {
	const within = [...around, content.fields];
	const noteOn = choiceNotes(outer, content);
	return Object.entries(mappablePartsOf(content)).flatMap(([name, field]) => {
		const path = [...outer, name];
		const label = `${outerLabel} ${stepLabel(name, field)}`.trim();
		const required = isRequired && field.required === true;
		const note = noteOn(name) || outerNote;
		const isLeafRequired = required && field.nillable !== true;
		const own = { field, isRequired: isLeafRequired, choiceNote: note };
		const unmapped = [{ path, label, ...own }];
		if (!isFlat(field, path) || within.includes(field.fields)) return unmapped;
		const count = countParts(field);
		if (count > left.fields) return unmapped;
		left.fields -= count;
		return flatFields(field, path, label, required, note, within, left);
	});
}

/** The fields of a form, in the operation's order: by id, and by the names of their columns. */
interface Form {
	readonly fields: ReadonlyMap<string, MappedField>;
	readonly columns: Columns<MappedField>;
}

/** Returns the form of a request or of a record in it. */
export const formOf = onceFor((content: RecordContent): Form => {
	const flat = flatFields(content);
	const paths = flat.map(({ path }) => path);
	const labels = distinctLabels(flat);
	const fields = flat.map((one, i) => ({ ...one, label: labels[i] ?? '' }));
	const ids = pathTexts(paths);
	return {
		fields: new Map(fields.map((one, i) => [ids[i] ?? '', one])),
		columns: new Columns(fields.filter(({ path }) => path.at(-1) !== WILDCARD)),
	};
});

/**
 * Returns the fields of n8n's resource mapper for an operation's request, in the operation's order.
 * Required fields are shown, the builder adds the others as needed. Its form cuts long
 * labels, and shows no description of such a field: a record or list that is given as JSON is filled
 * with its example when it is added, see {@link mappedValues}.
 *
 * A field has no default value that lets an AI model define it: n8n stores these fields in the node,
 * and would ask the model for each of them, also for those that the builder sets or does not add.
 *
 * Many fields may have the same choices or the same example. Beyond {@link MAX_OFFERED}, fields have
 * none: their labels name the first choices.
 *
 * @param isTool whether the node is a tool of an AI agent
 */
export function mapperFields(request: RecordContent, isTool: boolean): ResourceMapperField[] {
	let left = MAX_OFFERED;
	const offered = <T>(make: () => T): T | undefined => {
		if (left < 0) return undefined;
		const part = make();
		left -= JSON.stringify(part).length;
		return left < 0 ? undefined : part;
	};
	return [...formOf(request).fields].map(([id, { field, label, isRequired, choiceNote: note }]) => {
		const input = inputOf(field, isTool);
		const names = input === 'options' && field.kind === 'enumeration' ? field.values : undefined;
		const options = names && offered(() => names.map((value) => ({ name: words(value), value })));
		const type = names && !options ? 'string' : input;
		const example = offered(() => jsonExample(field)) ?? {};
		// n8n's own nodes put a file into the field `data`.
		const filled = field.kind === 'base64Binary' ? 'data' : filledExample(example);
		const defaultValue = isTool ? undefined : filled;
		return {
			id,
			displayName: `${label}${note}${noteOf(field, isTool || type !== input, example)}`,
			type,
			...(defaultValue !== undefined && { defaultValue }),
			...(options && { options }),
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
		: [names.map((name) => stepLabel(name)).join(' '), ...path.slice(names.length)];
}

/** The value of a field as the writer takes it; `undefined` if it is not set. */
function givenValue(field: Field, given: unknown): unknown {
	const { kind } = field;
	const value = setValue(given, kind === 'string');
	if (typeof value !== 'string' || kind === 'string') return value;
	if (kind === 'tokens' && !value.trim().startsWith('[')) return value.trim().split(/\s+/);
	if (!isJson(field)) return value;
	if (value === filledExample(jsonExample(field))) {
		throw invalidInput(
			'is still the example of the form. Replace it with your values, or remove the field.',
		);
	}
	return parseJsonField(value);
}

/**
 * Returns the request that the builder's values make.
 *
 * @param given values by the ids of {@link mapperFields}; `null` if a field is empty
 * @returns values by element name; not yet validated
 * @throws {InputError} with every value that is not valid JSON or still the example of the form, and
 * every name that the operation does not have
 */
export function mappedValues(request: RecordContent, given: Values): Values {
	const { fields } = formOf(request);
	const values = emptyValues();
	const set = setterOf(values);
	collect(Object.entries(given), ([id, value]) => {
		if (setValue(value, true) === undefined) return;
		at(id, () => {
			const mapped = fields.get(id);
			if (mapped === undefined) {
				throw invalidInput(
					'is not a parameter of the operation. Open the node to update its parameters.',
				);
			}
			const own = givenValue(mapped.field, value);
			if (own === undefined) return;
			if (mapped.path.at(-1) !== WILDCARD) return set(mapped.path, own);
			if (!isObject(own)) throw invalidValue(own, 'is not an object with element names.');
			const outer = mapped.path.slice(0, -1);
			for (const [name, other] of Object.entries(own)) set([...outer, name], other);
		});
	});
	return values;
}
