import type { INodeProperties } from 'n8n-workflow';
import { revocationPath } from '../../contract/identity';
import { InputError } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { responseLimitsProperty } from '../../form/options';
import { itemSchema } from '../../form/outputSchema';
import type { ActionTexts, WriteAction } from '../../run/action';
import { endConnection } from './revocation';

const confirmedProperty: INodeProperties = {
	displayName: 'I Understand That the Connection Ends',
	name: 'confirmed',
	type: 'boolean',
	default: false,
	description:
		'Whether to end the connection for every workflow that uses the credential. Turn it on by hand: neither an expression nor an AI model can.',
	hint: 'To use the credential again afterwards, open it and connect the account',
	// Allow neither an expression nor n8n's "let the model define this parameter".
	noDataExpression: true,
};

/**
 * Ensures that the builder has confirmed that the connection ends. It reads the stored parameter
 * without evaluating it: an expression's value may come from an item or an AI model.
 */
function requireConfirmation(item: InputItem): void {
	const confirmed = item.stored(confirmedProperty.name);
	if (confirmed === true) return;
	const name = `'${confirmedProperty.displayName}'`;
	const text =
		typeof confirmed === 'string'
			? `The switch ${name} does not accept an expression. Turn it on by hand.`
			: `Turn on the switch ${name}.`;
	throw new InputError([{ code: 'VALUE_REQUIRED', path: [], text }]);
}

/**
 * Creates the action that revokes the connection's tokens (docs/dev/interface.md, section 4.1): one
 * call for all input items.
 */
export function revokeAction(actionTexts: ActionTexts): WriteAction {
	return {
		...actionTexts,
		kind: 'once',
		effect: 'write',
		takesDomain: false,
		operation: `POST ${revocationPath}`,
		request: {},
		properties: [confirmedProperty, responseLimitsProperty],
		outputSchema: () =>
			itemSchema({
				success: { kind: 'boolean' },
				refreshTokenRevoked: { kind: 'boolean' },
				accessTokenRevoked: { kind: 'boolean' },
				note: { kind: 'string' },
			}),
		methods: {},
		switchNote: undefined,
		keysInItems: (_, keys) => keys,
		switches: {},
		prepare([first]) {
			requireConfirmation(first);
			return {
				subject: 'connection',
				keys: {},
				effect: 'write',
				resends: () => 'always',
				content: 'revocation',
				plan: async () => ({
					kind: 'write',
					preview: () => ({}),
					notices: [],
					send: async (access) => [await endConnection(access)],
				}),
			};
		},
	};
}
