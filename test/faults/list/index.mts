/** The rows of the table. */
import type { Group } from '../fault.mts';
import { connection } from './connection.mts';
import { json, xml } from './content.mts';
import { framing } from './framing.mts';
import { identityExpired, identityRejected } from './identity.mts';
import { size } from './size.mts';
import { failure, redirect, refusal } from './status.mts';
import { text } from './text.mts';

export const groups: readonly Group[] = [
	connection,
	framing,
	redirect,
	refusal,
	failure,
	text,
	xml,
	json,
	identityRejected,
	identityExpired,
	size,
];
