/** The rules of Address: Create, which can skip an address that exists. */
import type { IDataObject } from 'n8n-workflow';
import { addressGetListCurrent } from '../../contract/operations';
import { isSame, type Seen } from '../../run/judge';
import { isEmpty, isSet, type Values } from '../../values/values';
import type { WriteRules } from '../builtIn/soap';

const textOf = (value: unknown): string => (isEmpty(value) ? '' : String(value));

/** Returns which address a record is. A house number without an addition is another address: 241 is not 241 B. */
function seen(row: Values): Seen {
	const number = [row.HouseNumber, row.HouseNumberAddition].filter(isSet).join(' ');
	return {
		id: (row.Id ?? undefined) as Seen['id'],
		values: {
			Street: textOf(row.Street),
			'House Number': textOf(number),
			// A service may store 114 55 as 11455.
			'Postal Code': textOf(row.PostalCode).replace(/(?<=\d)[^\p{L}\p{N}]+(?=\d)/gu, ''),
			City: textOf(row.City),
			'Country ISO Code': textOf(row.CountryISOCode),
			Type: textOf(row.Type),
		},
	};
}

export const addressRules: WriteRules<'skipIfExists'> = {
	switches: {
		skipIfExists: {
			displayName: 'Skip If It Exists',
			default: false,
			description:
				'Whether to return the address that the employee already has, instead of inserting it again. The field <code>created</code> says whether the address is new.',
		},
	},
	reads: addressGetListCurrent,
	isRepeatable: ({ skipIfExists }) => skipIfExists,
	rerun: ({ skipIfExists }) =>
		skipIfExists
			? 'That is safe here, because an address that is there already is not inserted again.'
			: "Turn on 'Skip If It Exists' first, or leave out the rows that were applied: they would be inserted again.",
	seen,
	plan({ request, options: { skipIfExists } }, before = []) {
		const record = seen(request.Address as Values);
		const wanted = { kind: 'oneMore', record } as const;
		const existing = skipIfExists ? before.find((row) => isSame(record, seen(row))) : undefined;
		if (existing === undefined) {
			const item = skipIfExists ? { created: true } : {};
			return { request, wanted, item, notices: [] };
		}
		const own = { ...existing, created: false } as IDataObject;
		const item = { changes: 'nothing changed', ...own, outcome: 'unchanged' };
		const shown = { changes: 'nothing would change', ...own };
		return { request: undefined, wanted, item, shown, notices: [] };
	},
};
