/**
 * What servers commonly say where a field of the credential is at fault. The service's own words are
 * not specified (docs/interface.md, section 7), so each advice names what was said, and no more.
 */
interface Saying {
	readonly said: RegExp;
	readonly advice: string;
}

const ACCESS: readonly Saying[] = [
	{
		said: /\bsubscription[ _-]?key\b/i,
		advice:
			"The answer speaks of the subscription key: check 'Subscription Key' in the credential.",
	},
	{
		said: /\binsufficient[ _-]?scope\b|\b(?:missing|lacks?|needs?|requires?|required|without|no)\b[^.\n]{0,40}\bscopes?\b|\bscopes?\b[^.\n]{0,40}\b(?:missing|required|insufficient|not granted)\b/i,
		advice:
			"The answer speaks of a scope: probably the consent does not cover this call. Choose what it needs under 'Scopes' in the credential and connect the account again.",
	},
	{
		said: /\bdom(?:ain|ein)\b/i,
		advice:
			"The answer speaks of a domain: check 'Domain' in the credential, and whether this user may work in it.",
	},
];

/** A service that does not know the operation. */
export const UNKNOWN_OPERATION = /\bSOAP ?Action\b|\baction parameter\b/i;

const ENVELOPE: readonly Saying[] = [
	{
		said: UNKNOWN_OPERATION,
		advice:
			"The service does not know the operation by this name: check 'SOAP Namespace' in the credential.",
	},
	{
		said: /\bVersionMismatch\b|\bSOAP version mismatch\b/i,
		advice: "The service expects another version of SOAP: change 'SOAP Version' in the credential.",
	},
];

function adviceOf(sayings: readonly Saying[], text: string): string | undefined {
	return sayings.find(({ said }) => said.test(text))?.advice;
}

/** What to do about a refusal that speaks of the credential; `undefined` where it does not. */
export function adviceOnRefusal(text: string): string | undefined {
	return adviceOf(ACCESS, text);
}

/** As {@link adviceOnRefusal}, for a SOAP fault. */
export function adviceOnFault(text: string): string | undefined {
	return adviceOf([...ENVELOPE, ...ACCESS], text);
}
