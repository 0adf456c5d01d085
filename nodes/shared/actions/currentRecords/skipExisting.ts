import { addressGetListCurrent, addressInsert } from '../../contract/operations';
import { readSwitch } from '../../form/options';
import { findRecord, type Values } from '../../values/values';
import type { ReadingFirst } from '../builtIn/soap';
import { readCurrent } from './readCurrent';

const NAME = 'skipIfExists';

/** *Skip If It Exists*: an address is inserted only if no current one has all of its values. */
export const skipExistingAddress: ReadingFirst = {
	form: [
		{
			displayName: 'Skip If It Exists',
			name: NAME,
			type: 'boolean',
			default: false,
			description:
				'Whether to insert nothing if a current address has all the values given here. The output item is then that address. Its field <code>created</code> says whether the address is new.',
		},
	],
	isOn: (item) => readSwitch(item, NAME, false),
	async decide(access, request) {
		const current = await readCurrent(access, addressGetListCurrent, request);
		const existing = findRecord(addressInsert.request.Address, current, request.Address as Values);
		return { request, flag: 'created', changes: {}, unknown: [], ...(existing && { existing }) };
	},
};
