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
			check: checkAction({
				name: 'Check',
				action: 'Check connection',
				description:
					'Check which parts of the connection work; run once a week, it also keeps the connection alive',
			}),
			revoke: revokeAction({
				name: 'Revoke',
				action: 'Revoke connection',
				description:
					'End the connection for every workflow that uses the credential; the account has to be connected again',
			}),
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
