/** What all SOAP operations share: the items of an answer, the plan of a write, and notices. */
import type { IDataObject } from 'n8n-workflow';
import { type Fields, TEXT } from '../contract/fields';
import { type Effect, keysOf, type Operation, resultField, subjectOf } from '../contract/operation';
import { soapOperations } from '../contract/operations';
import { serviceError } from '../errors/ServiceError';
import { formatValue } from '../errors/words';
import type { ServiceAccess } from '../exchange/exchange';
import { formOf } from '../form/mapping/columns';
import { formatKeys } from '../form/names';
import { cellsOf } from '../form/tool';
import { type Notice, noticeOf } from '../form/requestValues';
import type { Addressed, CallResult, Plan } from '../run/action';
import { callSoap } from '../soap/call';
import { serviceNamespace, wrapRequest, writeRequest } from '../soap/write';
import { plainDecimal } from '../values/numbers';
import { withoutFiles } from '../values/scalars';
import { isObject, isSet, ownEntry, type Values } from '../values/values';

/** Returns the fields of the items that an answer makes; `undefined` if nothing is known of them. */
export function itemFields(operation: Operation): Fields | undefined {
	const { fields, isOpen } = operation.response;
	const [, result] = resultField(operation) ?? [];
	if (result === undefined) return isOpen ? undefined : fields;
	const row = result.kind === 'list' || result.kind === 'repeated' ? result.of : result;
	if (row.kind === 'any') return undefined;
	return row.kind === 'record' ? row.fields : { [row.property ?? 'Result']: row };
}

/** Whether an operation is one of the contract; one that a description gives may have the same name. */
const isOfContract = (operation: Operation): boolean =>
	soapOperations.some((own) => own === operation);

/** Names of elements that say that a call failed, or whether it succeeded. */
const [FAILURE, SUCCESS] = [/error|exception|(?<!de)fault/i, /succe/i];

/** Whether an element of an answer that is not described, or is to be empty, says that the call failed. */
function isFailure(operation: Operation, [element, said]: readonly [string, unknown]): boolean {
	const { fields, isOpen } = operation.response;
	const text = isSet(said) ? String(said).trim().toLowerCase() : '';
	if (text === '' || isOpen === true || Object.hasOwn(fields, element)) return false;
	const isToBeEmpty = Object.keys(fields).length === 0;
	if (isToBeEmpty && element === `${operation.name}Result`) return text !== 'true';
	return (text === 'false' || text === '0' ? SUCCESS : FAILURE).test(element);
}

/** What may stand beside the rows of an answer in all of its items, in characters of JSON. */
const MAX_BESIDE = 2 ** 25;

/**
 * Calls an operation and converts its answer to items: each row of the described element, if that is a list, else
 * that element, else the whole answer. A record is an item itself. Whatever stands beside the element is in each item;
 * in the first alone, if that would be too much; in one of its own, if there is no row, unless the operation is a
 * reading one of the contract. An answer that is to be empty, or is, is a success.
 *
 * @param xml the elements of the request, if they are written already
 * @throws {InputError | CancelledError}
 * @throws {ServiceError} also if something in the answer says that the call failed, or stands in place of records, or
 * if the identifier of a new record is no positive number
 */
export async function callForItems<E extends Effect>(
	{ exchange, connection }: ServiceAccess<E>,
	operation: Operation<E>,
	request: Readonly<Values>,
	whom: string,
	xml?: string,
): Promise<CallResult> {
	const answer = await callSoap(exchange, connection, operation, request, xml);
	const values = answer.result;
	const text = 'A character that XML does not allow was read as a blank';
	const mended = answer.mended.map((path) => `${path} for ${whom}`);
	const notices = noticeOf('readAs', text, mended);
	const [name = `${operation.name}Result`, field] = resultField(operation) ?? [];
	const { [name]: value, ...others } = values;
	const beside = Object.entries(others);
	const isNone = Array.isArray(value) && value.length === 0;
	if (isNone && beside[0] && operation.effect === 'read' && isOfContract(operation)) {
		const [other, said] = beside[0];
		const reason = `Expected rows in ${name}, got ${other} ${formatValue(said)}`;
		throw serviceError('ANSWER_UNREADABLE/part', { reason });
	}
	const failed = Object.entries(values).find((entry) => isFailure(operation, entry));
	if (failed !== undefined) {
		const got = `${failed[0]} is ${formatValue(failed[1])}`;
		if (operation.effect === 'write') throw serviceError('WRITE_UNCONFIRMED', { got });
		const reason = `It says that the call failed: ${got}`;
		throw serviceError('ANSWER_UNREADABLE/part', { reason });
	}
	const known = itemFields(operation);
	if (field === undefined) {
		const isEmpty = [known, values].some((own) => own && Object.keys(own).length === 0);
		return { records: [isEmpty ? { success: true, ...values } : values], notices };
	}
	if (field.property === 'Id' && Number(value) <= 0) {
		throw serviceError('WRITE_UNCONFIRMED', { got: `${name} is ${formatValue(value)}` });
	}
	const isList = field.kind === 'list' || field.kind === 'repeated';
	const rows = (isList ? (value ?? []) : [value ?? null]) as unknown[];
	if (rows.length === 0 && beside.length > 0) return { records: [others], notices };
	const isInAll = rows.length * JSON.stringify(beside).length <= MAX_BESIDE;
	const records = rows.map((row, index) => {
		const isRecord = isObject(row) && !Object.hasOwn(row, TEXT);
		const item = (isRecord ? row : { [field.property ?? 'Result']: row }) as IDataObject;
		for (const [other, found] of isInAll || index === 0 ? beside : []) {
			// Nobody may take it for a value that the record can have.
			const isTaken = Object.hasOwn(item, other) || Object.hasOwn(known ?? {}, other);
			item[isTaken ? `${operation.name}Response.${other}` : other] = found;
		}
		return item;
	});
	return { records, notices };
}

