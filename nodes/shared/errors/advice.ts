import { texts, type Text } from './catalogue';

/**
 * Phrases that servers commonly use if a field of the credential is wrong, with the advice. The
 * service's texts are not specified (docs/dev/interface.md, section 7), so the advice only repeats what
 * the text mentions.
 */
type KnownPhrases = ReadonlyArray<readonly [phrase: RegExp, advice: Text]>;

const ACCESS: KnownPhrases = [
	[/\bsubscription[ _-]?key\b/i, texts.refused.key.advice],
	[
		/\binsufficient[ _-]?scope\b|\b(?:missing|lacks?|needs?|requires?|required|without|no)\b[^.\n]{0,40}\bscopes?\b|\bscopes?\b[^.\n]{0,40}\b(?:missing|required|insufficient|not granted)\b/i,
		texts.refused.scope.advice,
	],
	[/\bdom(?:ain|ein)\b/i, texts.refused.domain.advice],
];

/** Matches texts of a service that does not know the operation. */
export const UNKNOWN_OPERATION = /\bSOAP ?Action\b|\baction parameter\b/i;

const ENVELOPE: KnownPhrases = [
	[UNKNOWN_OPERATION, texts.refused.operation.advice],
	[/\bVersionMismatch\b|\bSOAP version mismatch\b/i, texts.refused.version.advice],
];

function findAdvice(known: KnownPhrases, text: string): Text | undefined {
	return known.find(([phrase]) => phrase.test(text))?.[1];
}

/**
 * Returns advice for a refusal whose text mentions a field of the credential, otherwise `undefined`
 * (docs/dev/interface.md, section 7).
 */
export function adviceOnRefusal(text: string): Text | undefined {
	return findAdvice(ACCESS, text);
}

/**
 * Returns advice for a SOAP fault: {@link adviceOnRefusal}, and phrases about the operation and the
 * SOAP version.
 */
export function adviceOnFault(text: string): Text | undefined {
	return findAdvice([...ENVELOPE, ...ACCESS], text);
}
