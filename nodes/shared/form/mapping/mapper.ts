/** n8n's resource mapper: a request as its fields, and what a builder maps to them as the values of a request. */
import { type FieldType, isExpression, type ResourceMapperField } from 'n8n-workflow';
import { type Field, type Fields, isScalar, onceFor } from '../../contract/fields';
import { requestRows, subjectOf } from '../../contract/operation';
import { collect, invalidInput } from '../../values/InputError';
import { truncate } from '../../errors/words';
import { AUTOMATIC } from '../../host/nodes';
import { fromPaths, isObject, isSet, ownEntry, type Values } from '../../values/values';
import { columnsOf, exampleOf, formFields, rowsOfItems, words } from '../fields';
import type { InputItem } from '../inputItem';
import { parseJsonField } from '../requestValues';
import { formOf } from './columns';

/**
 * The inputs of n8n's resource mapper. Any other kind is a text, also a number: n8n's input for numbers drops a
 * decimal comma, so that "4,5" becomes 45, and rounds what JavaScript cannot hold.
 */
const INPUTS: Partial<Record<Field['kind'], FieldType>> = {
	any: 'object',
	boolean: 'boolean',
	date: 'dateTime',
	dateTime: 'dateTime',
	list: 'array',
	record: 'object',
	repeated: 'array',
};

/** What n8n evaluates, and what it renders as HTML in the message about an invalid value. */
const EVALUATED_OR_HTML = /^=|<[a-z!/]/i;

