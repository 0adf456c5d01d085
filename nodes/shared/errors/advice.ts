/**
 * Advice by the words of an answer. The service's texts are not specified (docs/dev/interface.md,
 * section 7), so the advice only repeats what the text mentions.
 */

/** Phrases that servers commonly use if a field of the credential is wrong, with the advice. */
type KnownPhrases = ReadonlyArray<readonly [phrase: RegExp, advice: string]>;

export const ACCESS_PHRASES: KnownPhrases = [
	[
		/\bsubscription[ _-]?key\b/i,
		"The answer mentions the subscription key: check 'Subscription Key' in the credential.",
	],
	[
		/\binsufficient[ _-]?scope\b|\b(?:missing|lacks?|needs?|requires?|required|without|no)\b[^.\n]{0,40}\bscopes?\b|\bscopes?\b[^.\n]{0,40}\b(?:missing|required|insufficient|not granted)\b/i,
		"The answer mentions a scope: the consent probably does not cover this call. Choose the scopes that it needs under 'Scopes' in the credential, then connect the account again.",
	],
	[
		/\bdom(?:ain|ein)\b/i,
		"The answer mentions a domain: check 'Domain' in the credential, and whether the connected user has access to it.",
	],
];

/** Matches texts of a service that does not know the operation. */
export const UNKNOWN_OPERATION = /\bSOAP ?Action\b|\baction parameter\b/i;

/** Of a SOAP fault: phrases about the operation and the SOAP version, too. */
export const FAULT_PHRASES: KnownPhrases = [
	[
		UNKNOWN_OPERATION,
		"The service does not know the operation by this name: check 'SOAP Namespace' in the credential.",
	],
	[
		/\bVersionMismatch\b|\bSOAP version mismatch\b/i,
		"The service expects another version of SOAP: change 'SOAP Version' in the credential.",
	],
	...ACCESS_PHRASES,
];

/** Returns the advice for the first of some phrases that a text has; `undefined` if it has none. */
export function adviceOn(text: string, known: KnownPhrases): string | undefined {
	return known.find(([phrase]) => phrase.test(text))?.[1];
}

/** The service's own exceptions (docs/dev/interface.md, section 7), in the message of a fault. */
export const TWK_EXCEPTION = /\bTWK exception\b/i;

/** Of an access token that is rejected. @param clock whose */
export const adviceOnClock = (clock: string) =>
	`By the clock of ${clock}, the access token is not valid yet: correct that clock, or the one of the identity server.`;

/** A TWK exception for a period. */
export const EARLIER_PERIOD =
	"If the period is before the company's current one, turn on 'Unprotected Mode' to insert the address anyway.";

/** Of an operation that its service does not know. @param other the service that has it, if known */
export const adviceOnUnknownName = (name: string, service: string, other?: string) =>
	other === undefined
		? `The ${service} does not know ${name}: check 'Service' and 'Operation Name', and 'SOAP Namespace' in the credential.`
		: `${name} is an operation of the ${other}: set 'Service' to ${other}.`;
