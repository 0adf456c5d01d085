import { soapAction } from '../shared/actions/builtIn/soap';
import { keepOtherCostCenters } from '../shared/actions/currentRecords/keepOthers';
import { skipExistingAddress } from '../shared/actions/currentRecords/skipExisting';
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
			create: soapAction(
				addressInsert,
				{
					name: 'Create',
					action: 'Create address',
					description: 'Insert an address for an employee in a payroll period',
				},
				skipExistingAddress,
			),
			getAll: soapAction(addressGetListCurrent, {
				name: 'Get Many',
				action: 'Get many addresses',
				description: 'Get all currently active addresses of an employee',
			}),
		},
	},
	costCenter: {
		name: 'Cost Center',
		operations: {
			getAll: soapAction(costCenterGet, {
				name: 'Get Many',
				action: 'Get many cost centers',
				description: 'Get all cost centers of an employee in a payroll period',
			}),
			update: soapAction(
				costCenterUpdate,
				{
					name: 'Update',
					action: 'Update cost centers',
					description: 'Update the cost centers of an employee in a payroll period',
				},
				keepOtherCostCenters,
			),
		},
	},
	custom: {
		name: 'Other Operation',
		operations: {
			call: otherOperationAction(
				costCenterGet,
				{ service: 'CompanyService', node: 'Payroll Company' },
				{
					name: 'Call',
					action: 'Call other employee service operation',
					description:
						'Call any operation of the employee service, with typed parameters from its own description',
				},
			),
		},
	},
};
