/** What all SOAP operations share: the items of an answer, the plan of a write, and notices. */
import type { IDataObject } from 'n8n-workflow';
import { type RecordContent, type ScalarField, TEXT } from '../contract/fields';
import { type Operation, resultField, subjectOf } from '../contract/operation';
import { soapOperations } from '../contract/operations';
import { at, attempt, collectPartly, invalidValue, type Problem } from '../errors/InputError';
import { serviceError } from '../errors/catalog';
import { formatValue } from '../errors/words';
import type { ServiceAccess } from '../exchange/exchange';
import { cellsOf } from '../form/toolAnswer';
import type { Switch } from '../form/options';
import type { CallResult, Notice, Plan, PlannedWrite } from '../run/action';
import { callSoap } from '../soap/call';
import { type BytesOf, serviceNamespace, wrapRequest, writeRequest } from '../soap/write';
import { withoutHidden } from '../values/kind';
import { fractionRead, plainDecimal } from '../values/numbers';
import { mapScalars } from '../values/records';
import { writeScalar } from '../values/scalars';
import { dayBegunAt, instantOf } from '../values/temporal';
import { withoutFiles } from '../values/text';
import { isObject, isSet, type Values } from '../values/values';

/** What may stand beside the rows of an answer in all of its items, in characters of JSON. */
const MAX_BESIDE = 2 ** 25;

/**
 * Converts an answer to items: each row of the described element, if that is a list, else that element,
 * else the whole answer. A record is an item itself. Whatever stands beside the element is in each item;
 * in the first alone, if that would be too much; in one of its own, if there is no row. An answer that is
 * to be empty, or is, is a success.
 *
 * @param values the values of the response element
 */
function answerRecords(operation: Operation, values: IDataObject): IDataObject[] {
	const result = resultField(operation);
	if (result === undefined) {
		const { fields, isOpen } = operation.response;
		const isToBeEmpty = isOpen !== true && Object.keys(fields).length === 0;
		const isEmpty = isToBeEmpty || Object.keys(values).length === 0;
		return [isEmpty ? { success: true, ...values } : values];
	}
	const [name, field] = result;
	const value = values[name];
	const of = field.kind === 'list' || field.kind === 'repeated' ? field.of : field;
	const rows = (of === field ? [value ?? null] : (value ?? [])) as unknown[];
	const beside = Object.entries(values).filter(([other]) => other !== name);
	if (rows.length === 0 && beside.length > 0) return [Object.fromEntries(beside)];
	const known = of.kind === 'record' ? of.fields : {};
	const isInAll = rows.length * JSON.stringify(beside).length <= MAX_BESIDE;
	return rows.map((row, index) => {
		const isRecord = isObject(row) && !Object.hasOwn(row, TEXT);
		const item = (isRecord ? row : { [field.property ?? 'Result']: row }) as IDataObject;
		for (const [other, found] of isInAll || index === 0 ? beside : []) {
			// Nobody may take it for a value that the record can have.
			const isTaken = Object.hasOwn(item, other) || Object.hasOwn(known, other);
			item[isTaken ? `${operation.name}Response.${other}` : other] = found;
		}
		return item;
	});
}

/** Returns the notice about characters in an answer that XML does not allow. @param whom the call is about, in the words of the form */
function mendedNotices(mended: readonly string[], whom: string): readonly Notice[] {
	if (mended.length === 0) return [];
	const text = 'A character that XML does not allow was read as a blank';
	return [{ isProblem: true, text, list: mended.map((path) => `${path} for ${whom}`) }];
}

/**
 * Calls an operation that reads records, and converts its answer to items.
 *
 * @param whom it is about, in the words of the form
 * @throws {InputError | ServiceError | CancelledError} also if there is something else in place of
 * records: it may say why there are none
 */
export async function readRecords(
	{ exchange, connection }: ServiceAccess,
	operation: Operation<'read'>,
	request: Readonly<Values>,
	whom: string,
): Promise<CallResult> {
	const { result: values, mended } = await callSoap(exchange, connection, operation, request);
	const [name = ''] = resultField(operation) ?? [];
	const rows = values[name];
	if (Array.isArray(rows) && rows.length === 0) {
		const [other, value] = Object.entries(values).find(([key]) => key !== name) ?? [];
		if (other !== undefined) {
			const reason = `Expected rows in ${name}, got ${other} ${formatValue(value)}`;
			throw serviceError('ANSWER_UNREADABLE/part', { reason });
		}
	}
	return { records: answerRecords(operation, values), notices: mendedNotices(mended, whom) };
}

