/** What a builder decides about a write: the switches in its form, and their values for an item. */
import type { INodeProperties } from 'n8n-workflow';
import { collect } from '../errors/InputError';
import type { InputItem } from './inputItem';
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

/** Whether each switch is on: those of every write, and those of an operation. */
export type WriteOptions<Name extends string = never> = Readonly<
	Record<Name | keyof typeof common, boolean>
>;

/** Returns the form of an operation's switches, and of those of every write. */
export function switchProperties(own: Switches): INodeProperties[] {
	const all: Switches = { ...own, ...common };
	return Object.entries(all).map(([name, one]) => ({ name, type: 'boolean', ...one }));
}

/**
 * Reads what the builder decides about a write.
 *
 * @param own the switches of the operation
 * @throws {InputError} naming each switch whose value is not a boolean
 */
export function readWriteOptions(item: InputItem, own: Switches): WriteOptions<string> {
	const all: Switches = { ...own, ...common };
	const read = collect(Object.entries(all), ([name, one]) => {
		return [name, readSwitch(item, name, one.default)] as const;
	});
	return Object.fromEntries(read) as WriteOptions<string>;
}
