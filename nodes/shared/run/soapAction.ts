import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { RequestOf, SoapOperation } from '../contract/operations';
import { groupItems, readItems, takesItems, type ItemsRequest } from '../form/items';
import {
	domainOption,
	dryRunOption,
	keepOthersOption,
	optionsProperty,
	readDryRun,
	readKeepOthers,
} from '../form/options';
import { itemSchema } from '../form/outputSchema';
import { requestKeys, requestList, requestProperties } from '../form/properties';
import { readRequest } from '../form/request';
import { unevenShares, type UnevenShares } from '../form/shares';
import { callSoap } from '../soap/call';
import { writeRequest } from '../soap/envelope';
import type { Action, ActionTexts } from './action';
import { preview } from './preview';
import { rewrite } from './rewrite';

function pick(fields: Fields, names: readonly string[]): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function recordsOf(operation: SoapOperation, result: unknown): readonly IDataObject[] {
	if (operation.result === undefined) return [{ success: true }];
	if (operation.result.kind === 'list') return result as IDataObject[];
	return [{ [operation.resultName ?? 'Result']: result as IDataObject[string] }];
}

/** The shares that do not make their whole, of the rows that a call read or wrote. */
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

/** Offers a SOAP operation of the contract. */
export function soapAction(operation: SoapOperation, texts: ActionTexts): Action {
	const { rewrites } = operation;
	const isWrite = operation.effect === 'write';
	const keyNames = requestKeys(operation.request);
	const list = requestList(operation.request);
	return {
		...texts,
		description: `${texts.description} (${operation.name})`,
		effect: operation.effect,
		operation: operation.name,
		takesDomain: true,
		request: operation.request,
		keys: keyNames,
		properties: [
			...requestProperties(operation.request),
			optionsProperty(operation.effect, [
				domainOption,
				...(isWrite ? [dryRunOption] : []),
				...(rewrites && list ? [keepOthersOption(list, rewrites)] : []),
			]),
		],
		outputSchema: () =>
			itemSchema({ ...pick(operation.request, keyNames), ...resultFields(operation) }),
		group(context) {
			if (list !== undefined && takesItems(context, list)) return groupItems(context, operation);
			return context.getInputData().map((_, index) => [index]);
		},
		prepare(context, items) {
			const [first = 0] = items;
			const given: ItemsRequest<SoapOperation> =
				list !== undefined && takesItems(context, list)
					? readItems(context, operation, list, items)
					: { request: readRequest(context, operation, first), unknown: [] };
			const asked: RequestOf<SoapOperation> = given.request;
			const isPreview = isWrite && readDryRun(context, first);
			const rewriting = readKeepOthers(context, first) ? rewrites : undefined;
			const { service, name } = operation;
			return {
				isDryRun: isPreview,
				...(isWrite && {
					change: JSON.stringify([
						service,
						name,
						rewriting !== undefined,
						writeRequest(operation, asked),
					]),
				}),
				subject: `${operation.subject}:${String(asked[operation.subject])}`,
				keys: Object.fromEntries(keyNames.map((name) => [name, asked[name]])) as IDataObject,
				async send(exchange, connection) {
					const { request, changes, unknown } =
						rewriting === undefined
							? { request: asked, changes: {}, unknown: [] }
							: await rewrite(exchange, connection, operation, rewriting, asked);
					const records = isPreview
						? [
								preview(
									connection,
									operation,
									request as IDataObject,
									writeRequest(operation, request),
								),
							]
						: recordsOf(operation, await callSoap(exchange, connection, operation, request));
					return {
						records: rewriting ? records.map((record) => ({ ...record, ...changes })) : records,
						unevenShares: unevenSharesOf(operation, request, records),
						notSent: [...given.unknown, ...unknown],
						nothingWritten: isPreview,
					};
				},
			};
		},
	};
}
