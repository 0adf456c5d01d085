import { addressGetListCurrent, addressInsert } from '../../contract/operations';
import { readSwitch } from '../../form/options';
import { findRecord } from '../../values/records';
import type { Values } from '../../values/values';
import type { ReadingFirst } from '../builtIn/soap';
import { readCurrent } from './readCurrent';

const NAME = 'skipIfExists';
/** The fields that have the same value with and without blanks inside. */
const CODES: ReadonlySet<string> = new Set(['PostalCode', 'CountryISOCode']);

/** Upper and lower case are the same, and so are "3511AB" and "3511 AB". */
function comparable(text: string, [name = '']: readonly string[]): string {
	const lowerCase = text.toLowerCase();
	return CODES.has(name) ? lowerCase.replace(/\s/g, '') : lowerCase;
}

/** *Skip If It Exists*: an address is inserted only if no current one has all of its values. */
export const skipExistingAddress: ReadingFirst = {
	form: [
		{
			displayName: 'Skip If It Exists',
			name: NAME,
			type: 'boolean',
			default: false,
			description:
				'Whether to insert nothing if a current address has all the values given here; upper case, lower case, and blanks in codes make no difference. The output item is then that address. Its field <code>created</code> says whether the address is new.',
		},
	],
	flag: 'created',
	isOn: (item) => readSwitch(item, NAME, false),
	async decide(access, request, whom) {
		const current = await readCurrent(access, addressGetListCurrent, request);
		const given = request.Address as Values;
		const existing = findRecord(addressInsert.request.Address, current, given, comparable);
		if (existing === undefined) return { request, notices: [] };
		const text = 'already there, nothing inserted';
		const notices = [{ isProblem: false, isCounted: true, text, list: [whom] }];
		return { request, existing, notices };
	},
};
