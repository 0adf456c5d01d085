import { CREDENTIAL } from '../credential/connection';
import type { RequestContext } from '../host/context';
import { BoundedMap } from '../http/boundedMap';
import { Sessions } from '../session/sessions';
import { Pace } from './pace';
import { Slots } from './slots';

/** What all runs with one credential share in this process. */
export class CredentialState {
	readonly pace = new Pace();
	readonly slots = new Slots();
	readonly sessions = new Sessions();
}

/** By the id of the credential. The three nodes share this module, and so this map. */
const states = new BoundedMap<string, CredentialState>(1000);

/** Returns the state of the credential that the context's node uses. */
export function credentialStateOf(context: Pick<RequestContext, 'getNode'>): CredentialState {
	const id = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	return states.getOrCreate(id, () => new CredentialState());
}
