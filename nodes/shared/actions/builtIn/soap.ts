/** The SOAP operations of the contract (docs/dev/interface.md, section 4.3): those that read, and what all share. */
import type { IDataObject } from 'n8n-workflow';
import { type Fields, isRecordList, type RecordField } from '../../contract/fields';
import { keysOf, type Operation, resultField } from '../../contract/operation';
import { InputError } from '../../errors/InputError';
import type { InputItems } from '../../form/inputItem';
import { readCallRequest } from '../../form/mapping/items';
import { domainOption, emptyItemOption, optionsProperty, readEmptyItem } from '../../form/options';
import {
	itemSchema,
	type OutputSchema,
	readSimplify,
	simpleSchema,
	simplifier,
	outputProperties,
	simplifyProperty,
} from '../../form/output';
import { requestProperties } from '../../form/requestForm';
import { formatKeys } from '../../form/names';
import { inTurns } from '../../host/eventLoop';
import type { ActionTexts, Addressed, Notice, ReadAction, ReadCall } from '../../run/action';
import type { Values } from '../../values/values';
import { periodNotices, readRecords, subjectIn } from '../soapCall';

/** Returns the schema of an operation's items. @param added what a successful write has in its items, too */
export function outputSchema(operation: Operation, added: Fields = {}): OutputSchema {
	const keys = keysOf(operation.request.fields);
	const [, result] = resultField(operation) ?? [];
	if (result === undefined) {
		return itemSchema({ ...keys, success: { kind: 'boolean' }, ...added });
	}
	// Simplify is on by default.
	if (isRecordList(result)) return simpleSchema({ ...keys, ...result.of.fields });
	return itemSchema({ ...keys, [result.property ?? '']: result, ...added });
}

/** Returns whom a request is about, also in the words of the form. */
export function addressed(
	{ request: { fields } }: Operation,
	request: Readonly<Values>,
): Addressed & { readonly whom: string } {
	const names = Object.keys(keysOf(fields));
	const keys = Object.fromEntries(names.map((name) => [name, request[name]])) as IDataObject;
	return {
		subject: subjectIn(keys),
		keys,
		whom: formatKeys(fields, keys),
	};
}

/** Returns notices about the records of a call, and whom they are about in the words of the form. */
type NoticesOf = (records: readonly IDataObject[], whom: string) => readonly Notice[];

/** The record that a read returns a list of. */
function recordOf(operation: Operation): RecordField | undefined {
	const [, result] = resultField(operation) ?? [];
	return result && isRecordList(result) ? result.of : undefined;
}

function prepareRead(
	operation: Operation<'read'>,
	noticesOf: NoticesOf,
	items: InputItems,
): ReadCall {
	const { request, problems } = readCallRequest(operation.request.fields, items);
	if (problems.length > 0) throw new InputError(problems);
	const { whom, ...about } = addressed(operation, request);
	const record = readSimplify(items[0]) ? recordOf(operation) : undefined;
	const simplify = record ? simplifier(record.fields) : (row: Values) => row;
	const isItemIfEmpty = readEmptyItem(items[0]);
	return {
		...about,
		effect: 'read',
		async read(access) {
			const { records: rows, notices } = await readRecords(access, operation, request, whom);
			const shown = rows.length === 0 && isItemIfEmpty ? [{}] : rows;
			const records: IDataObject[] = [];
			for await (const row of inTurns(shown)) records.push(simplify(row) as IDataObject);
			const more = [...periodNotices(about.keys, whom), ...noticesOf(rows, whom)];
			return { records, notices: [...notices, ...more] };
		},
	};
}

/**
 * Creates the action for a SOAP operation of the contract that reads (docs/dev/interface.md, section
 * 4.3).
 */
export function readAction(
	operation: Operation<'read'>,
	texts: ActionTexts,
	noticesOf: NoticesOf = () => [],
): ReadAction {
	const request = operation.request.fields;
	const record = recordOf(operation);
	return {
		...texts,
		kind: 'read',
		effect: 'read',
		operation: operation.name,
		takesDomain: true,
		request,
		properties: [
			...requestProperties(request),
			...(record ? [simplifyProperty] : []),
			...outputProperties,
			optionsProperty([domainOption, emptyItemOption]),
		],
		outputSchema: () => outputSchema(operation),
		keysInItems(item, keys) {
			if (record === undefined || !readSimplify(item)) return keys;
			const known = Object.entries(request).filter(([name]) => Object.hasOwn(keys, name));
			return simplifier(Object.fromEntries(known))(keys) as IDataObject;
		},
		prepare: (items) => prepareRead(operation, noticesOf, items),
	};
}
