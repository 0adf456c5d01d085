/**
 * Advice by the words of an answer. The service's texts are not specified (docs/dev/interface.md,
 * section 7), so the advice only repeats what the text mentions.
 */

/** How to log in again: n8n shows a credential whose tokens have expired as connected. */
export const LOG_IN_AGAIN =
	"choose 'Switch account' ('Reconnect' in an older n8n) and log in again";

/** Phrases of an answer, with the advice. */
type KnownPhrases = ReadonlyArray<readonly [phrase: RegExp, advice: string]>;

/** A gateway that limits the calls of a subscription. */
export const QUOTA_USED =
	"The service limits the number of calls, and the limit is reached. Make fewer calls: 'Requests per Second' in the credential limits them. Or ask the payroll provider for a larger quota.";

/** Phrases that servers commonly use if a field of the credential is wrong. */
export const ACCESS_PHRASES: KnownPhrases = [
	[
		/\bquota\b[^.\n]{0,40}\b(?:exceeded|reached|replenished)\b|\b(?:out of|exceed\w*)\b[^.\n]{0,40}\bquota\b/i,
		QUOTA_USED,
	],
	[
		/\bsubscription[ _-]?key\b/i,
		"The answer mentions the subscription key: check 'Subscription Key' in the credential.",
	],
	[
		/\binsufficient[ _-]?scope\b|\b(?:missing|lacks?|needs?|requires?|required|without|no)\b[^.\n]{0,40}\bscopes?\b|\bscopes?\b[^.\n]{0,40}\b(?:missing|required|insufficient|not granted)\b/i,
		`The answer mentions a scope: the consent probably does not cover this call. Choose the scopes that it needs under 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`,
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
	[
		/\b(?:log[ -]?in|logged in|sign(?:ed)?[ -]in|authentication|inlog\w*|ingelogd|aangemeld|aanmeld\w*)\b/i,
		`The answer mentions the login: open the credential, ${LOG_IN_AGAIN}. If that does not help, ask the payroll provider what the user may do.`,
	],
];

/** What the codes of services of this kind usually mean: public clients treat them so. */
const CODES: ReadonlyArray<readonly [isMeant: (code: number) => boolean, advice: string]> = [
	[
		(code) => (code >= 1001 && code <= 1004) || code === 2003,
		"This code usually means that access is refused: check whether the connected user may do this for this employee or company, then 'Domain', 'Subscription Key' and 'Scopes' in the credential.",
	],
	[
		(code) => code === 1006 || code === 9999,
		'This code usually means that the service itself failed, whatever the values are. If that continues, ask the payroll provider.',
	],
	[
		(code) => code >= 2001,
		'This code usually means that the service does not accept a value. Correct the value that the message is about.',
	],
];

/** Returns the advice for the code of a fault. What a code means never decides about a write. */
export function adviceOnCode(code: string): string {
	const known = CODES.find(([isMeant]) => isMeant(Number(code)))?.[1];
	return (
		known ?? 'Check the values, and look up the code in the documentation of the payroll service.'
	);
}

/** Returns the advice for the first of some phrases that a text has; `undefined` if it has none. */
export function adviceOn(text: string, known: KnownPhrases): string | undefined {
	return known.find(([phrase]) => phrase.test(text))?.[1];
}

/** The service's own exceptions (docs/dev/interface.md, section 7), in the message of a fault. */
export const TWK_EXCEPTION = /\bTWK exception\b/i;

/** Of an error for page 0, which only some services have. */
export const ON_PAGE_ZERO =
	"It was asked for page 0, since some services count their pages from 0. If this one counts from 1, set 'First Page' to 1 in the node's options.";

/** What stands before the words of the service, in quotes: a model must not take them for the node's. */
export const SERVICE_SAYS = 'The service says: ';

/** Stands before the service's own words in a title. */
export const REPORTED = 'The payroll service reported an error: ';
