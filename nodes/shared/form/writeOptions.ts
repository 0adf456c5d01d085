/** What a builder decides about a write: the switches in its form, and their values for an item. */
import { isExpression, type INodeProperties } from 'n8n-workflow';
import { at, collect, invalidInput } from '../errors/InputError';
import { joinNames } from '../errors/words';
import type { InputItem, InputItems } from './inputItem';
import { rowName } from './names';
import { readSwitch } from './options';

/** A switch in the form of a write. */
export interface Switch
	extends Pick<INodeProperties, 'displayName' | 'description' | 'noDataExpression'> {
	readonly default: boolean;
}

/** Switches by the names of their parameters. */
export type Switches<Name extends string = string> = Readonly<Record<Name, Switch>>;

/** The switches of every write. */
const common = {
	dryRun: {
		displayName: 'Dry Run',
		default: false,
		description: 'Whether to write nothing and only show what would be sent',
	},
} as const satisfies Switches;

/** The option of every write. */
export const showEnvelopeOption: INodeProperties = {
	displayName: 'Show Envelope',
	name: 'showEnvelope',
	type: 'boolean',
	// A builder who adds this option wants it on.
	default: true,
	description: 'Whether the items of a dry run have the SOAP envelope that would be sent',
};

/** Whether a dry run shows the envelope. @throws {InputError} if the option is not a boolean */
export function showsEnvelope(item: InputItem): boolean {
	return readSwitch(item, `options.${showEnvelopeOption.name}`, false);
}

/** Whether each switch is on: those of every write, and those of an operation. */
export type WriteOptions<Name extends string = never> = Readonly<
	Record<Name | keyof typeof common, boolean>
> & { readonly verify?: boolean };

/** Returns the form of switches. */
export function switchProperties(switches: Switches): INodeProperties[] {
	return Object.entries(switches).map(([name, one]) => ({ name, type: 'boolean', ...one }));
}

/** The switch that stands first in the form of every write: what a person turns on before anything else. */
export const dryRunProperties = switchProperties(common);

const named = (items: readonly InputItem[]): string =>
	joinNames(items.map((item) => rowName(item).toLowerCase()));

/**
 * Reads a switch for all input items of a call: only an expression can differ between them.
 *
 * @throws {InputError} naming the switch, if a value is not a boolean, or items disagree
 */
function readForAll(items: InputItems, name: string, fallback: boolean): boolean {
	const asked = isExpression(items[0].stored(name)) ? items : [items[0]];
	const values = asked.map((item) => readSwitch(item, name, fallback));
	const on = asked.filter((_, i) => values[i]);
	const off = asked.filter((_, i) => !values[i]);
	if (off.length === 0 || on.length === 0) return on.length > 0;
	const text = `is off for ${named(off)}, but on for ${named(on)}. Rows that are written in one call need the same value.`;
	return at(name, () => {
		throw invalidInput(text, 'VALUE_CONFLICT');
	});
}

/**
 * Reads what the builder decides about a write.
 *
 * @param items the input items of the call
 * @param own the switches of the operation
 * @throws {InputError} naming each switch whose value is not a boolean, or differs between items
 */
export function readWriteOptions(items: InputItems, own: Switches): WriteOptions<string> {
	const all: Switches = { ...own, ...common };
	const read = collect(Object.entries(all), ([name, one]) => {
		return [name, readForAll(items, name, one.default)] as const;
	});
	return Object.fromEntries(read) as WriteOptions<string>;
}
