/* Lists that change while they are read. */
import fc from 'fast-check';
import { hourCodesGet } from '../../../nodes/shared/contract/operations.ts';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { readList } from '../../../nodes/shared/rest/list.ts';
import { answering, connectionTo } from '../../support/exchange.mts';
import { runs } from '../../support/runs.mts';
import { scenario, ShiftingList, type Change, type Scenario } from './shifting-list.mts';

const connection = connectionTo('http://localhost');

/** Reads the list of a scenario; returns the identifiers, or the error's title. */
async function read(of: Scenario, checkForChanges = true) {
	const list = new ShiftingList(of);
	const { exchange, requests } = answering(({ query }, index) => ({
		body: list.answer(index, Number(query?.pageNumber)),
	}));
	const { pageSize, firstPage } = of;
	const options = { limit: undefined, pageSize, firstPage, checkForChanges };
	try {
		const records = await readList(
			exchange,
			connection,
			hourCodesGet,
			{ companyId: '100' },
			options,
		);
		return { list, requests, ids: records.map(({ id }) => Number(id)) };
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		return { list, requests, error: error.message };
	}
}

/** The problems of identifiers that were read from a list. */
function faults(ids: readonly number[], list: ShiftingList): string[] {
	return [
		...list.lasting.filter((id) => !ids.includes(id)).map((id) => `${id} is missing`),
		...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${id} came twice`),
		...ids.filter((id) => !list.known.has(id)).map((id) => `${id} never existed`),
	];
}

const { numRuns } = runs(2);

describe('a list that changes while it is read', () => {
	it('is complete, or the node fails', async () => {
		const seen = { unchanged: 0, changed: 0, error: 0, hidden: 0 };
		await fc.assert(
			fc.asyncProperty(scenario, async (of) => {
				const { list, ids } = await read(of);
				if (ids === undefined) {
					seen.error += 1;
					return;
				}
				// Undetectable in principle; nothing else is skipped.
				if (list.hidesChange) {
					seen.hidden += 1;
					fc.pre(false);
				}
				expect(faults(ids, list)).toEqual([]);
				const moments = new Set(list.visits.map(({ moment }) => JSON.stringify(moment)));
				seen[moments.size > 1 ? 'changed' : 'unchanged'] += 1;
			}),
			{ numRuns },
		);
		// Enough lists of each kind, and few were skipped.
		expect(Math.min(seen.unchanged, seen.changed, seen.error)).toBeGreaterThan(numRuns / 100);
		expect(seen.hidden).toBeLessThan(numRuns / 20);
	});

	it('may lack a record or hold it twice without the check', async () => {
		const unchecked = fc.asyncProperty(scenario, async (of) => {
			const { list, ids } = await read(of, false);
			if (ids !== undefined) expect(faults(ids, list)).toEqual([]);
		});
		const { failed } = await fc.check(unchecked, { numRuns, endOnFailure: true });
		expect(failed).toBe(true);
	});
});

describe('if the service', () => {
	const quiet: Scenario = {
		count: 10,
		cap: 100,
		pageSize: 4,
		firstPage: 1,
		kind: 'array',
		hasOrder: true,
		schedule: [],
	};
	/** Changes before the third request, when two of the three pages are read. */
	const before3 = (...changes: Change[]): Scenario => ({ ...quiet, schedule: [[], [], changes] });
	const before2 = (...changes: Change[]): Scenario => ({ ...quiet, schedule: [[], changes] });
	const all = Array.from({ length: 10 }, (_, i) => i + 1);
	const upTo8 = all.slice(0, 8);
	const changed = 'The list changed while it was being read';
	const twice = 'The payroll service sent the same record on two pages';
	const samePage = 'The payroll service sent the same page twice';

	it.each([
		['caps the page size from the start', { ...quiet, cap: 3 }, 9],
		['appends a record', before3({ kind: 'append' }), 7],
		['changes a record that is not read yet', before3({ kind: 'edit', at: 9 }), 7],
	])('%s, the list is complete', async (_, of, requests) => {
		const { ids, list, requests: sent } = await read(of);
		expect(ids?.slice(0, 10)).toEqual(all);
		expect(faults(ids ?? [], list)).toEqual([]);
		expect(sent).toHaveLength(requests);
	});

	const noticed: ReadonlyArray<readonly [string, Scenario, string, number[]]> = [
		['deletes a record', before3({ kind: 'delete', at: 0 }), changed, [...upTo8, 10]],
		['inserts a record', before3({ kind: 'insert', at: 0 }), twice, [...upTo8, 8, 9, 10]],
		[
			'deletes a record and moves another to the first page, while the second stays the same',
			before3({ kind: 'delete', at: 0 }, { kind: 'move', at: 8, to: 0 }),
			changed,
			[...upTo8, 9],
		],
		[
			'has no order: the list is reversed at each request',
			{ ...quiet, schedule: Array.from({ length: 9 }, (): Change[] => [{ kind: 'reverse' }]) },
			twice,
			[10, 9, 8, 7, 5, 6, 7, 8, 2, 1],
		],
		['repeats a page', before2({ kind: 'repeat' }), samePage, []],
		[
			'raises its cap of the page size',
			{ ...before2({ kind: 'cap', cap: 4 }), cap: 2 },
			changed,
			[1, 2, 5, 6, 7, 8, 9, 10],
		],
	];
	it.each(noticed)('%s, the node fails', async (_, of, message, unchecked) => {
		expect((await read(of)).error).toBe(message);
		// Without the check, this would be the result.
		expect((await read(of, false)).ids ?? []).toEqual(unchecked);
	});

	it('deletes a record, a total shows it even without the check', async () => {
		const deleted = before3({ kind: 'delete', at: 0 });
		const { error } = await read({ ...deleted, kind: 'totalCount' }, false);
		expect(error).toBe(changed);
	});
});
