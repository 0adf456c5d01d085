import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Fields, RecordField } from '../../contract/fields';
import { keysOf, subjectOf, type Effect, type SoapOperation } from '../../contract/soapOperation';
import { at, collectAll } from '../../errors/InputError';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { groupItems, readCallRequest, type CallRequest } from '../../form/items';
import { domainOption, dryRunProperty, optionsProperty, readDryRun } from '../../form/options';
import { itemSchema } from '../../form/outputSchema';
import { requestList, requestProperties, type RowForm } from '../../form/requestForm';
import { readSimplify, simplify, simplifyNote, simplifyProperty } from '../../form/simplify';
import type { SwitchNote } from '../../form/toolDescription';
import { formatKeys } from '../../form/valueNames';
import {
	type Action,
	type ActionTexts,
	type ListSearch,
	type Notice,
	type ReadCall,
	type WriteCall,
} from '../../run/action';
import { callSoap } from '../../soap/call';
import { writeRequest } from '../../soap/envelope';
import type { Values } from '../../values/values';
import { notSentNotices, periodNotices } from '../notices';
import { preview } from '../preview';
import { resultRecords } from '../results';
import {
	checkTotal,
	hasShare,
	readTotalMustBe100,
	shareNotices,
	totalInItem,
	totalProperty,
} from './shares';

/** What a write does after it has read the current records; the builder can turn it off. */
export interface ReadingFirst {
	/** Its switch. */
	readonly form: readonly INodeProperties[];
	/** Note in the tool description about the switch. */
	readonly switchNote?: SwitchNote;
	/** How the form shows the rows of the request. */
	readonly rows?: RowForm;
	/** List search methods of the form, by the list's name. */
	readonly lists?: Readonly<Record<string, ListSearch>>;
	/** Name of the property of the output item that says whether anything was written. */
	readonly flag: 'written' | 'created';
	/** What a dry run shows in place of {@link Decision.changes} if it is off. */
	readonly unread?: IDataObject;
	/** @throws {InputError} naming the switch, if its value is not a boolean */
	isOn(item: InputItem): boolean;
	/**
	 * @param request the values that the builder asks to write
	 * @param whom the employee and the period, in the words of the form
	 * @throws {InputError} if they do not fit the current records
	 * @throws {ServiceError} if the current records cannot be read; nothing was written then
	 */
	decide(access: ServiceAccess, request: Readonly<Values>, whom: string): Promise<Decision>;
}

/** What is decided about a write after the current records were read. */
export interface Decision {
	/** What is written, or stands there already. */
	readonly request: Readonly<Values>;
	/** The output item if nothing is to be written. */
	readonly existing?: IDataObject;
	/** Added to the output item, also to that of a dry run. */
	readonly changes?: IDataObject;
	readonly notices: readonly Notice[];
}

