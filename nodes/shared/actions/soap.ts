import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { RequestOf, SoapOperation } from '../contract/soapOperation';
import { collectAll } from '../errors/InputError';
import { groupItems, readItems, takesItems, type ItemsRequest } from '../form/items';
import {
	domainOption,
	dryRunProperty,
	keepOthersNote,
	keepOthersProperty,
	optionsProperty,
	readDryRun,
	readKeepOthers,
	readSkipIfExists,
	skipExistingOption,
	storedDryRunOption,
} from '../form/options';
import { itemSchema } from '../form/outputSchema';
import { requestList, requestProperties } from '../form/requestForm';
import { readRequest } from '../form/requestValues';
import { unevenShares, type UnevenShares } from '../form/shares';
import { readSimplify, simplify, simplifyNote, simplifyProperty } from '../form/simplify';
import type { Action, ActionTexts } from '../run/action';
import { callSoap } from '../soap/call';
import { writeRequest } from '../soap/envelope';
import { pickLists } from './pickLists';
import type { Plan } from './plan';
import { preview } from './preview';
import { rewrite } from './rewrite';
import { skipExisting } from './skipExisting';

function pick(fields: Fields, names: readonly string[]): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** The result of an operation that returns nothing, shared since a run keeps it for each call. */
const SUCCESS: readonly IDataObject[] = [{ success: true }];

function resultRecords(operation: SoapOperation, result: unknown): readonly IDataObject[] {
	if (operation.result === undefined) return SUCCESS;
	if (operation.result.kind === 'list') return result as IDataObject[];
	return [{ [operation.resultName ?? 'Result']: result as IDataObject[string] }];
}

/** Returns the shares that do not add up, of the rows that a call read or wrote. */
function unevenSharesOf(
	operation: SoapOperation,
	request: RequestOf<SoapOperation>,
	records: readonly IDataObject[],
): readonly UnevenShares[] {
	if (operation.result?.kind === 'list') return unevenShares(operation.result.of, records);
	const written = requestList(operation.request);
	const rows = written && (request[written.name] as unknown);
	return written && Array.isArray(rows) ? unevenShares(written.list.of, rows) : [];
}

function resultFields(operation: SoapOperation): Fields {
	const { result } = operation;
	if (result === undefined) return { success: { kind: 'boolean' } };
	return result.kind === 'list' ? result.of.fields : { [operation.resultName ?? 'Result']: result };
}

/** Creates the action for a SOAP operation of the contract (docs/interface.md, section 4.3). */
export function soapAction(operation: SoapOperation, texts: ActionTexts): Action {
	const { service, name, keys: keyNames, rewrites, inserts } = operation;
	const inserted = inserts && operation.request[inserts.record];
	const isWrite = operation.effect === 'write';
	const keyFields = pick(operation.request, keyNames);
	const list = requestList(operation.request);
	const read = operation.result?.kind === 'list' ? operation.result.of : undefined;
	return {
		...texts,
		formHint: `Operation of the payroll service: ${name}`,
		effect: operation.effect,
		operation: operation.name,
		takesDomain: true,
		request: operation.request,
		keys: keyNames,
		properties: [
			...requestProperties(operation.request, keyNames),
			...(read ? [simplifyProperty] : []),
			...(rewrites && list ? [keepOthersProperty(list, rewrites)] : []),
			...(isWrite ? [dryRunProperty] : []),
			optionsProperty(operation.effect, [
				domainOption,
				...(isWrite ? [storedDryRunOption] : []),
				...(inserts && inserted?.kind === 'record'
					? [skipExistingOption(inserts.record, inserted)]
					: []),
			]),
		],
		...(rewrites && list && { switchNote: keepOthersNote(list, rewrites) }),
		...(read && { switchNote: simplifyNote({ ...keyFields, ...read.fields }) }),
		...(rewrites && list && { lists: pickLists(rewrites, list) }),
		outputSchema: () => itemSchema({ ...keyFields, ...resultFields(operation) }),
		group(context) {
			if (list !== undefined && takesItems(context, list)) return groupItems(context, operation);
			return context.getInputData().map((_, index) => [index]);
		},
		prepare(context, items) {
			const [first = 0] = items;
			const [given, isPreview, keepsOthers, skipsExisting] = collectAll(
				(): ItemsRequest<SoapOperation> =>
					list !== undefined && takesItems(context, list)
						? readItems(context, operation, list, items)
						: { request: readRequest(context, operation, first), unknown: [] },
				() => isWrite && readDryRun(context, first),
				() => list !== undefined && rewrites !== undefined && readKeepOthers(context, first),
				() => readSkipIfExists(context, first),
			);
			const asked: RequestOf<SoapOperation> = given.request;
			const rewriting = keepsOthers ? rewrites : undefined;
			const inserting = skipsExisting ? inserts : undefined;
			const simplified = read !== undefined && readSimplify(context) ? read : undefined;
			const keys = Object.fromEntries(keyNames.map((key) => [key, asked[key]])) as IDataObject;
			return {
				isDryRun: isPreview,
				readsFirst: rewriting !== undefined || inserting !== undefined,
				...(isWrite && {
					change: JSON.stringify([service, name, writeRequest(operation, asked)]),
				}),
				subject: `${operation.subject}:${String(asked[operation.subject])}`,
				keys,
				...(simplified && { itemKeys: simplify({ fields: keyFields }, keys) as IDataObject }),
				async send(exchange, connection) {
					let plan: Plan<SoapOperation> = { request: asked };
					if (rewriting) plan = await rewrite(exchange, connection, operation, rewriting, asked);
					if (inserting) {
						plan = await skipExisting(exchange, connection, operation, inserting, asked);
					}
					const { request, existing } = plan;
					if (existing !== undefined) {
						return {
							records: [
								isPreview ? { dryRun: true, ...plan.previewFields, ...existing } : existing,
							],
							unevenShares: unevenSharesOf(operation, request, []),
							notSent: given.unknown,
							nothingWritten: true,
						};
					}
					const unknown = [...given.unknown, ...(plan.unknown ?? [])];
					if (isPreview) {
						const values = request as IDataObject;
						const children = writeRequest(operation, request);
						const shown = preview(connection, operation, values, children, plan.previewFields);
						return {
							records: [shown],
							unevenShares: unevenSharesOf(operation, request, []),
							notSent: unknown,
							nothingWritten: true,
						};
					}
					const result = await callSoap(exchange, connection, operation, request);
					const records = resultRecords(operation, result);
					const shown = simplified
						? records.map((record) => simplify(simplified, record) as IDataObject)
						: records;
					const { doneFields } = plan;
					const uneven = unevenSharesOf(operation, request, records);
					// A run keeps the result of each call, so it has no empty lists.
					return {
						records: doneFields ? shown.map((record) => ({ ...record, ...doneFields })) : shown,
						...(uneven.length > 0 && { unevenShares: uneven }),
						...(unknown.length > 0 && { notSent: unknown }),
					};
				},
			};
		},
	};
}
