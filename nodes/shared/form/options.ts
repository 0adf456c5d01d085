/** The options of a node, and what a builder decides about a write: their forms, and their values for an item. */
import { type INodeProperties, isExpression } from 'n8n-workflow';
import {
	at,
	collect,
	collectAll,
	invalidInput,
	invalidValue,
	rowsText,
} from '../values/InputError';
import { writeScalar } from '../values/scalars';
import { isEmpty, isObject } from '../values/values';
import type { InputItem, InputItems } from './inputItem';

/** Stored for a concurrency that adapts to the service. */
const AUTOMATIC = 0;
/** Also how many calls run or wait if the concurrency is automatic. */
const MAX_CONCURRENCY = 64;

const concurrencyOption: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: AUTOMATIC, maxValue: MAX_CONCURRENCY, numberPrecision: 0 },
	default: AUTOMATIC,
	description: `How many input items to process at the same time. With ${AUTOMATIC}, the node decides: it reads 16 to 32 at once, and writes one after the other, or up to 8 at once if On Error is set to continue.`,
};

const includeRequestKeysOption: INodeProperties = {
	displayName: 'Include Request Fields',
	name: 'includeRequestKeys',
	type: 'boolean',
	default: true,
	description:
		'Whether to include the fields of the request, such as employee, period and year, in each output item',
};

const sizeOption: INodeProperties = {
	displayName: 'Response Size Limit (MiB)',
	name: 'responseSizeLimit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 8,
	description: 'Maximum size of one response of the service',
};

const timeoutOption: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'How long to wait for a complete response of the service',
};

/** The option of every SOAP operation. */
export const domainOption: INodeProperties = {
	displayName: 'Domain',
	name: 'domain',
	type: 'string',
	default: '',
	description: "Domain of the payroll environment to call, instead of 'Domain' in the credential",
};

/** What an option has that is on once the builder adds it; see {@link readOption}. */
export const onIfAdded = { type: 'boolean', default: true } as const;

/** The option of an operation that reads a list. */
export const emptyItemOption: INodeProperties = {
	...onIfAdded,
	displayName: 'Return an Item if Empty',
	name: 'returnItemIfEmpty',
	description:
		'Whether to return an item for an input item without records. Only the fields of the request have values.',
};

const collection = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/** Returns the "Options" collection of an operation: the common options and its own. */
export function optionsProperty(own: readonly INodeProperties[] = []): INodeProperties {
	const common = [concurrencyOption, includeRequestKeysOption, sizeOption, timeoutOption];
	return collection([...common, ...own]);
}

/** The "Options" collection of an operation that makes one call for all items. */
export const responseLimitsProperty = collection([sizeOption, timeoutOption]);

/**
 * Reads a number of the form, whose field may have narrower limits: a whole number if it takes no fraction.
 *
 * @throws {InputError} naming the field, if it is not a number from `lowest` to `highest`
 */
export function readNumber(
	item: InputItem,
	{ name, default: fallback, typeOptions }: INodeProperties,
	lowest: number,
	highest: number,
	parameter = `options.${name}`,
): number {
	const value = item.read(parameter, fallback);
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isInRange = typeof number === 'number' && number >= lowest && number <= highest;
	const isWhole = typeOptions?.numberPrecision === 0;
	if (!isInRange || (isWhole && !Number.isInteger(number))) {
		const kind = isWhole ? 'a whole number' : 'a number';
		throw invalidValue(value, `is not ${kind} from ${lowest} to ${highest}.`).at(name);
	}
	return number;
}

/** Reads a switch of the form, or `options.` and its name. @throws {InputError} naming it, if its value is not a boolean */
export function readSwitch(item: InputItem, parameter: string, fallback: boolean): boolean {
	const value = item.read(parameter, fallback);
	const name = parameter.replace('options.', '');
	return at(name, () => writeScalar({ kind: 'boolean' }, value)) === 'true';
}

/** Whether the builder added an option and it is on. @throws {InputError} as {@link readSwitch} */
export function readOption(item: InputItem, { name }: INodeProperties): boolean {
	return readSwitch(item, `options.${name}`, false);
}

