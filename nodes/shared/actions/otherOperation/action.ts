/** Other Operation: Call, which calls any operation of any service. */
import { createHash } from 'node:crypto';
import { isExpression } from 'n8n-workflow';
import { type Fields, onceFor, type RecordContent } from '../../contract/fields';
import { type Effect, keysOf, type Operation, subjectOf } from '../../contract/operation';
import { soapOperations } from '../../contract/operations';
import { UNKNOWN_OPERATION } from '../../errors/phrases';
import type { ServiceAccess } from '../../exchange/exchange';
import { bytesIn, readFiles } from '../../form/inputFiles';
import type { InputItem } from '../../form/inputItem';
import { automaticCells, cellValue, formOf } from '../../form/mapping/columns';
import { mappedValues } from '../../form/mapping/mapper';
import type { WriteOptions } from '../../form/options';
import { openSchema } from '../../form/output';
import { unusualPeriod } from '../../form/periods';
import {
	checkedRequest,
	identifierInItem,
	noticeOf,
	notSentNotices,
} from '../../form/requestValues';
import { isTool } from '../../host/nodes';
import type { ChosenAction, Plan, WriteCall } from '../../run/action';
import { fetchWsdl } from '../../soap/wsdl/fetch';
import { serviceNamespace } from '../../soap/write';
import {
	collect,
	givesNothing,
	InputError,
	missing,
	type Path,
	validated,
} from '../../values/InputError';
import { isEmpty, isSet, knownValues, ownEntry, type Values } from '../../values/values';
import { addressed, plannedWrite } from '../soapCall';
import { callForm, readCall } from './form';
import { outputOf, takeFiles } from './outputFile';

/** The request elements that the known operations use as keys (employee or company, and period). */
const KEYS: Fields = Object.assign(
	{},
	...soapOperations.map(({ request }) => keysOf(request.fields)),
);

const KEY_FORM = formOf(KEYS);

/** Returns the key that an element or a column is for, whatever its case. */
const keyNamed = (name: string): string => KEY_FORM.find(name)?.path[0] ?? '';

/** Returns the keys of a call: those that have a single text or number, in a list or not. */
function keysIn(values: Values): Values {
	const keys: Values = {};
	for (const [given, value] of Object.entries(values)) {
		const [single, ...others] = [value].flat() as unknown[];
		const isText = typeof single === 'string' && !isEmpty(single);
		if (others.length > 0 || !(isText || typeof single === 'number')) continue;
		const name = keyNamed(given);
		if (Object.hasOwn(keys, name) && given !== name) continue;
		keys[name] = identifierInItem(String(single));
	}
	return keys;
}

/** A request or a response, as long as only the name of the operation is known. */
const ANYTHING: RecordContent = { fields: {}, isOpen: true };

/** Usual names of operations that only read: nothing follows from it but a hint. */
const READING_NAME = /(?:^|_)(?:Get|List)(?!\p{Ll})/u;
const IF_IT_READS =
	"If the operation only reads, add the option 'Only Reads': its calls then overlap, and are repeated after a failure";

/** @throws {InputError} with every value that is missing or not allowed, in the words of the form */
async function plannedCall(
	access: ServiceAccess,
	operation: Operation,
	item: InputItem,
	{ isTyped, parameter, given, stored, isAutomatic }: ReturnType<typeof readCall>,
): Promise<Plan> {
	const { request, service } = operation;
	const form = formOf(request.fields);
	try {
		if (!isTyped) return plannedWrite(access, operation, { request: given, notices: [] });
		let [known, unknown]: [Values, readonly string[]] = [{}, []];
		if (isAutomatic) {
			({ known, unknown } = knownValues(request, automaticCells(request.fields, given), cellValue));
			form.requireValues(known, item.columns);
		} else {
			// Without the content of a file, the call would succeed.
			collect(form.fields, ([id, { field, isRequired }]) => {
				const value = ownEntry(given, id);
				const isLeftOut = isTool(item.node) && value === undefined;
				const isNeeded = isRequired || field.kind === 'base64Binary' || isLeftOut;
				const isGiven = field.kind === 'string' ? isSet(value) : !isEmpty(value);
				if (!isNeeded || isGiven || !isExpression(ownEntry(stored, id))) return;
				throw (isTool(item.node) ? missing() : givesNothing()).at(id);
			});
			known = mappedValues(request.fields, given);
		}
		const bytesOf = bytesIn(item, await readFiles(item, known));
		const sheet = isTool(item.node) ? undefined : item;
		const namespace = serviceNamespace(access.connection.soapNamespace, service);
		const checked = checkedRequest(request, known, sheet, namespace, bytesOf);
		if (checked.problems.length > 0) throw new InputError(checked.problems);
		const notices = [...notSentNotices(unknown), ...checked.notices];
		return plannedWrite(access, operation, { request: checked.values, notices, xml: checked.xml });
	} catch (error) {
		const pathOf = (path: Path): Path => (isTyped ? form.labelledPath(path, isAutomatic) : path);
		throw error instanceof InputError ? error.renamed(pathOf).at(parameter) : error;
	}
}

