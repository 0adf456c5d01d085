import { addressUpdate } from '../shared/contract/operations';
import { soapAction, type Resources } from '../shared/run/action';

/** What the Payroll Company node offers. */
export const resources: Resources = {
	address: {
		name: 'Address',
		operations: {
			update: soapAction(addressUpdate, {
				name: 'Update',
				action: 'Update an address',
				description: 'Update the current address of a company',
			}),
		},
	},
};
