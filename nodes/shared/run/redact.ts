import { escapeXml } from '../soap/xml';

/** Matches anything that looks like a JSON web token, even if truncated. */
const WEB_TOKEN = /\beyJ(?:[\w-]+\.[\w-]+\.[\w-]*|[\w-]{8,}(?:\.[\w-]*)?)/g;
/** Runs of characters that a web token may be embedded in, as in `token_eyJ…`. */
const DOTTED_RUN = /[\w.-]+/g;
const AUTHORIZATION = /\b(Bearer|Basic)(\s+)[\w.~+/=-]{8,}/g;

/** Runs of characters that may be URL-encoded or base64. */
const URL_RUN = /[\w.~+=&/:%!'()*-]{4,}/g;
const ESCAPES = /(?:%[\dA-F]{2})+/gi;
const BASE64_RUN = /[\w+/-]{6,}={0,2}/g;

/** A secret of at least this length is masked anywhere; a shorter one only as a whole word. */
const MIN_SUBSTRING_LENGTH = 16;

/**
 * Shorter secrets are not searched for in base64: they occur by chance in what any word decodes to.
 */
const MIN_ENCODED_LENGTH = 4;

/** Control characters and characters that change the reading direction. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** An upper bound for the length of a secret in any encoding, in characters. */
const MAX_SECRET_LENGTH = 8192;

/**
 * Masks a web token that is attached to a word, and everything attached to the token. Header and
 * payload both begin with `eyJ`, which two words of a language never do.
 */
function maskAttachedToken(run: string): string {
	const parts = run.split('.');
	const at = parts.findIndex(
		(part, i) => part.includes('eyJ') && parts[i + 1]?.startsWith('eyJ') === true,
	);
	const header = parts[at];
	if (header === undefined) return run;
	const word = header.slice(0, header.indexOf('eyJ'));
	return [...parts.slice(0, at), `${word}***`].join('.');
}

function redactPlain(text: string, secrets: readonly string[]): string {
	return secrets.reduce(
		(clean, secret) => {
			if (secret === '' || !clean.includes(secret)) return clean;
			if (secret.length >= MIN_SUBSTRING_LENGTH) return clean.replaceAll(secret, '***');
			const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
			// Match whole words only: a domain may be short.
			return clean.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'), '***');
		},
		text
			.replace(DOTTED_RUN, maskAttachedToken)
			.replace(WEB_TOKEN, '***')
			.replace(AUTHORIZATION, '$1$2***'),
	);
}

function urlDecoded(run: string): string {
	return run.replace(ESCAPES, (escapes) => {
		try {
			return decodeURIComponent(escapes);
		} catch {
			return escapes;
		}
	});
}

/** Decodes a run of base64 characters for each of the four possible alignments. */
function base64Decoded(run: string): string[] {
	return [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1'));
}

/** A secret unencoded, and escaped for XML, HTML and JSON. */
function writtenForms(secret: string): string[] {
	const inXml = escapeXml(secret);
	const inHtml = inXml.replace(/"/g, '&quot;').replace(/'/g, '&#39;');
	return [secret, inXml, inHtml, JSON.stringify(secret).slice(1, -1)];
}

/** The texts to search for. */
interface Forms {
	readonly known: readonly string[];
	/** Those to search for in base64. */
	readonly long: readonly string[];
}

/** By list of secrets: a run masks many texts with the same list. */
const formsOfLists = new WeakMap<readonly string[], Forms>();

function formsOf(secrets: readonly string[]): Forms {
	const before = formsOfLists.get(secrets);
	if (before !== undefined) return before;
	const known = [...new Set(secrets.flatMap(writtenForms))];
	// A Basic header contains the client secret URL-encoded in base64.
	const encoded = secrets.map((secret) => encodeURIComponent(secret.toWellFormed()));
	const long = [...known, ...encoded].filter(({ length }) => length >= MIN_ENCODED_LENGTH);
	formsOfLists.set(secrets, { known, long });
	return { known, long };
}

/** Masks secrets unencoded, escaped for XML, HTML or JSON, URL-encoded, and in base64. */
function redact(text: string, secrets: readonly string[]): string {
	const { known, long } = formsOf(secrets);
	const containsSecret = (decoded: string): boolean => redactPlain(decoded, long) !== decoded;
	const inBase64 = (run: string): string => (base64Decoded(run).some(containsSecret) ? '***' : run);
	const plain = (part: string): string => redactPlain(part, known).replace(BASE64_RUN, inBase64);
	return plain(text).replace(URL_RUN, (run) => {
		if (!run.includes('%')) return run;
		// In form encoding, "+" is a space.
		const decoded = [run, run.replace(/\+/g, '%20')].map(urlDecoded);
		return decoded.every((words) => plain(words) === words) ? run : '***';
	});
}

/**
 * Returns a text of the service that is safe to show: secrets masked, invisible characters
 * replaced, and truncated after `max` characters. The running time does not grow with the text.
 *
 * @param secrets the values to mask, unencoded
 */
export function presentable(text: string, secrets: readonly string[], max: number): string {
	const head = text.slice(0, max + 2 * MAX_SECRET_LENGTH);
	const clean = redact(head, secrets).replace(/\r\n?/g, '\n');
	// Truncation may have split a secret, which is then not recognized.
	const whole = head.length < text.length ? clean.length - MAX_SECRET_LENGTH : clean.length;
	const end = Math.max(0, Math.min(whole, max));
	const cut = end < clean.length ? `${clean.slice(0, end)}…` : clean;
	return cut.replace(INVISIBLE, '\ufffd').toWellFormed();
}
