/**
 * A phrase that servers commonly use if a field of the credential is wrong. The service's texts are
 * not specified (docs/interface.md, section 7), so the advice only repeats what the text mentions.
 */
interface KnownPhrase {
	readonly phrase: RegExp;
	readonly advice: string;
}

const ACCESS: readonly KnownPhrase[] = [
	{
		phrase: /\bsubscription[ _-]?key\b/i,
		advice: "The answer mentions the subscription key: check 'Subscription Key' in the credential.",
	},
	{
		phrase:
			/\binsufficient[ _-]?scope\b|\b(?:missing|lacks?|needs?|requires?|required|without|no)\b[^.\n]{0,40}\bscopes?\b|\bscopes?\b[^.\n]{0,40}\b(?:missing|required|insufficient|not granted)\b/i,
		advice:
			"The answer mentions a scope: the consent probably does not cover this call. Choose the scopes that it needs under 'Scopes' in the credential, then connect the account again.",
	},
	{
		phrase: /\bdom(?:ain|ein)\b/i,
		advice:
			"The answer mentions a domain: check 'Domain' in the credential, and whether the connected user has access to it.",
	},
];

/** Matches texts of a service that does not know the operation. */
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

/**
 * Returns advice for a refusal whose text mentions a field of the credential, otherwise `undefined`
 * (docs/interface.md, section 7).
 */
export function adviceOnRefusal(text: string): string | undefined {
	return findAdvice(ACCESS, text);
}

/**
 * Returns advice for a SOAP fault: {@link adviceOnRefusal}, and phrases about the operation and the
 * SOAP version.
 */
export function adviceOnFault(text: string): string | undefined {
	return findAdvice([...ENVELOPE, ...ACCESS], text);
}
