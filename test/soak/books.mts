/** Compares the items that came out of the engine with what the service did. */
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import type { RequestEntry } from '../../dev/sandbox/client.mts';

/** How the items of a run ended. */
export type Tally = Record<'read' | 'written' | 'notApplied' | 'unknown' | 'refused read', number>;

export const noTally = (): Tally => ({
	read: 0,
	written: 0,
	notApplied: 0,
	unknown: 0,
	'refused read': 0,
});

/** How often the service carried out the call with each mark. */
export function executions(requests: readonly RequestEntry[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const { body, status } of requests) {
		const mark = />(mark-\d+)</.exec(body)?.[1];
		if (mark !== undefined && status === 200) counts.set(mark, (counts.get(mark) ?? 0) + 1);
	}
	return counts;
}

function errorOf(outputs: readonly IDataObject[]): IDataObject | undefined {
	return outputs.length === 1 ? (outputs[0]?.error as IDataObject | undefined) : undefined;
}

function wrong(item: IDataObject, what: string, outputs: readonly IDataObject[]): Error {
	return new Error(`${JSON.stringify(item)}: ${what}: ${JSON.stringify(outputs).slice(0, 500)}`);
}

/** Counts one written item; throws if the service did something else than the item says. */
export function settleWrite(
	item: IDataObject,
	outputs: readonly IDataObject[],
	executed: number,
	tally: Tally,
): void {
	const [output, ...others] = outputs;
	if (output === undefined || others.length > 0) throw wrong(item, 'not one item', outputs);
	const error = errorOf(outputs);
	const outcome = error === undefined ? 'written' : (error.outcome as keyof Tally);
	const allowed = { written: [1], notApplied: [0], unknown: [0, 1] }[String(outcome)] ?? [];
	if (!allowed.includes(executed)) throw wrong(item, `carried out ${executed} times`, outputs);
	tally[outcome] += 1;
}

/** Counts one read item; throws if records are missing. */
export function settleRead(
	item: IDataObject,
	outputs: readonly IDataObject[],
	expected: readonly IDataObject[],
	tally: Tally,
): void {
	// Objects from another process have other prototypes.
	const received: unknown = JSON.parse(JSON.stringify(outputs));
	if (errorOf(outputs) !== undefined) tally['refused read'] += 1;
	else if (isDeepStrictEqual(received, expected)) tally.read += 1;
	else throw wrong(item, 'not its records', outputs);
}
