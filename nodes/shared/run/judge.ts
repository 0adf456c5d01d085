/** Tells a write: from the records before it, those wanted after it, and those that stand there after it. */
import { joinNames } from '../errors/words';
import { areSame, differences, isSame, type Seen } from '../values/compare';

/** What a write is to leave at the service: all records there are, or one more. */
export type Wanted =
	| { readonly kind: 'all'; readonly records: readonly Seen[] }
	| { readonly kind: 'oneMore'; readonly record: Seen };

/** What a write is judged by, once the records are read after it. */
export interface Expected {
	/** `undefined` if nobody read them. */
	readonly before: readonly Seen[] | undefined;
	readonly wanted: Wanted;
}

/**
 * What stands at the service after a write: what was wanted; what stood there before; something else; or it
 * cannot be told.
 */
export interface Judgement {
	readonly is: 'asWanted' | 'asBefore' | 'otherwise' | 'unseen';
	/** What differs, in sentences; why it cannot be told, as a part of one. */
	readonly text: string;
	/** The identifier of the record that is new. */
	readonly id?: Seen['id'];
}

/** Names records in a list, such as "(Cost Center Code 4200, Percentage 50)". */
function list(records: readonly Seen[]): string {
	const texts = records.map(({ values }) => {
		const given = Object.entries(values).filter(([, value]) => value !== undefined);
		const parts = given.map(([label, value]) => {
			if (typeof value === 'boolean') return value ? label : `not ${label}`;
			return `${label} ${value}`;
		});
		return `(${parts.join(', ')})`;
	});
	return joinNames(texts);
}

function otherwise(missing: readonly Seen[], others: readonly Seen[], than = 'sent'): Judgement {
	const texts = [
		missing.length > 0 && `Sent, and not there: ${list(missing)}.`,
		others.length > 0 && `There, and not ${than}: ${list(others)}.`,
	];
	return { is: 'otherwise', text: texts.filter(Boolean).join(' ') };
}

/** Judges a write that gives all records. */
function judgeAll(
	before: readonly Seen[],
	wanted: readonly Seen[],
	after: readonly Seen[],
): Judgement {
	const { missing, others } = differences(wanted, after);
	if (missing.length + others.length > 0) {
		if (areSame(before, after)) return { is: 'asBefore', text: '' };
		return otherwise(missing, others);
	}
	if (!areSame(wanted, before)) return { is: 'asWanted', text: '' };
	return { is: 'unseen', text: 'what can be compared was the same before' };
}

/** Judges a write that gives one more record. Only a record that was not there before proves it. */
function judgeOneMore(
	before: readonly Seen[] | undefined,
	wanted: Seen,
	after: readonly Seen[],
	id: Seen['id'],
): Judgement {
	const isWanted = ({ values }: Seen): boolean => isSame(wanted.values, values);
	const wasThere = (record: Seen): boolean =>
		record.id !== undefined && before?.some((other) => other.id === record.id) === true;
	const equal = after.filter(isWanted);
	const more = equal.length - (before?.filter(isWanted).length ?? 0);
	if (before !== undefined && more > 1) {
		return {
			is: 'otherwise',
			text: `It was sent once, and is there ${more} times: ${list(equal)}.`,
		};
	}
	if (id !== undefined) {
		const own = after.find((record) => record.id === id);
		if (own === undefined) return { is: 'unseen', text: 'the list of today does not have it' };
		if (!isWanted(own)) return otherwise([wanted], [own]);
		if (!wasThere(own)) return { is: 'asWanted', text: '', id };
		return { is: 'unseen', text: 'the record that the service names was there before' };
	}
	if (before === undefined) {
		if (equal.length === 0) return { is: 'asBefore', text: '' };
		return { is: 'unseen', text: `${list(equal)} is there, and may have been there before` };
	}
	const fresh = after.filter((record) => !wasThere(record));
	const own = fresh.find(isWanted);
	if (more === 1 && own !== undefined) return { is: 'asWanted', text: '', id: own.id };
	if (areSame(before, after)) return { is: 'asBefore', text: '' };
	return otherwise([wanted], fresh, 'there before');
}

/**
 * Judges a write by what stands at the service after it.
 *
 * @param id the identifier that the service gave to the new record, if it did
 */
export function judge(
	{ before, wanted }: Expected,
	after: readonly Seen[],
	id?: Seen['id'],
): Judgement {
	return wanted.kind === 'all'
		? judgeAll(before ?? [], wanted.records, after)
		: judgeOneMore(before, wanted.record, after, id);
}
