/** The rows of the table. */
import type { Group } from '../fault.mts';
import { connection } from './connection.mts';
import { json, xml } from './content.mts';
import { field, refusedField } from './credential.mts';
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
	refusedField,
	failure,
	text,
	xml,
	json,
	identityRejected,
	identityExpired,
	identityField,
];
