import { createAddress } from '../shared/actions/addresses/create';
import { readAction } from '../shared/actions/builtIn/soap';
import { shareNotices } from '../shared/actions/costCenters/shares';
import { updateCostCenters } from '../shared/actions/costCenters/update';
import { otherOperationAction } from '../shared/actions/otherOperation/action';
import { addressGetListCurrent, costCenterGet } from '../shared/contract/operations';
import type { Resources } from '../shared/run/action';

/** The resources and operations of the Payroll Employee node. */
export const resources: Resources = {
	address: {
		name: 'Address',
		operations: {
			create: createAddress({
				name: 'Create',
				action: 'Create address',
				description: 'Insert an address for an employee in a payroll period',
			}),
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
			update: updateCostCenters({
				name: 'Update',
				action: 'Update cost centers',
				description: 'Update the cost centers of an employee in a payroll period',
			}),
		},
	},
	custom: {
		name: 'Other Operation',
		operations: {
			call: otherOperationAction(costCenterGet),
		},
	},
};
