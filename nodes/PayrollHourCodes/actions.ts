import { restAction } from '../shared/actions/builtIn/rest';
import { hourCodesGet } from '../shared/contract/operations';
import type { Resources } from '../shared/run/action';

/** The resources and operations of the Payroll Hour Codes node. */
export const resources: Resources = {
	hourCode: {
		name: 'Hour Code',
		operations: {
			getAll: restAction(hourCodesGet, {
				name: 'Get Many',
				action: 'Get many hour codes',
				description: 'Get the hour codes of a company, page by page',
			}),
		},
	},
};
