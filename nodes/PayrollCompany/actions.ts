import { writeAction } from '../shared/actions/builtIn/soap';
import { checkAction } from '../shared/actions/connection/check';
import { revokeAction } from '../shared/actions/connection/revoke';
import { listAction, otherList } from '../shared/actions/builtIn/rest';
import { otherOperationAction } from '../shared/actions/otherOperation/action';
import { addressUpdate } from '../shared/contract/operations';
import type { Resources } from '../shared/run/action';

/** The resources and operations of the Payroll Company node. */
export const resources: Resources = {
	address: {
		name: 'Address',
		operations: {
			update: writeAction(addressUpdate, {
				name: 'Update',
				action: 'Update address',
				description: 'Update the current address of a company',
			}),
		},
	},
	connection: {
		name: 'Connection',
		operations: {
			check: checkAction,
			revoke: revokeAction,
		},
	},
	list: {
		name: 'Other List',
		operations: {
			getAll: listAction(otherList, {
				name: 'Get Many',
				action: 'Get many records of another list',
				description:
					'Get the records of any list of the REST interface, such as companies, employees or departments',
			}),
		},
	},
	custom: {
		name: 'Other Operation',
		operations: {
			call: otherOperationAction(addressUpdate),
		},
	},
};