/**
 * Returns given values as they are meant: without invisible characters around texts, and with the code or name for
 * which a text stands. Notices say what was not taken as it is, and which numbers may be meant as thousands.
 */
export function normalised(
	request: RecordContent,
	given: Readonly<Values>,
): { readonly values: Values; readonly notices: readonly Notice[] } {
	const names = new Set<string>();
	const fractions = new Set<string>();
	const change = (field: ScalarField, value: unknown): unknown => {
		if (typeof value !== 'string') return value;
		const { kind } = field;
		const read = kind === 'decimal' || kind === 'float' ? fractionRead(value) : undefined;
		if (read !== undefined) fractions.add(read);
		if (kind === 'string') return withoutHidden(value);
		if (kind !== 'country' && kind !== 'enumeration') return value;
		// What is not allowed is left to the check of the request.
		const { result: text = value } = attempt(() => writeScalar(field, value));
		if (text !== value.trim()) names.add(`${formatValue(value)} as ${text}`);
		return text;
	};
	const values = mapScalars({ kind: 'record', type: '', ...request }, given, change) as Values;
	const notice = (isProblem: boolean, text: string, list: ReadonlySet<string>) =>
		list.size === 0 ? [] : [{ isProblem, text, list: [...list] }];
	const notices = [
		...notice(false, 'Written with the name or code that the service has', names),
		...notice(
			true,
			'A point before three digits was read as a decimal point. If thousands are meant, leave it out',
			fractions,
		),
	];
	return { values, notices };
}

/** The instants in values that are the midnight of another day than they are written as, with that day. */
function otherDaysIn(value: unknown, timeZone: string): readonly string[] {
	if (Array.isArray(value)) return value.flatMap((inner) => otherDaysIn(inner, timeZone));
	if (isObject(value)) return otherDaysIn(Object.values(value), timeZone);
	const day = dayBegunAt(value, timeZone);
	return day === undefined ? [] : [`${String(instantOf(value))}, in place of ${day}`];
}

/** Returns the notice about days that code made with the time zone of the workflow: they may arrive as the day before. */
function otherDayNotices(values: Values, timeZone: string): readonly Notice[] {
	const list = otherDaysIn(values, timeZone);
	const text = `Midnight in ${timeZone}, the time zone of the workflow, was sent as a time of another day. If a day is meant, send it without a time zone`;
	return list.length === 0 ? [] : [{ isProblem: true, text, list }];
}

/** Names of elements that say why a call failed, beside or in place of a result. */
const FAILURE = /error|exception|fault/i;

/**
 * Ensures that an answer is the one of a success: one that is to be empty may say that the write failed, and
 * the identifier of a new record is a positive number.
 *
 * @throws {ServiceError} with what it says
 */
function requireConfirmed(operation: Operation, answer: IDataObject): void {
	const { name, response } = operation;
	const [element = '', result] = resultField(operation) ?? [];
	if (result?.property === 'Id' && Number(answer[element]) <= 0) {
		const got = `${element} is ${formatValue(answer[element])}`;
		throw serviceError('WRITE_UNCONFIRMED', { got });
	}
	if (response.isOpen === true || Object.keys(response.fields).length > 0) return;
	for (const [other, value] of Object.entries(answer)) {
		const text = isSet(value) ? String(value).trim() : '';
		const isFailure = other === `${name}Result` ? text !== 'true' : FAILURE.test(other);
		if (!isFailure || text === '') continue;
		throw serviceError('WRITE_UNCONFIRMED', { got: `${other} is ${formatValue(value)}` });
	}
}

/**
 * Plans a write: its request is checked, and written once.
 *
 * @param bytesOf see {@link writeRequest}
 * @throws {InputError} naming every value that is not allowed
 */
