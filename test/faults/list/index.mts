/** The rows of the table. */
import type { Group } from '../fault.mts';
import { aspNet } from './aspnet.mts';
import { connection } from './connection.mts';
import { field } from './credential.mts';
import { framing } from './framing.mts';
import { identityExpired, identityField, identityRejected } from './identity.mts';
import { failure, redirect, refusal } from './status.mts';
import { text } from './text.mts';

export const groups: readonly Group[] = [
	connection,
	framing,
	redirect,
	refusal,
	field,
	failure,
	aspNet,
	text,
	identityRejected,
	identityExpired,
	identityField,
];