function pick<T>(all: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
	return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

/** Calls the operation, and converts its result to items. */
async function call<E extends Effect>(
	{ exchange, connection }: Pick<ServiceAccess<E>, 'connection' | 'exchange'>,
	operation: SoapOperation<E>,
	request: Readonly<Values>,
	children?: string,
): Promise<readonly IDataObject[]> {
	const result = await callSoap(exchange, connection, operation, request, children);
	const { result: field } = operation;
	if (field === undefined) return [{ success: true }];
	return resultRecords(field, result, field.kind === 'list' ? undefined : field.property);
}

function resultFields(operation: SoapOperation): Fields {
	const { result } = operation;
	if (result === undefined) return { success: { kind: 'boolean' } };
	return result.kind === 'list' ? result.of.fields : { [result.property]: result };
}

/** The record that a read returns a list of. */
function recordOf({ effect, result }: SoapOperation): RecordField | undefined {
	return effect === 'read' && result?.kind === 'list' ? result.of : undefined;
}

/** Whom a request is about. */
function addressed({ request: fields }: SoapOperation, request: Values) {
	const subject = subjectOf(fields);
	const keys = pick(request, Object.keys(keysOf(fields))) as IDataObject;
	return { subject: `${subject}:${String(request[subject])}`, keys };
}

function readCall(
	operation: SoapOperation<'read'>,
	request: Values,
	simplifies: boolean,
): ReadCall {
	const about = addressed(operation, request);
	const record = recordOf(operation);
	return {
		...about,
		effect: 'read',
		async read(access) {
			const records = await call(access, operation, request);
			if (record === undefined) return { records, notices: [] };
			const whom = formatKeys(operation.request, about.keys);
			return {
				records: simplifies ? records.map((row) => simplify(record, row) as IDataObject) : records,
				notices: [
					...periodNotices(about.keys, whom),
					...(hasShare(record) ? shareNotices(records, whom) : []),
				],
			};
		},
	};
}

/**
 * @param mustBe100 whether the shares of the rows must add up to 100; `undefined` if they have none
 * @param readingFirst what it does after it has read the current records, if that is on
 * @param unread see {@link ReadingFirst}
 */
function writeCall(
	operation: SoapOperation,
	{ request: asked, unknown: notAsked }: CallRequest,
	isDryRun: boolean,
	mustBe100: boolean | undefined,
	readingFirst: ReadingFirst | undefined,
	unread: IDataObject | undefined,
): WriteCall {
	const about = addressed(operation, asked);
	const list = requestList(operation.request);
	return {
		...about,
		effect: 'write',
		isDryRun,
		resends: readingFirst ? 'afterReading' : 'never',
		content: JSON.stringify([
			operation.service,
			operation.name,
			writeRequest({ fields: operation.request }, asked),
		]),
		async plan(access) {
			const whom = formatKeys(operation.request, about.keys);
			const decision: Decision = readingFirst
				? await readingFirst.decide(access, asked, whom)
				: { request: asked, notices: [] };
			const { request, existing } = decision;
			const rows = list ? (request[list.name] as Values[]) : [];
			if (list && mustBe100 === true && !existing) at(list.name, () => checkTotal(rows));
			const changes = { ...decision.changes, ...(mustBe100 === false && totalInItem(rows)) };
			const marked = (isWritten: boolean): IDataObject =>
				readingFirst ? { [readingFirst.flag]: isWritten, ...changes } : changes;
			const notices = [
				...periodNotices(about.keys, whom),
				...(mustBe100 === undefined ? [] : shareNotices(rows, whom)),
				...notSentNotices(notAsked),
				...decision.notices,
			];
			if (existing) {
				const record = { ...existing, ...marked(false) };
				const nothing = { operation: operation.name, request: null, envelope: null };
				// The dry run of a list always has the same columns.
				const shown = list ? { ...changes, ...nothing } : record;
				return { kind: 'nothingToDo', record, preview: shown, notices };
			}
			const children = writeRequest({ fields: operation.request }, request);
			const shown = preview(access.connection, operation, request as IDataObject, children);
			return {
				kind: 'write',
				preview: { ...unread, ...changes, ...shown },
				notices,
				async send(access) {
					const records = await call(access, operation, request, children);
					return records.map((record) => ({ ...record, ...marked(true) }));
				},
			};
		},
	};
}

/**
 * Creates the action for a SOAP operation of the contract (docs/dev/interface.md, section 4.3).
 *
 * @param readingFirst what it does, if it writes, after it has read the current records
 */
export function soapAction(
	operation: SoapOperation,
	texts: ActionTexts,
	readingFirst?: ReadingFirst,
): Action {
	const { effect, request } = operation;
	const keyFields = keysOf(request);
	const record = recordOf(operation);
	const writesShares = effect === 'write' && hasShare(requestList(request)?.list.of);
	return {
		...texts,
		effect,
		operation: operation.name,
		takesDomain: true,
		request,
		properties: [
			...requestProperties(request, readingFirst?.rows),
			...(record ? [simplifyProperty] : []),
			...(readingFirst?.form ?? []),
			...(writesShares ? [totalProperty] : []),
			...(effect === 'write' ? [dryRunProperty] : []),
			optionsProperty(effect, [domainOption]),
		],
		switchNote: record
			? simplifyNote({ ...keyFields, ...record.fields })
			: readingFirst?.switchNote,
		lists: readingFirst?.lists,
		...(record && {
			namedKeys: (item: InputItem, keys: IDataObject) =>
				readSimplify(item)
					? (simplify({ fields: pick(request, Object.keys(keys)) }, keys) as IDataObject)
					: keys,
		}),
		outputSchema: () => itemSchema({ ...keyFields, ...resultFields(operation) }),
		group: (items) => groupItems(request, items),
		prepare(items) {
			const [first] = items;
			const [given, isDryRun, mustBe100, readsFirst] = collectAll(
				() => readCallRequest(request, items),
				() => effect === 'write' && readDryRun(first),
				() => (writesShares ? readTotalMustBe100(first) : undefined),
				() => readingFirst?.isOn(first) === true,
			);
			if (isRead(operation)) {
				return readCall(operation, given.request, record !== undefined && readSimplify(first));
			}
			const reading = readsFirst ? readingFirst : undefined;
			return writeCall(operation, given, isDryRun, mustBe100, reading, readingFirst?.unread);
		},
	};
}

function isRead(operation: SoapOperation): operation is SoapOperation<'read'> {
	return operation.effect === 'read';
}
