import { texts, type Text } from './catalogue';

/**
 * A phrase that servers commonly use if a field of the credential is wrong. The service's texts are
 * not specified (docs/interface.md, section 7), so the advice only repeats what the text mentions.
 */
interface KnownPhrase {
	readonly phrase: RegExp;
	readonly advice: Text;
}

const ACCESS: readonly KnownPhrase[] = [
	{
		phrase: /\bsubscription[ _-]?key\b/i,
		advice: texts.refused.key.advice,
	},
	{
		phrase:
			/\binsufficient[ _-]?scope\b|\b(?:missing|lacks?|needs?|requires?|required|without|no)\b[^.\n]{0,40}\bscopes?\b|\bscopes?\b[^.\n]{0,40}\b(?:missing|required|insufficient|not granted)\b/i,
		advice: texts.refused.scope.advice,
	},
	{
		phrase: /\bdom(?:ain|ein)\b/i,
		advice: texts.refused.domain.advice,
	},
];

/** Matches texts of a service that does not know the operation. */
export const UNKNOWN_OPERATION = /\bSOAP ?Action\b|\baction parameter\b/i;

const ENVELOPE: readonly KnownPhrase[] = [
	{
		phrase: UNKNOWN_OPERATION,
		advice: texts.refused.operation.advice,
	},
	{
		phrase: /\bVersionMismatch\b|\bSOAP version mismatch\b/i,
		advice: texts.refused.version.advice,
	},
];

function findAdvice(known: readonly KnownPhrase[], text: string): Text | undefined {
	return known.find(({ phrase }) => phrase.test(text))?.advice;
}

/**
 * Returns advice for a refusal whose text mentions a field of the credential, otherwise `undefined`
 * (docs/interface.md, section 7).
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
