/** Where in a request something is: whom it is about, and which field, in the form's words. */
import type { Fields } from '../contract/fields';
import { ITEM } from './items';
import { label, words } from './names';
import { requestList } from './properties';

/** Whom and when a call is about, for example "Employee ID 1001, Period 6, Year 2026". */
export function keysInWords(request: Fields, keys: Readonly<Record<string, unknown>>): string {
	return Object.entries(keys)
		.map(([name, value]) => {
			const field = Object.hasOwn(request, name) ? request[name] : undefined;
			return `${field === undefined ? name : label(name, field)} ${String(value)}`;
		})
		.join(', ');
}

/** The labels of the elements along a path; `undefined` where the contract does not know one. */
function labelsAlong(
	fields: Fields,
	[name = '', ...inner]: readonly string[],
): string[] | undefined {
	const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
	if (field === undefined) return undefined;
	if (inner.length === 0) return [label(name, field)];
	const labels = field.kind === 'record' ? labelsAlong(field.fields, inner) : undefined;
	return labels && [label(name, field), ...labels];
}

/** The fields that the form shows together with an element of the request, or in an input item. */
function fieldsIn(request: Fields, name: string): Fields | undefined {
	const field = Object.hasOwn(request, name) ? request[name] : undefined;
	if (field?.kind === 'record') return field.fields;
	if (field?.kind === 'list') return field.of.fields;
	if (field !== undefined || name !== ITEM) return undefined;
	return { ...request, ...requestList(request)?.list.of.fields };
}

/**
 * The form's label of an element, by its path in messages (`CostCenteren[2].Kostensoort.Code`, or
 * `items[2].Kostensoort.Code` where rows are input items).
 *
 * @returns `undefined` where the element has no other name in the form, or does not stand there
 */
export function labelOf(request: Fields, path: string): string | undefined {
	const names = path.replace(/\[\d+\]/g, '').split('.');
	const [first = '', ...inner] = names;
	const group = inner.length > 0 ? fieldsIn(request, first) : undefined;
	const shown = group === undefined ? names : inner;
	const text = labelsAlong(group ?? request, shown)?.join(' ');
	return text === words(shown.join('')) ? undefined : text;
}
