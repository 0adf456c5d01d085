import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import { requestList, writtenContent, type Operation } from '../../contract/operation';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItems } from '../../form/inputItem';
import { isSplit, readCallRequest } from '../../form/mapping/items';
import { rowFields } from '../../form/mapping/rows';
import { rowFieldsOf } from '../../form/names';
import { domainOption, optionsProperty } from '../../form/options';
import { requestProperties } from '../../form/requestForm';
import {
	showEnvelopeOption,
	switchProperties,
	type Switch,
	type Switches,
	type WriteOptions,
} from '../../form/writeOptions';
import type {
	ActionTexts,
	Look,
	Notice,
	PlannedWrite,
	Standing,
	WriteAction,
	WriteCall,
} from '../../run/action';
import type { Values } from '../../values/values';
import { anyPeriod, checkPeriod, notSentNotices, periodNotices, plannedWrite } from '../soapCall';
import { addressed, outputSchema } from './soap';

/** What the builder asks to write. */
export interface AskedWrite<Name extends string = string> {
	readonly request: Readonly<Values>;
	readonly options: WriteOptions<Name>;
	/** The employee or company and the period, in the words of the form. */
	readonly whom: string;
	/** See {@link isSplit}. */
	isSplit(): boolean;
}

interface Decided {
	/** What a dry run shows before the request. */
	readonly shown: IDataObject;
	readonly notices: readonly Notice[];
}

/** A request to send, as the rules of an operation decide. */
export interface Sending extends Decided {
	readonly kind: 'send';
	readonly request: Readonly<Values>;
	/** Added to the output item. */
	readonly added: IDataObject;
}

/** Nothing is sent, since the service already has all values. */
export interface Unneeded extends Decided {
	readonly kind: 'nothingToDo';
	/** The output item. */
	readonly record: IDataObject;
}

/** The rules of its own that an operation has for its writes. */
export interface WriteRules<Name extends string = string> {
	/** The switches that the rules depend on. */
	readonly switches: Switches<Name>;
	/** What the output item of a write has besides the keys and the result of the operation. */
	readonly output: Fields;
	/** Whether the current records are read before anything is sent. */
	readsFirst(options: WriteOptions<Name>): boolean;
	/**
	 * Checks a request as far as that is possible before anything is read: the calls of a run are all
	 * checked before the first is sent.
	 *
	 * @returns the request as it is meant
	 * @throws {InputError} with every value that is not allowed
	 */
	check(asked: AskedWrite<Name>): Readonly<Values>;
	/**
	 * @throws {InputError} if the values do not fit the current records
	 * @throws {ServiceError} if the current records cannot be read; nothing was written then
	 */
	decide(access: ServiceAccess, asked: AskedWrite<Name>): Promise<Sending | Unneeded>;
	/**
	 * Looks for what was asked or sent; `undefined` if nothing reads it.
	 *
	 * @returns the output item of the write, as far as it can be read; `undefined` if the service does
	 * not have all values
	 * @throws {InputError | ServiceError} if they cannot be read or compared
	 */
	find:
		| ((access: ServiceAccess, asked: AskedWrite<Name>) => Promise<IDataObject | undefined>)
		| undefined;
	/**
	 * Compares what stands at the service with what was sent; `undefined` if nothing reads it.
	 *
	 * @param written the output item of the write
	 * @throws {InputError | ServiceError} if it cannot be read
	 */
	verify:
		| ((
				access: ServiceAccess,
				request: Readonly<Values>,
				written: IDataObject,
		  ) => Promise<Standing>)
		| undefined;
}

/** The switch of a write that can be read again. It takes no expression: only a person sets it. */
const verifySwitch: Switch = {
	displayName: 'Verify',
	default: true,
	noDataExpression: true,
	description:
		'Whether to read the records again after the write. The output item has <code>verified</code>; the node fails if the service has other values than were sent.',
};

const noRules: WriteRules = {
	switches: {},
	output: {},
	readsFirst: () => false,
	check: ({ request }) => request,
	decide: async (_, { request }) => {
		return await Promise.resolve({ kind: 'send', request, added: {}, shown: {}, notices: [] });
	},
	find: undefined,
	verify: undefined,
};