/** A field of the input item, as the editor writes it when a column is dragged into a field. */
const COLUMN = /^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[(["'])((?:(?!\2)[^\\\n])*)\2\])\s*\}\}$/;

/** Nobody chooses from more names, and n8n would store them with the workflow: they become a text. */
const MAX_OPTIONS = 500;

const EXAMPLE_FIELDS = 3;

/** How a label names the kinds of numbers. */
const NUMBERS: Partial<Record<Field['kind'], string>> = {
	decimal: 'decimal number',
	float: 'decimal number',
	int: 'whole number',
	integer: 'whole number',
};

/** Returns why a JSON field is sent as given, if its type is not supported; and its example, which fills its input if it has records. */
function jsonExample(field: Field) {
	const { of } = field.kind === 'repeated' ? field : { of: field };
	const unsupported = of.kind === 'any' ? of.unsupported : undefined;
	const example = unsupported === undefined ? exampleOf(field, EXAMPLE_FIELDS) : {};
	const text = JSON.stringify(example, null, 2);
	const filled = text.includes('":') ? text : undefined;
	return { unsupported, short: JSON.stringify(example), filled };
}

/**
 * Returns the fields of n8n's resource mapper for a request. Required fields are shown, the builder adds the others.
 * n8n cuts long labels, and shows no description of such a field: `ParameterInputFull` in `MappingFields.vue` of its
 * editor. So a record or list that is given as JSON is filled with its example when it is added. In a tool, the
 * label says more about the values: n8n passes an AI model the label as the name of its argument, and nothing else.
 *
 * A field has no default value that lets an AI model define it: n8n stores these fields in the node,
 * and would ask the model for each of them, also for those that the builder sets or does not add.
 */
export function mapperFields(request: Fields, isTool: boolean): ResourceMapperField[] {
	return formFields(request).map(({ id, field, label, isRequired }) => {
		// n8n evaluates a choice that begins with "=" as an expression: `getParameterValue` in `expression.ts` of
		// n8n-workflow. A drop-down list has no button that lets a model define its value.
		const names = field.kind === 'enumeration' ? field.values : [];
		const canBeList =
			!isTool && names.length > 0 && !names.some((name) => EVALUATED_OR_HTML.test(name));
		const isList = canBeList && names.length <= MAX_OPTIONS;
		let note = '';
		let filled: string | undefined;
		if (!isScalar(field)) {
			const { unsupported, short, filled: text } = jsonExample(field);
			const isElsewhere = short === '{}' || (!isTool && text !== undefined);
			const example = isElsewhere ? '' : `, e.g. ${truncate(short)}`;
			note = `JSON${unsupported === undefined ? example : `, sent unchanged: ${unsupported}`}`;
			filled = text;
		} else if (field.kind === 'base64Binary') {
			// n8n's own nodes put a file into the field `data`.
			[note, filled] = ['binary field, or base64', 'data'];
		} else if (isTool || (canBeList && !isList)) {
			const choices = names
				.slice(0, 40)
				.map((name) => truncate(name))
				.join(', ');
			const isTemporal = ['date', 'dateTime', 'time'].includes(field.kind);
			const example = isTemporal ? `e.g. ${String(exampleOf(field))}` : '';
			note = NUMBERS[field.kind] ?? (truncate(choices) || example);
		}
		return {
			id,
			displayName: note === '' ? label : `${label} (${note})`,
			type: isList ? 'options' : (INPUTS[field.kind] ?? 'string'),
			...(!isTool && filled !== undefined && { defaultValue: filled }),
			...(isList && { options: names.map((value) => ({ name: words(value), value })) }),
			defaultMatch: false,
			required: isRequired,
			display: true,
			removed: !isRequired,
		};
	});
}

/** Returns the fields of n8n's resource mapper for the rows of a request. The builder adds those that are not always shown. */
export function rowFields(request: Fields): ResourceMapperField[] {
	const { fields, matchOn } = requestRows(request) ?? { fields: {}, matchOn: [] };
	const [first, ...others] = matchOn.map((path) => path.join('.'));
	return mapperFields(fields, false).map((field) => {
		const isSubject = field.id === subjectOf(request);
		const isDefault = field.id === first;
		const isShown = isSubject || isDefault || formOf(fields).fields.get(field.id)?.field.isShown;
		return {
			...field,
			required: isSubject,
			removed: !isShown,
			defaultMatch: isDefault,
			canBeUsedToMatch: isDefault || others.includes(field.id),
		};
	});
}

/** Returns the path of the field that finds the record of a row; `undefined` if the builder chose no rows, or none. */
export function matchedPath(request: Fields, item: InputItem): readonly string[] | undefined {
	const rows = rowsOfItems(item, request);
	if (rows === undefined) return undefined;
	const [chosen] = [item.readShared(`${columnsOf(rows.name)}.matchingColumns`, [])].flat();
	return rows.matchOn.find((path) => path.join('.') === chosen);
}

/**
 * The column that each field is mapped to, such as `Name` for `={{ $json.Name }}` and `={{ $json['Name'] }}`;
 * `undefined` if an expression does more than name one.
 */
const columnsIn = onceFor((stored: Values) => {
	const columns = new Map<string, string>();
	for (const [id, value] of Object.entries(stored)) {
		if (!isExpression(value)) continue;
		const [, name, , column = name] = COLUMN.exec(value) ?? [];
		if (column === undefined) return undefined;
		columns.set(id, column);
	}
	return columns;
});

/**
 * Reads what the builder mapped to fields, as stored and as it is for an input item. Where columns are found by
 * their names, the item itself is given. `mode` applies if the builder stored none.
 */
export function readMapper(item: InputItem, name: string, mode = '') {
	const { json } = item;
	if (item.readShared(`${name}.mappingMode`, mode) === AUTOMATIC) {
		return { isAutomatic: true, stored: {} as Values, given: json as Values };
	}
	const { value } = Object(item.stored(name)) as { value?: unknown };
	const stored = Object(value) as Values;
	const columns = columnsIn(stored);
	// n8n takes a tenth of a millisecond for each expression.
	if (columns === undefined) {
		// With its checks, n8n would evaluate the schema that it stores with the values as expressions, and convert
		// dates: `validateResourceMapperValue` in `validate-value-against-schema.ts` of n8n-core.
		const read = item.read(`${name}.value`, {}, { skipValidation: true });
		return { isAutomatic: false, stored, given: isObject(read) ? read : {} };
	}
	const given = Object.entries(stored).map(([id, value]) => {
		const column = columns.get(id);
		return [id, column === undefined ? value : ownEntry(json, column)];
	});
	return { isAutomatic: false, stored, given: Object.fromEntries(given) as Values };
}

/**
 * Returns the request that values by the ids of the fields make. They are not checked.
 *
 * @throws {InputError} with every value that is malformed JSON or still the example of the form, and every unknown id
 */
export function mappedValues(request: Fields, given: Values): Values {
	const outdated = 'is not a parameter of the operation. Open the node to update its parameters.';
	const unchanged =
		'is still the example of the form. Replace it with your values, or remove the field.';
	const values = collect(
		Object.entries(given).filter(([, value]) => isSet(value)),
		([id, value]): readonly [readonly string[], unknown] => {
			const known = formOf(request).fields.get(id);
			if (known === undefined) throw invalidInput(outdated);
			const { path, field } = known;
			// n8n stores `''` for a cleared field.
			if (value === '' && field.kind !== 'string') return [path, undefined];
			if (typeof value !== 'string' || isScalar(field)) return [path, value];
			if (value === jsonExample(field).filled) throw invalidInput(unchanged);
			return [path, parseJsonField(value)];
		},
		([id]) => id,
	);
	return fromPaths(values);
}
