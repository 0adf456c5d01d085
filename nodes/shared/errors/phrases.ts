/**
 * What the words of an answer mention. The service's texts are not specified (docs/dev/interface.md, section 7), so
 * a phrase only chooses the advice.
 */
export type Mention = 'domain' | 'key' | 'login' | 'operation' | 'quota' | 'scopes' | 'version';

/** Matches texts of a service that does not know the operation. */
export const UNKNOWN_OPERATION = /\bSOAP ?Action\b|\baction parameter\b/i;

/** Phrases that servers commonly use; the first that a text has counts. Some mean nothing in an answer that is no fault. */
const PHRASES: ReadonlyArray<readonly [phrase: RegExp, mention: Mention, where?: 'fault']> = [
	[UNKNOWN_OPERATION, 'operation', 'fault'],
	[/\bVersionMismatch\b|\bSOAP version mismatch\b/i, 'version', 'fault'],
	[
		/\bquota\b[^.\n]{0,40}\b(?:exceeded|reached|replenished)\b|\b(?:out of|exceed\w*)\b[^.\n]{0,40}\bquota\b/i,
		'quota',
	],
	[/\bsubscription[ _-]?key\b/i, 'key'],
	[
		/\binsufficient[ _-]?scope\b|\b(?:missing|lacks?|needs?|requires?|required|without|no|authori[sz]ed for)\b[^.\n]{0,40}\bscopes?\b|\bscopes?\b[^.\n]{0,40}\b(?:missing|required|insufficient|not granted)\b/i,
		'scopes',
	],
	[/\bdom(?:ain|ein)\b/i, 'domain'],
	[
		/\b(?:log[ -]?in|logged in|sign(?:ed)?[ -]in|authentication|inlog\w*|ingelogd|aangemeld|aanmeld\w*)\b/i,
		'login',
		'fault',
	],
];

/** Returns what a text mentions; `undefined` if it has no phrase. */
export function mentionedIn(text: string, isFault = false): Mention | undefined {
	return PHRASES.find(([phrase, , where]) => (isFault || !where) && phrase.test(text))?.[1];
}

/** The service's own exceptions (docs/dev/interface.md, section 7), in the message of a fault. */
export const TWK_EXCEPTION = /\bTWK exception\b/i;

/** The words for a token. What services say of one that is not accepted is not specified. */
export const TOKEN = /token|\bjwt\b/i;
