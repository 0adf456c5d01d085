import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import { type Operation, requestRows, resultField, writtenContent } from '../../contract/operation';
import { attempt, collectAll, InputError } from '../../errors/InputError';
import type { InputItem, InputItems } from '../../form/inputItem';
import { type CallRequest, readCallRequest } from '../../form/mapping/items';
import { columnNotices, otherColumns, rowFields } from '../../form/mapping/rows';
import { ITEMS, rowsOfItems, rowFieldsOf, specify } from '../../form/names';
import {
	domainOption,
	dryRunProperties,
	optionsProperty,
	readResend,
	readSwitch,
	readWriteOptions,
	resendOption,
	showEnvelopeOption,
	type Switch,
	type Switches,
	switchProperties,
	type WriteOptions,
} from '../../form/options';
import { requestProperties } from '../../form/requestForm';
import type { ActionTexts, Notice, WriteAction, WriteCall } from '../../run/action';
import type { Wanted } from '../../run/judge';
import type { Seen } from '../../values/compare';
import { isSet, type Values } from '../../values/values';
import {
	anyPeriod,
	normalised,
	periodNotices,
	periodProblems,
	plannedWrite,
	readRecords,
} from '../soapCall';
import { addressed, outputSchema } from './soap';

/** What the builder asks to write. */
interface AskedWrite<Name extends string = string> {
	readonly request: Readonly<Values>;
	readonly options: WriteOptions<Name>;
	/** The employee or company and the period, in the words of the form. */
	readonly whom: string;
	/** The first input item of the call. */
	readonly item: InputItem;
	/** Whether something of its rows is left out, since it cannot be used. */
	readonly isPartial: boolean;
}

/** What the rules of an operation decide. */
interface Decision {
	/** What is sent; `undefined` if the service already has all values. */
	readonly request: Readonly<Values> | undefined;
	/** What stands there once it is applied. */
	readonly wanted: Wanted;
	/** What the output item has besides the keys and the result of the operation. */
	readonly item: IDataObject;
	/** What a dry run shows, if it is not the request. */
	readonly shown?: IDataObject;
	readonly notices: readonly Notice[];
}

/** The rules of its own that an operation has for its writes. They neither read nor send. */
export interface WriteRules<Name extends string = string> {
	/** The switches that the rules depend on. */
	readonly switches: Switches<Name>;
	/** What the output item of a write has besides the keys and the result of the operation. */
	readonly output: Fields;
	/** The operation that reads the records. Its keys are among those of the write. */
	readonly reads: Operation<'read'>;
	/** Whether the records are read before anything is sent. */
	isReadBefore(options: WriteOptions<Name>): boolean;
	/** Whether a write does no harm that follows one of which nothing is known: its plan depends on what stands there. */
	isRepeatable(options: WriteOptions<Name>): boolean;
	/** Returns why that does no harm, or what to do: a sentence about a run that follows one that wrote some items. */
	rerun(options: WriteOptions<Name>): string;
	/** Returns what of a record is compared. */
	seen(record: Values): Seen;
	/** Why calls for the same employee and period undo each other; `undefined` if they do not. */
	exclusive?(options: WriteOptions<Name>): string | undefined;
	/**
	 * Checks a request as far as that is possible before anything is read: the calls of a run are all
	 * checked before the first is sent. Rows that cannot be used are `undefined`.
	 *
	 * @returns the request as it is meant, and what is wrong with it
	 */
	check?(asked: AskedWrite<Name>): Readonly<Pick<CallRequest, 'request' | 'problems'>>;
	/**
	 * @param before the records that stand there, if they are read before
	 * @throws {InputError} with every value that does not fit them
	 */
	plan(asked: AskedWrite<Name>, before: readonly Values[] | undefined): Decision;
}

/** The switch of a write that can be read again. It takes no expression: only a person sets it. */
const verifySwitch: Switch = {
	displayName: 'Verify',
	default: true,
	noDataExpression: true,
	description:
		'Whether to read the records again after the write. The output item has <code>verified</code>; the node fails if the service has other values than were sent.',
};

const OTHER_FIELDS = 'includeOtherFields';

/** The option for the columns of input items that are rows, in the words of n8n. */
const otherFields = (element: string): INodeProperties => ({
	displayName: 'Include Other Input Fields',
	name: OTHER_FIELDS,
	type: 'boolean',
	default: true,
	displayOptions: { show: { [`/${specify(element)}`]: [ITEMS] } },
	description:
		'Whether to include the columns that are not mapped, such as a name, in each output item. Where rows of one employee differ, their values are joined.',
});

