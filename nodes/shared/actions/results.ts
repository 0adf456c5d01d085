import type { IDataObject } from 'n8n-workflow';
import { TEXT, type SchemaField } from '../contract/schemaFields';
import { isObject } from '../values/values';

/**
 * Converts the result of an operation to items: each row of a list, else the result. A record is an
 * item itself.
 *
 * @param property holds a single value in its item, also one with its type or attributes
 */
export function resultRecords(
	{ kind }: SchemaField,
	result: unknown,
	property = 'Result',
): IDataObject[] {
	const rows = kind === 'list' || kind === 'repeated' ? (result ?? []) : [result ?? null];
	return (rows as unknown[]).map((row) => {
		const isRecord = isObject(row) && !Object.hasOwn(row, TEXT);
		return (isRecord ? row : { [property]: row }) as IDataObject;
	});
}
