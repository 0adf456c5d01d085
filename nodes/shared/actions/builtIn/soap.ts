import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import type { SoapOperation } from '../../contract/soapOperation';
import { collectAll } from '../../errors/InputError';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { groupItems, readCall } from '../../form/items';
import { domainOption, dryRunProperty, optionsProperty, readDryRun } from '../../form/options';
import { itemSchema } from '../../form/outputSchema';
import { requestList, requestProperties, type RowForm } from '../../form/requestForm';
import { readSimplify, simplify, simplifyNote, simplifyProperty } from '../../form/simplify';
import type { SwitchNote } from '../../form/toolDescription';
import { formatKeys } from '../../form/valueNames';
import { NO_NOTICES, type Action, type ActionTexts, type ListSearch } from '../../run/action';
import { callSoap } from '../../soap/call';
import { writeRequest } from '../../soap/envelope';
import type { Values } from '../../values/values';
import { notSentNotices, shareNotices } from '../notices';
import { preview } from '../preview';

/** What a write does after it has read the current records; the builder can turn it off. */
export interface ReadingFirst {
	/** Its switch in the form, or among the options. */
	readonly form: readonly INodeProperties[];
	readonly options: readonly INodeProperties[];
	/** Note in the tool description about the switch. */
	readonly switchNote?: SwitchNote;
	/** How the form shows the rows of the request. */
	readonly rows?: RowForm;
	/** List search methods of the form, by the list's name. */
	readonly lists?: Readonly<Record<string, ListSearch>>;
	/** @throws {InputError} naming the switch, if its value is not a boolean */
	isOn(item: InputItem): boolean;
	/**
	 * @param request the values that the builder asks to write
	 * @throws {InputError} if they do not fit the current records
	 * @throws {ServiceError} if the current records cannot be read; nothing was written then
	 */
	decide(access: ServiceAccess, request: Readonly<Values>): Promise<Decision>;
}

/** What is decided about a write after the current records were read. */
export interface Decision {
	/** What is written, or stands there already. */
	readonly request: Readonly<Values>;
	/** The output item if nothing is to be written. */
	readonly existing?: IDataObject;
	/** Name of the property of the output item that says whether anything was written. */
	readonly flag?: 'written' | 'created';
	/** Added to the output item, also to that of a dry run. */
	readonly changes: IDataObject;
	/** Paths of fields that the current records have and the request does not. */
	readonly unknown: readonly string[];
}

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

function resultFields(operation: SoapOperation): Fields {
	const { result } = operation;
	if (result === undefined) return { success: { kind: 'boolean' } };
	return result.kind === 'list' ? result.of.fields : { [operation.resultName ?? 'Result']: result };
}

/**
 * Creates the action for a SOAP operation of the contract (docs/interface.md, section 4.3).
 *
 * @param readingFirst what it does, if it writes, after it has read the current records
 */
export function soapAction(
	operation: SoapOperation,
	texts: ActionTexts,
	readingFirst?: ReadingFirst,
): Action {
	const { service, name, keys: keyNames } = operation;
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
		subjects: [operation.subject],
		properties: [
			...requestProperties(operation.request, keyNames, readingFirst?.rows),
			...(read ? [simplifyProperty] : []),
			...(readingFirst?.form ?? []),
			...(isWrite ? [dryRunProperty] : []),
			optionsProperty(operation.effect, [domainOption, ...(readingFirst?.options ?? [])]),
		],
		...(readingFirst?.switchNote && { switchNote: readingFirst.switchNote }),
		...(read && { switchNote: simplifyNote({ ...keyFields, ...read.fields }) }),
		...(readingFirst?.lists && { lists: readingFirst.lists }),
		outputSchema: () => itemSchema({ ...keyFields, ...resultFields(operation) }),
		group: (items) => groupItems(operation, items),
		prepare(items) {
			const [first] = items;
			const [given, isPreview, readsFirst] = collectAll(
				() => readCall(operation, items),
				() => isWrite && readDryRun(first),
				() => readingFirst?.isOn(first) === true,
			);
			const asked = given.request;
			const keys = Object.fromEntries(keyNames.map((key) => [key, asked[key]])) as IDataObject;
			const about = { subject: `${operation.subject}:${String(asked[operation.subject])}`, keys };
			const whom = formatKeys(operation.request, keys);
			if (isRead(operation)) {
				const simplified = read !== undefined && readSimplify(first) ? read : undefined;
				return {
					...about,
					effect: 'read',
					...(simplified && { itemKeys: simplify({ fields: keyFields }, keys) as IDataObject }),
					async read({ exchange, connection }) {
						const result = await callSoap(exchange, connection, operation, asked);
						const records = resultRecords(operation, result);
						return {
							records: simplified
								? records.map((record) => simplify(simplified, record) as IDataObject)
								: records,
							notices: read ? shareNotices(read, records, whom) : NO_NOTICES,
						};
					},
				};
			}
			const decide = async (access: ServiceAccess): Promise<Decision> => {
				if (readsFirst && readingFirst) return await readingFirst.decide(access, asked);
				return { request: asked, changes: {}, unknown: [] };
			};
			return {
				...about,
				effect: 'write',
				isDryRun: isPreview,
				resends: readsFirst ? 'afterReading' : 'never',
				content: JSON.stringify([service, name, writeRequest(operation, asked)]),
				async plan(access) {
					const { request, existing, flag, changes, unknown } = await decide(access);
					const marked = (isWritten: boolean): IDataObject =>
						flag === undefined ? {} : { [flag]: isWritten, ...changes };
					const rows = list ? (request[list.name] as Values[]) : [];
					const notices = [
						...(list ? shareNotices(list.list.of, rows, whom) : []),
						...notSentNotices(existing ? given.unknown : [...given.unknown, ...unknown]),
					];
					if (existing) {
						const record = { ...existing, ...marked(false) };
						return { kind: 'nothingToDo', record, preview: record, notices };
					}
					const children = writeRequest(operation, request);
					const shown = preview(access.connection, operation, request as IDataObject, children);
					return {
						kind: 'write',
						preview: { ...changes, ...shown },
						notices: notices.length === 0 ? NO_NOTICES : notices,
						async send({ exchange, connection }) {
							const result = await callSoap(exchange, connection, operation, request);
							const records = resultRecords(operation, result);
							return flag ? records.map((record) => ({ ...record, ...marked(true) })) : records;
						},
					};
				},
			};
		},
	};
}

function isRead(operation: SoapOperation): operation is SoapOperation<'read'> {
	return operation.effect === 'read';
}