/** Prepares a call. Its values are checked when it is planned: the service describes their types. */
function prepareCall(item: InputItem, options: WriteOptions<string>): WriteCall {
	const call = readCall(item);
	const { service, name, isTyped, isRead, isAutomatic, given } = call;
	// A column may have an everyday name. One that contradicts another is refused when the call is planned.
	const cells = isAutomatic ? validated(() => automaticCells(KEYS, given)).result : undefined;
	const about = addressed(KEYS, keysIn(cells ?? given));
	const other = soapOperations.find((operation) => operation.name === name)?.service ?? service;
	const text =
		other === service
			? `The ${service} does not know ${name}: check 'Service' and 'Operation Name', and 'SOAP Namespace' in the credential.`
			: `${name} is an operation of the ${other}: set 'Service' to ${other}.`;
	const advice = [{ fault: UNKNOWN_OPERATION, text }];
	const own = { effect: isRead ? 'read' : 'write', advice: () => advice } as const;
	const byName = { service, name, request: ANYTHING, response: ANYTHING, canBeSilent: true };
	/** Made once: what is sent also says whether a retry is the same call. */
	const planned = onceFor(async (access: ServiceAccess<Effect>): Promise<Plan> => {
		const described = isTyped ? (await fetchWsdl(access, service)).operation(name) : byName;
		const operation: Operation = { ...described, ...own };
		const { fields, isOpen } = operation.request;
		// An input item may have keys that the request has not.
		const names = new Set(Object.keys(fields).map(keyNamed));
		const sent = Object.entries(about.keys).filter(([key]) => isOpen === true || names.has(key));
		const keys = Object.fromEntries(sent);
		const output = call.file && outputOf(operation, call.file);
		const { send, ...plan } = await plannedCall(access, operation, item, call);
		const mayRead = !isRead && !isTool(item.node) && READING_NAME.test(name);
		return {
			...plan,
			keys,
			notices: [
				...unusualPeriod(keys).notices,
				...plan.notices,
				...noticeOf('option', IF_IT_READS, mayRead ? [name] : []),
			],
			send:
				send &&
				(async (writing) =>
					await takeFiles(item, output, name, plan, await send(writing), access.host)),
		};
	});
	return {
		...about,
		// A write, whatever the builder declares: a read-only credential refuses it.
		effect: 'write',
		options,
		resends: isRead ? 'always' : 'never',
		async content(access) {
			const files = [...(await readFiles(item, given)).values()].map((file) => {
				const content = file instanceof InputError ? file.message : file;
				return createHash('sha256').update(content).digest('base64');
			});
			// If it cannot be sent, the plan says why.
			const sent = await planned(access).catch(() => undefined);
			return JSON.stringify([service, name, sent?.envelope?.() ?? given, ...files]);
		},
		records: { resendsRefused: call.resendsRefused },
		plan: planned,
	};
}

/** Creates the action that calls any operation of any service. @param known the operation of the form's examples */
export function otherOperationAction(known: Operation): ChosenAction {
	return {
		name: 'Call',
		action: 'Call other operation',
		description:
			'Call any operation of any service, with typed parameters from its own description',
		kind: 'chosen',
		// The operation's effect is unknown, so no call is retried if its outcome is unknown.
		effect: 'write',
		operation: 'Any operation',
		takesDomain: true,
		request: KEYS,
		...callForm(known),
		switches: {},
		outputSchema: () => openSchema({ [subjectOf(known.request.fields)]: { kind: 'int' } }),
		prepare: ([item], options) => prepareCall(item, options),
	};
}
