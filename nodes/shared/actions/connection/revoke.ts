import { revocation } from '../../contract/identity';
import { responseLimitsProperty } from '../../form/options';
import { itemSchema } from '../../form/outputSchema';
import { endConnection } from '../../identity/endConnection';
import type { Action, ActionTexts } from '../../run/action';
import { confirmationProperties, requireConfirmation } from './connectionForm';

/**
 * Creates the action that revokes the connection's tokens (docs/interface.md, section 4.1): one
 * call for all input items.
 */
export function revokeAction(texts: ActionTexts): Action {
	return {
		...texts,
		effect: 'write',
		takesDomain: false,
		unavailableAsTool: true,
		operation: `${revocation.method} ${revocation.path}`,
		request: {},
		keys: [],
		subjects: [],
		properties: [...confirmationProperties, responseLimitsProperty],
		outputSchema: () =>
			itemSchema({
				success: { kind: 'boolean' },
				refreshTokenRevoked: { kind: 'boolean' },
				accessTokenRevoked: { kind: 'boolean' },
				note: { kind: 'string' },
			}),
		group: (items) => [items],
		prepare([first]) {
			requireConfirmation(first);
			return {
				subject: 'connection',
				keys: {},
				effect: 'write',
				isDryRun: false,
				resends: 'always',
				content: 'revocation',
				plan: async () => ({
					kind: 'write',
					preview: {},
					notices: [],
					send: async (access) => [await endConnection(access)],
				}),
			};
		},
	};
}
