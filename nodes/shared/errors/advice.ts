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

export const ENVELOPE_PHRASES: KnownPhrases = [
	[
		UNKNOWN_OPERATION,
		"The service does not know the operation by this name: check 'SOAP Namespace' in the credential.",
	],
	[
		/\bVersionMismatch\b|\bSOAP version mismatch\b/i,
		"The service expects another version of SOAP: change 'SOAP Version' in the credential.",
	],
];

function findAdvice(known: KnownPhrases, text: string): string | undefined {
	return known.find(([phrase]) => phrase.test(text))?.[1];
}

/**
 * Returns advice for a refusal whose text mentions a field of the credential, otherwise `undefined`
 * (docs/dev/interface.md, section 7).
 */
export function adviceOnRefusal(text: string): string | undefined {
	return findAdvice(ACCESS_PHRASES, text);
}

/**
 * Returns advice for a SOAP fault: {@link adviceOnRefusal}, and phrases about the operation and the
 * SOAP version.
 */
export function adviceOnFault(text: string): string | undefined {
	return findAdvice([...ENVELOPE_PHRASES, ...ACCESS_PHRASES], text);
}

/** A TWK exception for a period (docs/dev/interface.md, section 7). */
export const EARLIER_PERIOD =
	"If the period is before the company's current one, turn on 'Unprotected Mode' to insert the address anyway.";

/** The operation of another service. */
export function adviceOnOtherService(name: string, other: string, node: string): string {
	return `${name} is an operation of the ${other}: use the node ${node}.`;
}

/** An operation that neither service is known to have. */
export function adviceOnUnknownName(
	name: string,
	service: string,
	other: string,
	node: string,
): string {
	return `The ${service} does not know ${name}: check 'Operation Name', and 'SOAP Namespace' in the credential. For an operation of the ${other}, use the node ${node}.`;
}