export function plannedWrite(
	{ connection, host }: ServiceAccess,
	operation: Operation,
	request: Readonly<Values>,
	notices: readonly Notice[],
	bytesOf?: BytesOf,
): Plan & { readonly write: PlannedWrite } {
	const namespace = serviceNamespace(connection.soapNamespace, operation.service);
	const children = writeRequest(operation.request, request, namespace, bytesOf);
	return {
		notices: [...notices, ...otherDayNotices(request, host.timeZone)],
		item: {},
		preview() {
			const shown = JSON.parse(withoutFiles(JSON.stringify(request))) as IDataObject;
			const values = [...cellsOf(shown)].map(([name, value]) => {
				return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
			});
			const changes = `${operation.name}: ${values.join(' · ')}`;
			return { operation: operation.name, changes, request: shown };
		},
		envelope: () => withoutFiles(wrapRequest(connection, operation, children)),
		write: {
			wanted: undefined,
			async send({ exchange }) {
				const answer = await callSoap(exchange, connection, operation, request, children);
				requireConfirmed(operation, answer.result);
				const records = answerRecords(operation, answer.result);
				return { records, notices: mendedNotices(answer.mended, operation.name) };
			},
		},
	};
}

/** Returns the notice about fields of the input or the current records that the request lacks. */
export function notSentNotices(fields: readonly string[]): readonly Notice[] {
	if (fields.length === 0) return [];
	const text = 'Not sent, since the operation does not have these fields';
	return [{ isProblem: true, text, list: fields }];
}

const SUBJECTS: ReadonlySet<string> = new Set(
	soapOperations.map(({ request }) => subjectOf(request.fields)),
);

/**
 * Returns what a call is about, as a text that is the same for `1001`, `"01001"` and `"1001 "`, which the
 * service may take for one; empty if its keys do not say it.
 */
export function subjectIn(keys: Readonly<Record<string, unknown>>): string {
	const subject = Object.entries(keys).filter(([element]) => SUBJECTS.has(element));
	const texts = subject.map(([element, value]) => {
		const text = String(value).trim();
		const whole = /^\+?(-?\d+)(?:\.0*)?$/.exec(text)?.[1];
		return `${element} ${whole === undefined ? text : plainDecimal(whole)}`;
	});
	return texts.join();
}

/** The last week of a long year. */
const LAST_PERIOD = 53;

type RequestKeys = Readonly<Record<string, unknown>>;

/**
 * Returns what is unusual about a period, by element name. The interface states no range
 * (docs/dev/interface.md, section 4.3).
 */
function unusualPeriod({ Year, Period }: RequestKeys): ReadonlyArray<readonly [string, string]> {
	const isFar = Math.abs(Number(Year) - new Date().getFullYear()) > 1;
	const isNone = Number(Period) < 1 || Number(Period) > LAST_PERIOD;
	return [
		...(isFar ? [['Year', 'is more than one year from now'] as const] : []),
		...(isNone ? [['Period', `is below 1 or over ${LAST_PERIOD}`] as const] : []),
	];
}

/**
 * Returns notices about a period that is probably mistyped.
 *
 * @param keys the keys of the request by element name
 * @param whom the employee and the period, in the words of the form
 */
export function periodNotices(keys: RequestKeys, whom: string): readonly Notice[] {
	return unusualPeriod(keys).map(([name, text]) => {
		return { isProblem: true, text: `${name} ${text}`, list: [whom] };
	});
}

/** The switch for a write whose period is otherwise refused. It takes no expression: only a person sets it. */
export const anyPeriod: Switch = {
	displayName: 'Any Period',
	default: false,
	noDataExpression: true,
	description: `Whether to allow a year that is more than one year from now, and a period below 1 or over ${LAST_PERIOD}. If off, the node refuses them as mistyped.`,
};

/** Returns what is wrong with the period of a write, which is probably mistyped. */
export function periodProblems(keys: RequestKeys): readonly Problem[] {
	return collectPartly(unusualPeriod(keys), ([name, text]) =>
		at(name, () => {
			const isShort = name === 'Year' && /^\d{1,2}$/.test(String(keys[name]));
			const offered = isShort ? ` (${2000 + Number(keys[name])}?)` : '';
			const how = `If it is meant, turn on '${anyPeriod.displayName}'.`;
			throw invalidValue(keys[name], `${text}${offered}. ${how}`);
		}),
	).problems;
}
