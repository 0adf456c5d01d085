/** The SOAP operations of the contract (docs/dev/interface.md, section 4.3) as operations of a node. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import { keysOf, type Operation, requestRows } from '../../contract/operation';
import { InputError, type Problem, validated } from '../../values/InputError';
import type { InputItem, InputItems } from '../../form/inputItem';
import { rowFields } from '../../form/mapping/mapper';
import { otherColumns, readCallRequest } from '../../form/mapping/rows';
import { rowFieldsOf, rowsOfItems, specify, WAYS } from '../../form/fields';
import {
	domainOption,
	dryRunProperty,
	emptyItemOption,
	optionsProperty,
	readOption,
	readSwitch,
	readWriteOptions,
	resendOption,
	showEnvelopeOption,
	type Switch,
	type Switches,
	type WriteOptions,
} from '../../form/options';
import { anyPeriod, unusualPeriod } from '../../form/periods';
import type { Notice } from '../../form/requestValues';
import { itemSchema, simpleSchema, simplifier, simplifyProperty } from '../../form/output';
import { requestProperties } from '../../form/requestForm';
import { checkSelection, outputProperties } from '../../form/tool';
import { inTurns } from '../../http/wait';
import type { ActionTexts, ReadAction, WriteAction, WriteCall } from '../../run/action';
import type { Seen } from '../../run/judge';
import { isObject, isSet, type Values } from '../../values/values';
import { itemFields } from '../../soap/call';
import { addressed, callForItems, type Decision, plannedWrite } from '../soapCall';

/** Creates the action for an operation of the contract that reads a list of records. */
export function readAction(
	operation: Operation<'read'>,
	texts: ActionTexts,
	noticesOf: (records: readonly IDataObject[], whom: string) => readonly Notice[] = () => [],
): ReadAction {
	const request = operation.request.fields;
	const record = itemFields(operation) ?? {};
	return {
		...texts,
		kind: 'read',
		effect: 'read',
		operation: operation.name,
		takesDomain: true,
		request,
		properties: [
			...requestProperties(request),
			simplifyProperty,
			...outputProperties,
			optionsProperty([domainOption, emptyItemOption]),
		],
		// Simplify is on by default.
		outputSchema: () => simpleSchema({ ...keysOf(request), ...record }),
		keysInItems(item, keys) {
			const known = Object.entries(request).filter(([name]) => Object.hasOwn(keys, name));
			return simplifier(item, Object.fromEntries(known))(keys) as IDataObject;
		},
		prepare(items) {
			const { values: asked, xml, problems } = readCallRequest(operation.request, items);
			if (problems.length > 0) throw new InputError(problems);
			checkSelection(items[0], { ...record, ...keysOf(request) });
			const { whom, ...about } = addressed(request, asked);
			const isItemIfEmpty = readOption(items[0], emptyItemOption);
			return {
				...about,
				effect: 'read',
				async read(access) {
					const found = await callForItems(access, operation, asked, whom, xml);
					const { records: rows, notices } = found;
					const shown = rows.length === 0 && isItemIfEmpty ? [{}] : rows;
					const simplify = simplifier(items[0], record);
					const records: IDataObject[] = [];
					for await (const row of inTurns(shown)) records.push(simplify(row) as IDataObject);
					const more = [...unusualPeriod(about.keys).notices, ...noticesOf(rows, whom)];
					return { records, notices: [...notices, ...more] };
				},
			};
		},
	};
}

/** What the builder asks to write. */
interface AskedWrite<Name extends string = string> {
	readonly request: Readonly<Values>;
	readonly options: WriteOptions<Name>;
	/** The employee or company and the period, in the words of the form. */
	readonly whom: string;
	readonly item: InputItem;
	/** What is wrong with its values, which are left out. */
	readonly broken: readonly Problem[];
}

/** The rules of its own that an operation has for its writes. They neither read nor send. */
export interface WriteRules<Name extends string = string> {
	readonly switches: Switches<Name>;
	/** The title of a row of its request, as an expression. */
	readonly title?: string;
	/** What the output item of a write has besides the keys, the result of the operation, and whether it was verified. */
	readonly output?: Fields;
	/** The operation that reads the records. Its keys are among those of the write. */
	readonly reads: Operation<'read'>;
	/** Whether a write in doubt can be written again, since its plan depends on what stands there. */
	isRepeatable(options: WriteOptions<Name>): boolean;
	/** Returns a sentence on running again after a run that wrote some items: why that does no harm, or what to do. */
	rerun(options: WriteOptions<Name>): string;
	seen(record: Values): Seen;
	/** Why calls for the same employee and period undo each other; `undefined` if they do not. */
	exclusive?(options: WriteOptions<Name>): string | undefined;
	/**
	 * Checks a request before anything is read. Rows that cannot be used are `undefined`.
	 *
	 * @returns the request as it is meant, and what is wrong with it
	 */
	check?(asked: AskedWrite<Name>): Pick<AskedWrite, 'request'> & Pick<InputError, 'problems'>;
	/** @throws {InputError} with every value that does not fit the records that stand there before, if they are read */
	plan(asked: AskedWrite<Name>, before: readonly Values[] | undefined): Decision;
}

/** The switch of a write that can be read again. It takes no expression: only a person sets it. */
const verify: Switch = {
	displayName: 'Verify',
	default: true,
	noDataExpression: true,
	description:
		'Whether to read the records again after the write. The output item has <code>verified</code>; the node fails if the service has other values than were sent.',
};

const OTHER_FIELDS = 'includeOtherFields';

