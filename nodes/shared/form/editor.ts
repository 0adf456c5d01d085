/** Reads the form that a builder is editing, and lists records to choose from. */
import { isExpression, type ILoadOptionsFunctions, type INodeListSearchItems } from 'n8n-workflow';
import type { Field, Fields, RecordField, RecordPick } from '../contract/fields';
import { isObject, type Values } from '../values/values';
import { InputError } from '../errors/InputError';
import { flatten } from './flatten';
import { label, parameterName } from './names';
import { domainIn } from './options';
import { checkScalar } from './requestValues';

/** The values of a request that the editor has, and the labels of the missing ones. */
export interface EditedValues {
	readonly values: Values;
	readonly missing: readonly string[];
}

/**
 * Reads the values of a request that are currently entered in the node. The editor evaluates
 * expressions if it has the data for them; a value that is still an expression is missing.
 */
export function editedValues(context: ILoadOptionsFunctions, request: Fields): EditedValues {
	const values: Values = {};
	const missing: string[] = [];
	for (const [name, field] of Object.entries(request)) {
		const value = context.getCurrentNodeParameter(parameterName(name)) as unknown;
		const known = isExpression(value) ? undefined : scalarOf(value, field);
		if (known === undefined) missing.push(`'${label(name, field)}'`);
		else values[name] = known;
	}
	return { values, missing };
}

function scalarOf(value: unknown, field: Field): unknown {
	if (field.kind === 'list' || field.kind === 'record') return undefined;
	try {
		return checkScalar(value, field);
	} catch (error) {
		return undefinedIfInvalid(error);
	}
}

function undefinedIfInvalid(error: unknown): undefined {
	if (!(error instanceof InputError)) throw error;
	return undefined;
}

/** Reads the Domain that is currently entered in the node's options, see {@link domainIn}. */
export function editedDomain(context: ILoadOptionsFunctions): string | undefined {
	const options = context.getCurrentNodeParameter('options') as unknown;
	// n8n 1 returns `null` for all options if it cannot evaluate one of them.
	if (options === null) return '';
	return domainIn(options, (value) => (isExpression(value) ? undefined : value));
}

/** Normalizes a text for search: case and whitespace are ignored. */
const searchText = (text: string): string => text.toLowerCase().replace(/\s/g, '');

/** The display name of a record in a list, for example "4100 Warehouse, 60 %". */
function recordName(record: RecordField, { displayedBy }: RecordPick, values: Values): string {
	const fields = flatten(record);
	const words: string[] = [];
	const shares: string[] = [];
	for (const path of displayedBy) {
		const value = path.reduce<unknown>(
			(inner, name) => (isObject(inner) ? inner[name] : undefined),
			values,
		);
		const text = String(value ?? '').trim();
		if (text === '') continue;
		const field = fields.find((one) => one.path.join('.') === path.join('.'))?.field;
		if (field?.kind === 'decimal' && field.shareOf === 100) shares.push(`${text} %`);
		else words.push(text);
	}
	return [words.join(' '), ...shares].filter((part) => part !== '').join(', ');
}

/**
 * Returns current records as list entries, for example "4100 Warehouse, 60 % (5003)", in the
 * service's order. Records without an identifier are omitted.
 *
 * @param identifier name of the element that identifies a record
 * @param filter search text, matched anywhere in an entry's name
 */
export function pickItems(
	record: RecordField,
	pick: RecordPick,
	identifier: string,
	records: readonly Values[],
	filter = '',
): INodeListSearchItems[] {
	return records.flatMap((values) => {
		const id = values[identifier];
		if (typeof id !== 'number') return [];
		const name = `${recordName(record, pick, values)} (${id})`.trim();
		return searchText(name).includes(searchText(filter)) ? [{ name, value: String(id) }] : [];
	});
}
