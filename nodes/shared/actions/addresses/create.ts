/** Address: Create, which can skip an address that exists. */
import type { IDataObject } from 'n8n-workflow';
import { addressGetListCurrent, addressInsert } from '../../contract/operations';
import type { ActionTexts, WriteAction } from '../../run/action';
import { findRecord } from '../../values/records';
import { isSet, type Values } from '../../values/values';
import { readCurrent } from '../builtIn/readCurrent';
import { standing, withoutId } from '../builtIn/standing';
import { writeAction, type WriteRules } from '../builtIn/write';

/** The fields that have the same value with and without blanks inside. */
const CODES: ReadonlySet<string> = new Set(['PostalCode', 'CountryISOCode']);

/** Upper and lower case are the same, and so are "3511AB" and "3511 AB". */
function comparableText(text: string, [name = '']: readonly string[]): string {
	const lowerCase = text.toLowerCase();
	return CODES.has(name) ? lowerCase.replace(/\s/g, '') : lowerCase;
}

/** Returns the first of these addresses that has all values of the one to insert. */
function findAddress(
	current: readonly IDataObject[],
	request: Readonly<Values>,
	comparable: typeof comparableText | undefined,
): IDataObject | undefined {
	const record = addressInsert.request.fields.Address;
	return findRecord(record, current, request.Address as Values, comparable);
}

export const addressRules: WriteRules<'skipIfExists'> = {
	switches: {
		skipIfExists: {
			displayName: 'Skip If It Exists',
			default: false,
			description:
				'Whether to insert nothing if a current address has all the values given here; upper case, lower case, and blanks in codes make no difference. The output item is then that address. Its field <code>created</code> says whether the address is new.',
		},
	},
	output: { verified: { kind: 'boolean' } },
	readsFirst: ({ skipIfExists }) => skipIfExists,
	check: ({ request }) => request,
	async decide(access, { request, options, whom }) {
		const sending = { kind: 'send', request, shown: {}, notices: [] } as const;
		if (!options.skipIfExists) return { ...sending, added: {} };
		const current = await readCurrent(access, addressGetListCurrent, request);
		const existing = findAddress(current, request, comparableText);
		if (existing === undefined) return { ...sending, added: { created: true } };
		const record = { ...existing, created: false };
		const text = 'already there, nothing inserted';
		const notices = [{ isProblem: false, isCounted: true, text, list: [whom] }];
		return { kind: 'nothingToDo', record, shown: record, notices };
	},
	async find(access, { request, options: { skipIfExists } }) {
		// If none was read before the insert, an address in other case may be an old one to correct.
		const comparable = skipIfExists ? comparableText : undefined;
		const current = await readCurrent(access, addressGetListCurrent, request);
		// Of equal addresses, the last is probably the new one.
		const found = findAddress(current.reverse(), request, comparable);
		return found && { Id: found.Id, ...(skipIfExists && { created: true }) };
	},
	async verify(access, request, { Id: id }) {
		const record = withoutId(addressInsert.request.fields.Address);
		const sent = request.Address as Values;
		const current = await readCurrent(access, addressGetListCurrent, request);
		const own = current.find(({ Id }) => isSet(Id) && Id === id);
		const found = findRecord(record, own ? [own] : current, sent, comparableText);
		if (found !== undefined) return { kind: 'asSent' };
		// The service lists the addresses that are active now, which one of another period may not be.
		if (own === undefined) return { kind: 'unseen', reason: 'no current address has the values' };
		return standing(record, [sent], [own]);
	},
};

/**
 * Creates the action that inserts an address. With *Skip If It Exists*, it is inserted only if no
 * current address has all of its values.
 */
export function createAddress(texts: ActionTexts): WriteAction {
	return writeAction(addressInsert, texts, addressRules);
}
