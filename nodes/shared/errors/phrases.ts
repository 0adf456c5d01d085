/**
 * What the words of an answer mention. The service's texts are not specified (docs/dev/interface.md, section 7), so
 * a phrase only chooses the advice.
 */
export type Mention = 'domain' | 'key' | 'login' | 'operation' | 'quota' | 'scopes' | 'version';

type KnownPhrases = ReadonlyArray<readonly [phrase: RegExp, mention: Mention]>;

/** Phrases that servers commonly use if a field of the credential is wrong. */
export const ACCESS_PHRASES: KnownPhrases = [
	[
		/\bquota\b[^.\n]{0,40}\b(?:exceeded|reached|replenished)\b|\b(?:out of|exceed\w*)\b[^.\n]{0,40}\bquota\b/i,
		'quota',
	],
	[/\bsubscription[ _-]?key\b/i, 'key'],
	[
		/\binsufficient[ _-]?scope\b|\b(?:missing|lacks?|needs?|requires?|required|without|no)\b[^.\n]{0,40}\bscopes?\b|\bscopes?\b[^.\n]{0,40}\b(?:missing|required|insufficient|not granted)\b/i,
		'scopes',
	],
	[/\bdom(?:ain|ein)\b/i, 'domain'],
];

/** Matches texts of a service that does not know the operation. */
export const UNKNOWN_OPERATION = /\bSOAP ?Action\b|\baction parameter\b/i;

/** Of a SOAP fault: phrases about the operation and the SOAP version, too. */
export const FAULT_PHRASES: KnownPhrases = [
	[UNKNOWN_OPERATION, 'operation'],
	[/\bVersionMismatch\b|\bSOAP version mismatch\b/i, 'version'],
	...ACCESS_PHRASES,
	[
		/\b(?:log[ -]?in|logged in|sign(?:ed)?[ -]in|authentication|inlog\w*|ingelogd|aangemeld|aanmeld\w*)\b/i,
		'login',
	],
];

/** Returns what a text mentions, by the first of some phrases that it has; `undefined` if it has none. */
export function mentionedIn(text: string, known: KnownPhrases): Mention | undefined {
	return known.find(([phrase]) => phrase.test(text))?.[1];
}

/** The service's own exceptions (docs/dev/interface.md, section 7), in the message of a fault. */
export const TWK_EXCEPTION = /\bTWK exception\b/i;