/** Returns what looks for a write. @param added what its output item has besides what is read */
function lookOf(
	{ find, readsFirst }: WriteRules,
	sought: Omit<AskedWrite, 'options'>,
	added: IDataObject = {},
): Look | undefined {
	if (find === undefined) return undefined;
	return async (access, options) => {
		const found = await find(access, { ...sought, options });
		if (found === undefined) return undefined;
		const isProblem = !readsFirst(options);
		const before = isProblem ? ' (it may have had them before)' : '';
		const text = `The answer was lost, and the service has all values${before}`;
		const records = [{ ...found, ...added, outcome: 'applied' }];
		return { records, notices: [{ isProblem, text, list: [sought.whom] }] };
	};
}

/** Plans to send what the rules of an operation decided. */
function planSending(
	access: ServiceAccess,
	operation: Operation<'write'>,
	{ request, added, shown }: Sending,
	notices: readonly Notice[],
	readings: Pick<PlannedWrite, 'look' | 'verify'>,
): PlannedWrite {
	const planned = plannedWrite(access, operation, request, notices);
	return {
		...planned,
		...readings,
		preview: () => ({ ...shown, ...planned.preview() }),
		async send(access) {
			const result = await planned.send(access);
			return { ...result, records: result.records.map((one) => ({ ...one, ...added })) };
		},
	};
}

/** Prepares a call: what the builder asks is read at once, what is sent is decided by the rules. */
function prepareWrite(
	operation: Operation<'write'>,
	rules: WriteRules,
	items: InputItems,
	options: WriteOptions<string>,
): WriteCall {
	const { service, name, request: message } = operation;
	const { request: given, unknown } = readCallRequest(message.fields, items);
	const { whom, ...about } = addressed(operation, given);
	if (options.anyPeriod !== true) checkPeriod(about.keys);
	const whole = { request: given, whom, isSplit: () => isSplit(message.fields, items[0], given) };
	const asked = { ...whole, request: rules.check({ ...whole, options }) };
	return {
		...about,
		effect: 'write',
		content: () => [service, name, writtenContent(message.fields, asked.request)].join(' '),
		resends: (options) => (rules.readsFirst(options) ? 'afterReading' : 'never'),
		async plan(access, options) {
			const decision = await rules.decide(access, { ...asked, options });
			const notices = [
				...periodNotices(about.keys, whom),
				...decision.notices,
				...notSentNotices(unknown),
			];
			if (decision.kind === 'nothingToDo') {
				const { kind, record, shown } = decision;
				// The dry run of a list has the same columns in all items.
				const preview = () => ({ ...shown, operation: name, request: null });
				return { kind, record, notices, preview };
			}
			const sent = { ...asked, request: decision.request };
			const { verify } = options.verify === true ? rules : noRules;
			return planSending(access, operation, decision, notices, {
				look: lookOf(rules, sent, decision.added),
				verify: verify && (async (reading, item) => await verify(reading, sent.request, item)),
			});
		},
		look: lookOf(rules, asked),
	};
}

/**
 * Creates the action for a SOAP operation of the contract that writes (docs/dev/interface.md, section
 * 4.3).
 *
 * @param rules the rules of its own, if it has any
 * @param title expression of the title of a row of its request, if it has any
 */
export function writeAction(
	operation: Operation<'write'>,
	texts: ActionTexts,
	rules: WriteRules = noRules,
	title?: string,
): WriteAction {
	const request = operation.request.fields;
	const list = requestList(request);
	const rowFieldsMethod = async () => await Promise.resolve({ fields: rowFields(request) });
	const isForPeriod = Object.hasOwn(request, 'Period');
	const switches = {
		...rules.switches,
		...(isForPeriod && { anyPeriod }),
		...(rules.verify && { verify: verifySwitch }),
	};
	return {
		...texts,
		kind: 'write',
		effect: 'write',
		operation: operation.name,
		takesDomain: true,
		request,
		properties: [
			...requestProperties(request, title),
			...switchProperties(switches),
			optionsProperty('write', [domainOption, showEnvelopeOption]),
		],
		switches,
		...(list && { methods: { resourceMapping: { [rowFieldsOf(list.name)]: rowFieldsMethod } } }),
		keysInItems: (_, keys) => keys,
		outputSchema: () => outputSchema(operation, rules.output),
		prepare: (items, options) => prepareWrite(operation, rules, items, options),
	};
}