/** Prepares a call that writes. @throws {InputError} with every value that is missing or not allowed */
function prepareWrite(
	operation: Operation<'write'>,
	rules: WriteRules | undefined,
	items: InputItems,
	options: WriteOptions<string>,
): WriteCall {
	const [item] = items;
	const { fields } = operation.request;
	const rows = requestRows(fields);
	const rowsOfSheet = rowsOfItems(item, fields);
	const read = readCallRequest(operation.request, items);
	const given = read.values;
	const { whom, ...about } = addressed(fields, given);
	// Only rows can be checked in part.
	const canBeChecked = read.problems.length === 0 || (rows && isSet(given[rows.name]));
	const asRead = { request: given, options, whom, item, broken: read.problems };
	const checked = canBeChecked && rules?.check?.(asRead);
	const { request, problems: own } = checked || { request: given, problems: [] };
	const period = unusualPeriod(about.keys);
	const mistyped = options.anyPeriod === true ? [] : period.problems;
	const problems = [...read.problems, ...mistyped, ...own];
	const asksFor = Object.keys(rules?.reads.request.fields ?? {});
	const readable = Object.fromEntries(asksFor.map((name) => [name, given[name]]));
	// A dry run goes on with the rows that can be used, to find what does not fit the records, too.
	const usable = ((rows?.isList && request[rows.name]) || []) as readonly unknown[];
	const canBeRead = mistyped.length === 0 && !Object.values(readable).includes(undefined);
	const canBePlanned = options.dryRun && canBeRead && usable.some(isSet);
	if (problems.length > 0 && !canBePlanned) throw new InputError(problems);
	/** About the records that were read. */
	let mended: readonly Notice[] = [];
	return {
		...about,
		effect: 'write',
		options,
		content() {
			// Who turns on a permission that an error names does not write something else.
			const written = Object.entries(request).filter(([name]) => !fields[name]?.isPermission);
			// 241 and "241" are sent alike, and so are null and nothing, in any order.
			const text = JSON.stringify(Object.fromEntries(written), (_, value: unknown) => {
				if (typeof value === 'number') return String(value);
				if (!isObject(value)) return value ?? undefined;
				return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
			});
			return [operation.service, operation.name, text].join(' ');
		},
		besides:
			rowsOfSheet && readSwitch(item, `options.${OTHER_FIELDS}`, true)
				? otherColumns(rowsOfSheet, items)
				: undefined,
		resends: rules?.isRepeatable(options) === true ? 'afterReading' : 'never',
		exclusive: rules?.exclusive?.(options),
		records: rules
			? {
					isReadBefore: rules.isRepeatable(options) || options.verify === true,
					seen: rules.seen,
					async read(access) {
						const found = await callForItems(access, rules.reads, readable, whom);
						mended = found.notices;
						return found.records;
					},
				}
			: { resendsRefused: readOption(item, resendOption) },
		plan(access, before) {
			const asked = { ...asRead, request, broken: problems };
			const { result: decision, problems: unfit } = validated(() =>
				rules ? rules.plan(asked, before) : { request, notices: [] },
			);
			if (!decision || problems.length > 0) throw new InputError([...problems, ...unfit]);
			const notices = [...mended, ...period.notices, ...decision.notices, ...read.notices];
			const xml = decision.request === given ? read.xml : undefined;
			return plannedWrite(access, operation, { ...decision, notices, xml });
		},
	};
}

/** Creates the action for an operation of the contract that writes. */
export function writeAction(
	operation: Operation<'write'>,
	texts: ActionTexts,
	rules?: WriteRules,
): WriteAction {
	const request = operation.request.fields;
	const rows = requestRows(request);
	const rowFieldsMethod = async () => await Promise.resolve({ fields: rowFields(request) });
	const otherFields: INodeProperties | undefined = rows && {
		displayName: 'Include Other Input Fields',
		name: OTHER_FIELDS,
		type: 'boolean',
		default: true,
		displayOptions: { show: { [`/${specify(rows.name)}`]: [WAYS.items] } },
		description:
			'Whether to include the columns that are not mapped, such as a name, in each output item. Where rows of one employee differ, their values are joined.',
	};
	const switches = {
		...rules?.switches,
		...(Object.hasOwn(request, 'Period') && { anyPeriod }),
		...(rules && { verify }),
	};
	const [text, flag] = [{ kind: 'string' }, { kind: 'boolean' }] as const;
	const answer = itemFields(operation) ?? {};
	const success: Fields = Object.keys(answer).length === 0 ? { success: flag } : answer;
	const proof = { verified: flag, outcome: text };
	const own = rules ? { changes: text, ...success, ...rules.output, ...proof } : success;
	const output = { ...keysOf(request), ...own };
	return {
		...texts,
		kind: 'write',
		effect: 'write',
		operation: operation.name,
		takesDomain: true,
		request,
		properties: [
			dryRunProperty,
			...requestProperties(request, rules?.title),
			...Object.entries(switches).map(([name, own]): INodeProperties => {
				return { name, type: 'boolean', ...own };
			}),
			optionsProperty([
				domainOption,
				showEnvelopeOption,
				...(otherFields ? [otherFields] : []),
				...(rules ? [] : [resendOption]),
			]),
		],
		switches,
		rerun(item) {
			if (!rules) return 'That is safe here, because the same values are written again.';
			const { result } = validated(() => readWriteOptions([item], switches));
			return result && rules.rerun(result);
		},
		...(rows && { methods: { resourceMapping: { [rowFieldsOf(rows.name)]: rowFieldsMethod } } }),
		outputSchema: () => itemSchema(output),
		prepare: (items, options) => prepareWrite(operation, rules, items, options),
	};
}