/** Reads the options of a whole run, from its first input item. @throws {InputError} with every value that is not allowed */
export function readOptions(first: InputItem) {
	const [concurrency, includeRequestKeys, seconds, mebibytes] = collectAll(
		() =>
			isEmpty(first.read(`options.${concurrencyOption.name}`, AUTOMATIC))
				? AUTOMATIC
				: readNumber(first, concurrencyOption, AUTOMATIC, MAX_CONCURRENCY),
		() => readSwitch(first, 'options.includeRequestKeys', true),
		() => readNumber(first, timeoutOption, 0.001, 86_400),
		() => readNumber(first, sizeOption, 0.001, 2048),
	);
	return {
		/** How many calls run or wait for their turn at the same time. */
		concurrency: concurrency || MAX_CONCURRENCY,
		/** Whether the number of calls in flight adapts to the service. */
		isAdaptive: concurrency === AUTOMATIC,
		includeRequestKeys,
		timeoutMs: seconds * 1000,
		maxBytes: mebibytes * 2 ** 20,
	};
}

/** The node's options, with their defaults filled in. */
export type CallOptions = ReturnType<typeof readOptions>;

/**
 * Returns the Domain in a node's options; `undefined` if the option was not added, so the
 * credential's Domain applies. If the option evaluates to nothing, the Domain is an empty string,
 * not the credential's: a call must never reach another environment than the intended one.
 */
export function domainIn(options: unknown, evaluate: (value: unknown) => unknown) {
	if (!isObject(options) || !Object.hasOwn(options, 'domain')) return undefined;
	const value = evaluate(options.domain);
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A switch in the form of a write. */
export type Switch = Pick<INodeProperties, 'displayName' | 'description' | 'noDataExpression'> & {
	readonly default: boolean;
};

/** Switches by the names of their parameters. */
export type Switches<Name extends string = string> = Readonly<Record<Name, Switch>>;

/** The option of every write. */
export const showEnvelopeOption: INodeProperties = {
	...onIfAdded,
	displayName: 'Show Envelope',
	name: 'showEnvelope',
	description: 'Whether the items of a dry run have the SOAP envelope that would be sent',
};

/** Whether each switch is on: that of every write, and those of an operation. */
export type WriteOptions<Name extends string> = Readonly<Record<Name | 'dryRun', boolean>> & {
	readonly verify?: boolean;
};

/** The option of a write that nothing can read. */
export const resendOption: INodeProperties = {
	...onIfAdded,
	displayName: 'Resend if Refused',
	name: 'resendIfRefused',
	description:
		'Whether a retry of a failed execution sends again what the service refused with a code. Nothing can be read to see whether it was applied, so add this option only if the service changes nothing then.',
};

/** It stands first in the form of every write: what a person turns on before anything else. */
export const dryRunProperty = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description: 'Whether to write nothing and only show what would be sent',
} as const satisfies INodeProperties;

/**
 * Reads the switches of a write: that of all writes and those of the operation.
 *
 * @throws {InputError} naming each switch whose value is not a boolean, or differs between the items of the call
 */
export function readWriteOptions(items: InputItems, own: Switches): WriteOptions<string> {
	const switches = Object.entries({ ...own, dryRun: dryRunProperty });
	const read = collect(switches, ([name, { default: fallback }]) => {
		// Only an expression can differ between the items.
		const asked = isExpression(items[0].stored(name)) ? items : [items[0]];
		const values = asked.map((item) => readSwitch(item, name, fallback));
		const [first = fallback] = values;
		if (!values.includes(!first)) return [name, first] as const;
		const rows = (isOn: boolean): string =>
			rowsText(asked.filter((_, i) => values[i] === isOn).map((item) => String(item.rowNumber)));
		const text = `is off for ${rows(false)}, but on for ${rows(true)}. Rows that are written in one call need the same value.`;
		throw invalidInput(text, 'VALUE_CONFLICT').at(name);
	});
	return Object.fromEntries(read) as WriteOptions<string>;
}