/** Finds dates that are midnight of another day: in Amsterdam, code gives `2026-05-31T22:00:00.000Z` for "2026-06-01". */
function otherDaysIn(request: Readonly<Values>, timeZone: string): readonly string[] {
	const instants = JSON.stringify(request).matchAll(
		/"(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))"/g,
	);
	return [...instants].flatMap(([, text = '']) => {
		// The Swedish locale writes a day as ISO 8601 does.
		const [day, clock] = new Date(text).toLocaleString('sv', { timeZone }).split(' ');
		const isOther = clock === '00:00:00' && !text.startsWith(`${day}T`);
		return isOther ? [`${text}, in place of ${day}`] : [];
	});
}

/** Returns what a request sends beside its keys, in the words of the form: "Street Keizersgracht · House Number 241". */
function sentText(operation: Operation, sent: IDataObject): string {
	const { request } = operation;
	const keys = keysOf(request.fields);
	const texts = Object.entries(sent).flatMap(([name, value]) => {
		const field = ownEntry(request.fields, name);
		if (Object.hasOwn(keys, name) || field?.isPermission === true) return [];
		// Only the form of another operation names the record of a field: "Absence Cause".
		const isForm = isOfContract(operation) && field?.kind === 'record' && isObject(value);
		const [{ fields }, values] = isForm ? [field, value] : [request, { [name]: value }];
		const form = formOf(fields);
		// In the order of the form.
		const order = Object.keys(fields).filter((own) => Object.hasOwn(values, own));
		const sorted = { ...Object.fromEntries(order.map((own) => [own, values[own]])), ...values };
		return [...cellsOf(sorted)].flatMap(([path, cell]) => {
			// It is sent as an explicit null, or not at all.
			if (cell === null && form.fields.get(path)?.field.nillable !== true) return [];
			const label = form.labelledPath(path.split('.'), false).join('.');
			return `${label} ${typeof cell === 'string' ? cell || 'empty' : JSON.stringify(cell)}`;
		});
	});
	return texts.join(' · ');
}

/** What a write is to do. */
export interface Decision extends Partial<Pick<Plan, 'item' | 'wanted'>> {
	/** `undefined` if the service already has all values. */
	readonly request: Readonly<Values> | undefined;
	readonly notices: readonly Notice[];
	/** What a dry run shows. By default, the request, or the item if nothing is sent. */
	readonly shown?: IDataObject;
	/** Its elements, if they are written already. */
	readonly xml?: string | undefined;
}

/** Plans a write: its request is checked, and written once. @throws {InputError} naming every value that is not allowed */
export function plannedWrite(
	{ connection, host: { timeZone } }: ServiceAccess,
	operation: Operation,
	{ request, notices, item = {}, shown, wanted, xml }: Decision,
): Plan {
	if (request === undefined) return { notices, item, preview: () => shown ?? item };
	const namespace = serviceNamespace(connection.soapNamespace, operation.service);
	const children = xml ?? writeRequest(operation.request, request, namespace);
	const otherDay = `Midnight in ${timeZone}, the time zone of the workflow, was sent as a time of another day. If a day is meant, send it without a time zone`;
	const preview = (): IDataObject => {
		if (shown !== undefined) return shown;
		const sent = JSON.parse(withoutFiles(JSON.stringify(request))) as IDataObject;
		return { changes: sentText(operation, sent), operation: operation.name, request: sent };
	};
	return {
		notices: [...notices, ...noticeOf('unusual', otherDay, otherDaysIn(request, timeZone))],
		// Keys alone would not tell the rows of one employee apart.
		item: wanted ? { changes: preview().changes, ...item } : item,
		preview,
		envelope: () => withoutFiles(wrapRequest(connection, operation, children)),
		wanted,
		idName: resultField(operation)?.[1].property,
		send: async (writing) =>
			await callForItems(writing, operation, request, operation.name, children),
	};
}

const SUBJECTS: ReadonlySet<string> = new Set(
	soapOperations.map(({ request }) => subjectOf(request.fields)),
);

/** Returns whom a request is about. A service may take `1001`, `"01001"` and `"1001 "` for one: so does the subject. */
export function addressed(fields: Fields, request: Values): Addressed & { readonly whom: string } {
	const names = Object.keys(keysOf(fields)).filter((name) => isSet(request[name]));
	const keys = Object.fromEntries(names.map((name) => [name, request[name]])) as IDataObject;
	const subject = names.filter((name) => SUBJECTS.has(name));
	const texts = subject.map((name) => {
		const text = String(keys[name]).trim();
		const whole = /^\+?(-?\d+)(?:\.0*)?$/.exec(text)?.[1];
		return `${name} ${whole === undefined ? text : plainDecimal(whole)}`;
	});
	return { subject: texts.join(), keys, whom: formatKeys(fields, keys) };
}
