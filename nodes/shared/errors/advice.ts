/**
 * What servers commonly say where a field of the credential is at fault. The service's own words are
 * not specified (docs/interface.md, section 7), so each advice names what was said, and no more.
 */
interface KnownPhrase {
	readonly phrase: RegExp;
	readonly advice: string;
}

const ACCESS: readonly KnownPhrase[] = [
	{
		phrase: /\bsubscription[ _-]?key\b/i,
		advice:
			"The answer speaks of the subscription key: check 'Subscription Key' in the credential.",
	},
	{
		phrase:
			/\binsufficient[ _-]?scope\b|\b(?:missing|lacks?|needs?|requires?|required|without|no)\b[^.\n]{0,40}\bscopes?\b|\bscopes?\b[^.\n]{0,40}\b(?:missing|required|insufficient|not granted)\b/i,
		advice:
			"The answer speaks of a scope: probably the consent does not cover this call. Choose what it needs under 'Scopes' in the credential and connect the account again.",
	},
	{
		phrase: /\bdom(?:ain|ein)\b/i,
		advice:
			"The answer speaks of a domain: check 'Domain' in the credential, and whether this user may work in it.",
	},
];

/** A service that does not know the operation. */
export const UNKNOWN_OPERATION = /\bSOAP ?Action\b|\baction parameter\b/i;

const ENVELOPE: readonly KnownPhrase[] = [
	{
		phrase: UNKNOWN_OPERATION,
		advice:
			"The service does not know the operation by this name: check 'SOAP Namespace' in the credential.",
	},
	{
		phrase: /\bVersionMismatch\b|\bSOAP version mismatch\b/i,
		advice: "The service expects another version of SOAP: change 'SOAP Version' in the credential.",
	},
];

function findAdvice(known: readonly KnownPhrase[], text: string): string | undefined {
	return known.find(({ phrase }) => phrase.test(text))?.advice;
}

/** What to do about a refusal that speaks of the credential; `undefined` where it does not. */
export function adviceOnRefusal(text: string): string | undefined {
	return findAdvice(ACCESS, text);
}

/** As {@link adviceOnRefusal}, for a SOAP fault. */
export function adviceOnFault(text: string): string | undefined {
	return findAdvice([...ENVELOPE, ...ACCESS], text);
}
