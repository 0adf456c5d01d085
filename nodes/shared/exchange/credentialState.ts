import { BoundedMap } from '../http/boundedMap';
import { Session } from '../session/session';
import { Pace } from './pace';
import { Places } from './places';
import { Subjects } from './subjects';

/** What all runs with one credential share in this process. */
export class CredentialState {
	readonly pace = new Pace();
	/** How many calls are in flight at first, and at most. */
	readonly places = { read: new Places(16, 32), write: new Places(8, 8) };
	readonly session = new Session();
	readonly subjects = new Subjects();
}

/** By the id of the credential. The three nodes share this module, and so this map. */
const states = new BoundedMap<string, CredentialState>(1000);

/** Returns the state of the credential with this id. */
export function credentialStateOf(id: string): CredentialState {
	return states.getOrCreate(id, () => new CredentialState());
}
