/** What all SOAP operations share: whom a call is about, the items of an answer, the plan of a write, and notices. */
import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import { type Effect, keysOf, type Operation, resultField, subjectOf } from '../contract/operation';
import { isOfContract, soapOperations } from '../contract/operations';
import type { ServiceAccess } from '../exchange/exchange';
import { formatKeys } from '../form/fields';
import { formOf } from '../form/mapping/columns';
import { otherDayNotices } from '../form/periods';
import { cellsOf } from '../form/tool';
import { type Notice, noticeOf } from '../form/requestValues';
import type { Addressed, CallResult, Plan } from '../run/action';
import { callForRecords } from '../soap/call';
import { serviceNamespace, wrapRequest, writeRequest } from '../soap/write';
import { plainDecimal } from '../values/kind';
import { withoutFiles } from '../values/scalars';
import { isObject, isSet, ownEntry, type Values } from '../values/values';

/** Calls an operation. @returns the items of its answer @throws as {@link callForRecords} */
export async function callForItems<E extends Effect>(
	{ exchange, connection }: ServiceAccess<E>,
	operation: Operation<E>,
	request: Readonly<Values>,
	whom: string,
	xml?: string,
): Promise<CallResult> {
	const { records, mended } = await callForRecords(exchange, connection, operation, request, xml);
	const text = 'A character that XML does not allow was read as a blank';
	const paths = mended.map((path) => `${path} for ${whom}`);
	return { records, notices: noticeOf('readAs', text, paths) };
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
	const preview = (): IDataObject => {
		if (shown !== undefined) return shown;
		const sent = JSON.parse(withoutFiles(JSON.stringify(request))) as IDataObject;
		return { changes: sentText(operation, sent), operation: operation.name, request: sent };
	};
	return {
		notices: [...notices, ...otherDayNotices(request, timeZone)],
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
