import { addressRules } from '../shared/actions/addresses/create';
import { readAction, writeAction } from '../shared/actions/builtIn/soap';
import { costCenterRules, shareNotices } from '../shared/actions/costCenters/update';
import { otherOperationAction } from '../shared/actions/otherOperation/action';
import {
	addressGetListCurrent,
	addressInsert,
	costCenterGet,
	costCenterUpdate,
} from '../shared/contract/operations';
import type { Resources } from '../shared/run/action';

/** The resources and operations of the Payroll Employee node. */
export const resources: Resources = {
	address: {
		name: 'Address',
		operations: {
			create: writeAction(
				addressInsert,
				{
					name: 'Create',
					action: 'Create address',
					description: 'Insert an address for an employee in a payroll period',
				},
				addressRules,
			),
			getAll: readAction(addressGetListCurrent, {
				name: 'Get Many',
				action: 'Get many addresses',
				description: 'Get all currently active addresses of an employee',
			}),
		},
	},
	costCenter: {
		name: 'Cost Center',
		operations: {
			getAll: readAction(
				costCenterGet,
				{
					name: 'Get Many',
					action: 'Get many cost centers',
					description: 'Get all cost centers of an employee in a payroll period',
				},
				shareNotices,
			),
			update: writeAction(
				costCenterUpdate,
				{
					name: 'Update',
					action: 'Update cost centers',
					description: 'Update the cost centers of an employee in a payroll period',
				},
				costCenterRules,
			),
		},
	},
	custom: {
		name: 'Other Operation',
		operations: {
			call: otherOperationAction(costCenterGet),
		},
	},
};
