import { addressUpdate } from '../shared/contract/operations';
import type { Resources } from '../shared/run/action';
import { checkAction } from '../shared/run/checkAction';
import { customAction } from '../shared/run/customAction';
import { revokeAction } from '../shared/run/revokeAction';
import { soapAction } from '../shared/run/soapAction';

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
	connection: {
		name: 'Connection',
		operations: {
			check: checkAction({
				name: 'Check',
				action: 'Check the connection',
				description:
					'Tell what works of the connection: identity server, tokens, scopes and, where a company is given, the REST API; run once a week, it keeps the connection alive',
			}),
			revoke: revokeAction({
				name: 'Revoke',
				action: 'Revoke the connection',
				description:
					'End the connection for every workflow that uses the credential: its tokens are revoked, and the account has to be connected again',
			}),
		},
	},
	custom: {
		name: 'Custom',
		operations: {
			call: customAction(addressUpdate, {
				name: 'Call',
				action: 'Call any operation of the company service',
				description: 'Call an operation of the CompanyService by its name',
			}),
		},
	},
};
