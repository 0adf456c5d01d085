/** Masks secrets in texts that leave a node. */

/** A secret of at least this length is masked anywhere; a shorter one only as a whole word. */
const MIN_SUBSTRING_LENGTH = 16;

/** Shorter secrets are not searched for in base64: they occur in it by chance. */
const MIN_ENCODED_LENGTH = 4;

/** Maximum length of a byte in any spelling, such as `&#x10ffff;`. */
const MAX_SPELLING = 10;

/** What looks like a token, known or not: a JSON web token, also truncated, and what follows its scheme. */
const TOKEN =
	/(?<![A-Za-z\d])eyJ(?:[\w-]{8,}(?:\.[\w-]*){0,2}|[\w-]*\.eyJ[\w-]*(?:\.[\w-]*)?)|(?<=\b(?:Bearer|Basic)\s{1,8})[\w.~+/=-]{8,}/g;

/** Before a word: no letter or digit, except that of an escaped character. */
const WORD_START = String.raw`(?<=^|[^a-z\d]|%[\da-f]{2}|\\[nrt]|\\u[\da-f]{4})`;

/** Control characters and characters that change the reading direction. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** Escapes UTF-16 units for a pattern and for JSON: `/` → `\u002f`. */
function unicode(text: string): string {
	const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return text.split('').map(escape).join('');
}

/** Returns a pattern for a secret with its special characters replaced by their patterns. */
function escaped(secret: string, patternOf: (character: string) => string): string {
	return secret.replace(/[^a-z\d]/giu, (one) => `(?:${patternOf(one)})`);
}

/** Returns patterns for a secret as it is, URL-encoded, and escaped for JSON and XML. */
function spelled(secret: string): string[] {
	const percent = (one: string) => Buffer.from(one).toString('hex').replace(/../g, '%$&');
	const json = (one: string) => `${unicode(one).replaceAll('\\', '\\\\')}|\\\\${unicode(one)}`;
	const all = [
		escaped(secret, unicode),
		escaped(secret, (one) => `${percent(one)}|${one === ' ' ? '\\+' : unicode(one)}`),
		// If a backslash stood for itself, too, two could be read in two ways, and forty in a billion.
		escaped(secret, (one) => ('"\\'.includes(one) ? json(one) : `${json(one)}|${unicode(one)}`)),
		escaped(secret, (one) => `&#?\\w{2,8};|${unicode(one)}`),
	];
	return [...new Set(all)];
}

/** Returns patterns for a secret in base64, at each of the three positions in which its bytes may be. */
function inBase64(secret: string): string[] {
	return [0, 1, 2].map((before) => {
		const bytes = Buffer.from(' '.repeat(before) + secret);
		// The outermost characters also hold bits of other characters.
		const end = Math.floor((bytes.length * 4) / 3);
		const encoded = bytes.toString('base64').slice(before === 0 ? 0 : before + 1, end);
		return encoded.replace(/\W/g, unicode);
	});
}

/** Returns a pattern whose first group is the longest secret that begins at an index. */
export function secretsPattern(secrets: readonly string[]): RegExp {
	const sorted = [...new Set(secrets)].sort((one, other) => other.length - one.length);
	const ofLength = (min: number): string[] => sorted.filter(({ length }) => length >= min);
	const words = ofLength(1).flatMap(spelled).join('|');
	const all = [
		...ofLength(MIN_SUBSTRING_LENGTH).flatMap(spelled),
		`${WORD_START}(?:${words || '[]'})(?![a-z\\d])`,
		...ofLength(MIN_ENCODED_LENGTH).flatMap(inBase64),
	];
	return new RegExp(`(?=(${all.join('|')}))`, 'gi');
}

/**
 * Masks the secrets of a run, in five spellings: as they are, URL-encoded, escaped for JSON or XML,
 * and in base64.
 */
export class Redactor {
	readonly #pattern: RegExp;
	readonly #maxLength: number;

	/** @param secrets unencoded */
	constructor(secrets: readonly string[]) {
		this.#pattern = secretsPattern(secrets);
		const longest = secrets.reduce((max, one) => Math.max(max, Buffer.byteLength(one)), 0);
		this.#maxLength = MAX_SPELLING * longest;
	}

	/**
	 * Returns a text that is safe to show: secrets masked, invisible characters replaced, and truncated
	 * after `max` characters. The running time does not grow with the rest of the text.
	 */
	clean(text: string, max: number): string {
		// A secret that begins before the end is recognized as a whole.
		const head = text.slice(0, max + this.#maxLength);
		const found = [...head.matchAll(this.#pattern), ...head.matchAll(TOKEN)]
			.map(({ index, 0: token, 1: secret = token }) => [index, index + secret.length] as const)
			.filter(([start]) => start < max)
			.sort(([one], [other]) => one - other);
		let clean = '';
		let end = 0;
		for (const [start, next] of found) {
			if (start > end || clean === '') clean += `${head.slice(end, start)}***`;
			end = Math.max(end, next);
		}
		clean += head.slice(end, max);
		if (Math.max(end, max) < text.length) clean += '…';
		return clean.replace(/\r\n?/g, '\n').replace(INVISIBLE, '\ufffd').toWellFormed();
	}
}
