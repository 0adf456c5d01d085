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

/** What stands at the service after a write. */
export interface Judgement {
	/** What was wanted; what stood there before; something else; or it cannot be told. */
	readonly is: 'asWanted' | 'asBefore' | 'otherwise' | 'unseen';
	/** What differs, in sentences; why it cannot be told, as a part of one. */
	readonly text: string;
	/** The identifier of the record that is new. */
	readonly id?: Seen['id'];
}

/** Says which records differ, such as "Sent, and not there: (Cost Center Code 4200, Percentage 50)." */
function otherwise(missing: readonly Seen[], others: readonly Seen[], than = 'sent'): Judgement {
	const texts = [
		missing.length > 0 && `Sent, and not there: ${list(missing)}.`,
		others.length > 0 && `There, and not ${than}: ${list(others)}.`,
	];
	return { is: 'otherwise', text: texts.filter(Boolean).join(' ') };
}

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

/**
 * Judges a write by what stands at the service after it. Only a record that was not there before proves a
 * write that gives one more.
 *
 * @param id the identifier that the service gave to the new record, if it did
 */
export function judge(
	{ before, wanted }: Expected,
	after: readonly Seen[],
	id?: Seen['id'],
): Judgement {
	const unseen = (text: string): Judgement => ({ is: 'unseen', text });
	if (wanted.kind === 'all') {
		const { missing, others } = differences(wanted.records, after);
		const isWanted = missing.length + others.length === 0;
		if (!isWanted && areSame(before ?? [], after)) return { is: 'asBefore', text: '' };
		if (!isWanted) return otherwise(missing, others);
		if (!areSame(wanted.records, before ?? [])) return { is: 'asWanted', text: '' };
		return unseen('what can be compared was the same before');
	}
	const { record } = wanted;
	const isWanted = ({ values }: Seen): boolean => isSame(record.values, values);
	const wasThere = ({ id: own }: Seen): boolean =>
		own !== undefined && before?.some((other) => other.id === own) === true;
	const equal = after.filter(isWanted);
	/** How many more there are than before. */
	const more = equal.length - (before?.filter(isWanted).length ?? 0);
	if (before !== undefined && more > 1) {
		const text = `It was sent once, and is there ${more} times: ${list(equal)}.`;
		return { is: 'otherwise', text };
	}
	if (id !== undefined) {
		const own = after.find((other) => other.id === id);
		if (own === undefined) return unseen('the list of today does not have it');
		if (!isWanted(own)) return otherwise([record], [own]);
		if (!wasThere(own)) return { is: 'asWanted', text: '', id };
		return unseen('the record that the service names was there before');
	}
	if (before === undefined) {
		if (equal.length === 0) return { is: 'asBefore', text: '' };
		return unseen(`${list(equal)} is there, and may have been there before`);
	}
	const fresh = after.filter((other) => !wasThere(other));
	const own = fresh.find(isWanted);
	if (more === 1 && own !== undefined) return { is: 'asWanted', text: '', id: own.id };
	if (areSame(before, after)) return { is: 'asBefore', text: '' };
	return otherwise([record], fresh, 'there before');
}
