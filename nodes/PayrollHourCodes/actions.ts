import { hourCodes, listAction } from '../shared/actions/builtIn/rest';
import type { Resources } from '../shared/run/action';

/** The resources and operations of the Payroll Hour Codes node. */
export const resources: Resources = {
	hourCode: {
		name: 'Hour Code',
		operations: {
			getAll: listAction(hourCodes, {
				name: 'Get Many',
				action: 'Get many hour codes',
				description: 'Get the hour codes of a company',
			}),
		},
	},
};