/** Prepares a call that writes. @throws {InputError} with every value that is missing or not allowed */
function prepareWrite(
	operation: Operation<'write'>,
	rules: WriteRules | undefined,
	items: InputItems,
	options: WriteOptions<string>,
): WriteCall {
	const { service, name } = operation;
	const request = operation.request.fields;
	const rows = requestRows(request);
	const [, result] = resultField(operation) ?? [];
	const read = readCallRequest(request, items);
	const { whom, ...about } = addressed(operation, read.request);
	const { values: given, notices: written } = normalised(operation.request, read.request);
	const isPartial = read.problems.length > 0;
	const asked = { request: given, options, whom, item: items[0], isPartial };
	// Only rows can be checked in part.
	const canBeChecked = !isPartial || (rows && isSet(given[rows.name]));
	const own = canBeChecked ? rules?.check?.(asked) : undefined;
	const period = options.anyPeriod === true ? [] : periodProblems(about.keys);
	const problems = [...read.problems, ...period, ...(own?.problems ?? [])];
	const checked: AskedWrite = {
		...{ ...asked, request: own?.request ?? given },
		isPartial: problems.length > 0,
	};
	const refuse = () => {
		if (problems.length > 0) throw new InputError(problems);
	};
	const keys = Object.keys(rules?.reads.request.fields ?? {});
	const readable = Object.fromEntries(keys.map((key) => [key, given[key]]));
	// A dry run goes on with the rows that can be used, to find what does not fit the records, too.
	const usable = ((rows?.isList && own?.request[rows.name]) || []) as readonly unknown[];
	const canBeRead = period.length === 0 && !Object.values(readable).includes(undefined);
	if (!options.dryRun || !canBeRead || !usable.some(isSet)) refuse();
	const isRows = rowsOfItems(items[0], request) !== undefined;
	const reason = rules?.exclusive?.(options);
	/** Of what was read. */
	let mended: readonly Notice[] = [];
	return {
		...about,
		effect: 'write',
		options,
		whom,
		content: () => [service, name, writtenContent(request, checked.request)].join(' '),
		besides:
			isRows && readSwitch(items[0], `options.${OTHER_FIELDS}`, true)
				? otherColumns(request, items)
				: undefined,
		resends: rules?.isRepeatable(options) === true ? 'afterReading' : 'never',
		exclusive: reason === undefined ? undefined : { key: whom, reason },
		records: rules
			? {
					isReadBefore: rules.isReadBefore(options),
					seen: rules.seen,
					async read(access) {
						const found = await readRecords(access, rules.reads, readable, whom);
						mended = found.notices;
						return found.records;
					},
				}
			: readResend(items[0]),
		plan(access, before) {
			const [, decision] = collectAll(refuse, () => rules?.plan(checked, before));
			const { item = {}, notices = [], shown, wanted } = decision ?? {};
			const far = periodNotices(about.keys, whom);
			const columns = isRows ? columnNotices(request, items[0], read.unknown) : [];
			const all = [...mended, ...far, ...notices, ...written, ...columns];
			const sent = decision ? decision.request : checked.request;
			if (sent === undefined) {
				return { notices: all, item, preview: () => shown ?? item, write: undefined };
			}
			const planned = plannedWrite(access, operation, sent, all);
			const write = { ...planned.write, wanted, idName: result?.property };
			return { ...planned, item, write, ...(shown && { preview: () => shown }) };
		},
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
	rules?: WriteRules,
	title?: string,
): WriteAction {
	const request = operation.request.fields;
	const rows = requestRows(request);
	const rowFieldsMethod = async () => await Promise.resolve({ fields: rowFields(request) });
	const switches = {
		...rules?.switches,
		...(Object.hasOwn(request, 'Period') && { anyPeriod }),
		...(rules && { verify: verifySwitch }),
	};
	return {
		...texts,
		kind: 'write',
		effect: 'write',
		operation: operation.name,
		takesDomain: true,
		request,
		properties: [
			...dryRunProperties,
			...requestProperties(request, title),
			...switchProperties(switches),
			optionsProperty([
				domainOption,
				showEnvelopeOption,
				...(rows ? [otherFields(rows.name)] : []),
				...(rules ? [] : [resendOption]),
			]),
		],
		switches,
		isReadable: rules !== undefined,
		rerun(item) {
			if (!rules) return 'That is safe here, because the same values are written again.';
			const { result } = attempt(() => readWriteOptions([item], switches));
			return result && rules.rerun(result);
		},
		...(rows && { methods: { resourceMapping: { [rowFieldsOf(rows.name)]: rowFieldsMethod } } }),
		keysInItems: (_, keys) => keys,
		outputSchema: () => outputSchema(operation, rules?.output),
		prepare: (items, options) => prepareWrite(operation, rules, items, options),
	};
}
