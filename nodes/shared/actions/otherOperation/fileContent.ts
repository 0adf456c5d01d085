/** Where the content of a file is in the items of an answer. */
import {
	propertiesOf,
	WILDCARD,
	type Field,
	type RecordContent,
	type RecordField,
} from '../../contract/fields';
import { resultField, type Operation } from '../../contract/operation';
import { fileUnreadable } from '../../errors/answerErrors';
import { invalidInput } from '../../errors/InputError';
import { joinNames } from '../../errors/words';
import { isObject, isSet, ownEntry, type Values } from '../../values/values';
import { formOf } from '../../form/mapping/mapper';

/** The element with the content of a file, within each item. */
export interface Place {
	/** Empty for the only element of an item that the description does not have. */
	readonly path: readonly string[];
	/** Its type; `undefined` if the description does not have it. */
	readonly field: Field | undefined;
}

/** What is in an item: a record, or the elements of the answer. */
type ItemContent = Pick<Partial<RecordField>, 'derived' | 'isAbstract'> & RecordContent;

/** The kinds of elements that can hold a file. */
const TEXTS: ReadonlySet<string> = new Set(['any', 'base64Binary', 'string']);

const isList = ({ kind }: Field): boolean => kind === 'list' || kind === 'repeated';

const listed = (name: string): string =>
	`${name} leads to a list, and a file is in one record: use an operation that gives the list itself, or n8n's Split Out.`;

function contentOf(operation: Operation): ItemContent {
	const result = resultField(operation);
	if (result === undefined) return operation.response;
	const [, field] = result;
	const of = field.kind === 'list' || field.kind === 'repeated' ? field.of : field;
	return of.kind === 'record' ? of : { fields: { [field.property ?? 'Result']: of } };
}

/** Finds the only element of the type base64Binary; if there is none, the only element. */
function onlyPlace(content: ItemContent): Place {
	const isUnknown = Object.keys(content.fields).length === 0 && content.others !== undefined;
	if (isUnknown) return { path: [], field: undefined };
	const all = [...formOf(content).fields.values()].filter(({ path }) => path.at(-1) !== WILDCARD);
	const files = all.filter(({ field }) => field.kind === 'base64Binary');
	const found = files.length > 0 ? files : all;
	if (found[0] !== undefined && found.length === 1) return found[0];
	const known = joinNames(found.map(({ path }) => path.join('.'))) || 'none';
	throw invalidInput(`is empty, and the file may be in several elements. Enter one: ${known}.`);
}

/** @returns the type of the element at a path; `undefined` if the description does not have it */
function fieldAt(
	content: ItemContent,
	[name = '', ...inner]: readonly string[],
): Field | undefined {
	const field = ownEntry(propertiesOf(content), name);
	if (field === undefined) {
		if (content.others ?? content.derived ?? content.isAbstract) return undefined;
		const known = joinNames(Object.keys(propertiesOf(content))) || 'none';
		throw invalidInput(`cannot be used: there is no '${name}' in the result. It has: ${known}.`);
	}
	const isEnd = inner.length === 0 || field.kind === 'any' || isList(field);
	return isEnd ? field : fieldAt(field.kind === 'record' ? field : { fields: {} }, inner);
}

/**
 * Finds the content of a file in the description of an operation.
 *
 * @param given dotted path below each item; empty if the content is to be found
 * @throws {InputError} if the description does not have it there, not only once, or not as a text
 */
export function placeOf(operation: Operation, given: string): Place {
	const content = contentOf(operation);
	const path = Object.hasOwn(propertiesOf(content), given) ? [given] : given.split('.');
	const place = given === '' ? onlyPlace(content) : { path, field: fieldAt(content, path) };
	if (TEXTS.has(place.field?.kind ?? 'any')) return place;
	const isOfList = place.field !== undefined && isList(place.field);
	const reason = isOfList ? listed('It') : 'It is no text.';
	throw invalidInput(`cannot be '${place.path.join('.')}'. ${reason}`);
}

/**
 * Takes the content of a file out of an item.
 *
 * @returns the content, `undefined` if there is none, and a copy of the item without it
 * @throws {ServiceError} if the item does not have the element
 */
export function takeContent(
	item: Values,
	{ path, field }: Place,
): readonly [content: unknown, rest: Values] {
	const names = Object.keys(item);
	const [name = names.length === 1 ? names[0] : undefined, ...inner] = path;
	// What an item says of an empty answer.
	if (path.length === 0 && item.success === true) return [undefined, item];
	const known = `The elements there: ${joinNames(names) || 'none'}.`;
	if (name === undefined) throw fileUnreadable('it', `It has several elements. ${known}`);
	if (!Object.hasOwn(item, name)) {
		if (field !== undefined) return [undefined, item];
		throw fileUnreadable(name, known);
	}
	const { [name]: value, ...rest } = item;
	if (Array.isArray(value)) throw fileUnreadable(name, listed(name));
	if (inner.length === 0) return [value === '' ? undefined : (value ?? undefined), rest];
	if (!isSet(value) || value === '') return [undefined, item];
	if (!isObject(value)) throw fileUnreadable(path.join('.'), `${name} is a single value.`);
	const [content, within] = takeContent(value, { path: inner, field });
	return [content, { ...item, [name]: within }];
}
