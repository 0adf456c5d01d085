/**
 * A service whose list changes between two requests: a model for reading lists, with its history.
 */
import fc from 'fast-check';

export interface Row {
	readonly id: number;
	readonly text: string;
}

/** The list at one moment, and the page size limit of the service at that moment. */
export interface Moment {
	readonly rows: readonly Row[];
	readonly cap: number;
}

/** A change between two requests; an index beyond the end of the list wraps around. */
export type Change =
	| { readonly kind: 'delete'; readonly at: number }
	| { readonly kind: 'insert'; readonly at: number }
	| { readonly kind: 'append' }
	| { readonly kind: 'edit'; readonly at: number }
	| { readonly kind: 'move'; readonly at: number; readonly to: number }
	| { readonly kind: 'reverse' }
	| { readonly kind: 'cap'; readonly cap: number }
	/** The next answer is the one before it, once more. */
	| { readonly kind: 'repeat' };

/** What a page says of the list beside its rows. */
const pageKinds = ['array', 'totalCount', 'hasNextPage', 'totalPages', 'all'] as const;

export interface Scenario {
	/** How many rows there are at first. */
	readonly count: number;
	readonly cap: number;
	readonly pageSize: number;
	readonly firstPage: number;
	readonly kind: (typeof pageKinds)[number];
	/** Whether pages of even number are cut from the list the other way round: there is no order. */
	readonly hasOrder: boolean;
	/** The changes before the n-th request, counted from 0. */
	readonly schedule: ReadonlyArray<readonly Change[]>;
}

/** One request and what it met. */
export interface Visit {
	readonly number: number;
	readonly moment: Moment;
	readonly rows: readonly Row[];
}

const place = fc.nat({ max: 15 });
const change: fc.Arbitrary<Change> = fc.oneof(
	fc.record({ kind: fc.constant('delete'), at: place }),
	fc.record({ kind: fc.constant('insert'), at: place }),
	fc.record({ kind: fc.constant('append') }),
	fc.record({ kind: fc.constant('edit'), at: place }),
	fc.record({ kind: fc.constant('move'), at: place, to: place }),
	fc.record({ kind: fc.constant('reverse') }),
	fc.record({ kind: fc.constant('cap'), cap: fc.integer({ min: 1, max: 5 }) }),
	fc.record({ kind: fc.constant('repeat') }),
) as fc.Arbitrary<Change>;

/** Up to three changes, each before one of the first requests. */
const schedule = fc
	.array(fc.tuple(fc.integer({ min: 1, max: 6 }), change), { maxLength: 3 })
	.map((events) =>
		Array.from({ length: 7 }, (_, index) =>
			events.filter(([before]) => before === index).map(([, each]) => each),
		),
	);

/** Any list of some pages, and any changes to it while it is read. */
export const scenario: fc.Arbitrary<Scenario> = fc.record({
	count: fc.nat({ max: 14 }),
	cap: fc.constantFrom(2, 3, 4, 100),
	pageSize: fc.integer({ min: 2, max: 6 }),
	firstPage: fc.constantFrom(0, 1),
	kind: fc.constantFrom(...pageKinds),
	hasOrder: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
	schedule,
});

/** The rows that a page of this number has at this moment. */
export function pageAt(
	{ rows, cap }: Moment,
	{ pageSize, firstPage, hasOrder }: Scenario,
	number: number,
): readonly Row[] {
	const size = Math.min(pageSize, cap);
	const start = (number - firstPage) * size;
	const ordered = hasOrder || number % 2 === 1 ? rows : rows.toReversed();
	return ordered.slice(start, start + size);
}

/** A list that goes through a scenario, request by request. */
export class ShiftingList {
	readonly visits: Visit[] = [];
	private rows: Row[];
	private cap: number;
	private lastId: number;
	private body: unknown;

	constructor(private readonly scenario: Scenario) {
		this.rows = Array.from({ length: scenario.count }, (_, i) => ({ id: i + 1, text: 'first' }));
		this.cap = scenario.cap;
		this.lastId = scenario.count;
	}

	/** The body of the answer to the n-th request (counted from 0), which is for this page. */
	answer(index: number, number: number): unknown {
		const changes = this.scenario.schedule[index] ?? [];
		for (const each of changes) this.apply(each);
		const moment = { rows: [...this.rows], cap: this.cap };
		const isRepeat = index > 0 && changes.some(({ kind }) => kind === 'repeat');
		const rows = isRepeat
			? (this.visits.at(-1)?.rows ?? [])
			: pageAt(moment, this.scenario, number);
		if (!isRepeat) this.body = this.describe(rows, number);
		this.visits.push({ number, moment, rows });
		return this.body;
	}

	private describe(rows: readonly Row[], number: number): unknown {
		const size = Math.min(this.scenario.pageSize, this.cap);
		const pages = Math.ceil(this.rows.length / size);
		const isLast = number - this.scenario.firstPage + 1 >= pages;
		const { kind } = this.scenario;
		const all = { totalCount: this.rows.length, totalPages: pages, hasNextPage: !isLast };
		if (kind === 'array') return rows;
		return { items: rows, ...(kind === 'all' ? all : { [kind]: all[kind] }) };
	}

	private newRow(): Row {
		this.lastId += 1;
		return { id: this.lastId, text: 'late' };
	}

	private apply(each: Change): void {
		const { rows } = this;
		const size = Math.max(rows.length, 1);
		switch (each.kind) {
			case 'delete':
				rows.splice(each.at % size, 1);
				return;
			case 'insert':
				rows.splice(each.at % (rows.length + 1), 0, this.newRow());
				return;
			case 'append':
				rows.push(this.newRow());
				return;
			case 'edit': {
				const row = rows[each.at % size];
				if (row !== undefined) rows[each.at % size] = { ...row, text: `${row.text}, edited` };
				return;
			}
			case 'move':
				rows.splice(each.to % size, 0, ...rows.splice(each.at % size, 1));
				return;
			case 'reverse':
				rows.reverse();
				return;
			case 'cap':
				this.cap = each.cap;
				return;
			case 'repeat':
		}
	}

	/** Every identifier that was in the list at each of the requests. */
	get lasting(): number[] {
		const [first, ...others] = this.visits.map(({ moment }) => moment.rows.map(({ id }) => id));
		return (first ?? []).filter((id) => others.every((ids) => ids.includes(id)));
	}

	/** Every identifier that was ever in the list. */
	get known(): ReadonlySet<number> {
		return new Set(this.visits.flatMap(({ moment }) => moment.rows.map(({ id }) => id)));
	}

	/**
	 * Whether a page was changed and changed back between its two readings, both of which saw the
	 * same: nobody who reads it twice can tell ("ABA").
	 */
	get hidesChange(): boolean {
		const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
		return this.visits.some(({ number, rows }, second) => {
			const first = this.visits.findIndex((visit) => visit.number === number);
			if (first === second || !same(this.visits[first]?.rows, rows)) return false;
			return this.visits
				.slice(first, second + 1)
				.some(({ moment }) => !same(pageAt(moment, this.scenario, number), rows));
		});
	}
}
