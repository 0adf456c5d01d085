import { escapeXml } from '../soap/xml';

/** Anything that looks like a JSON web token, also a cut one. */
const WEB_TOKEN = /\beyJ(?:[\w-]+\.[\w-]+\.[\w-]*|[\w-]{8,}(?:\.[\w-]*)?)/g;
/** What a web token may stand in without a gap, as in `token_eyJ…`. */
const DOTTED_RUN = /[\w.-]+/g;
const AUTHORIZATION = /\b(Bearer|Basic)(\s+)[\w.~+/=-]{8,}/g;

/** Runs of characters in which something may stand encoded. */
const URL_RUN = /[\w.~+=&/:%!'()*-]{4,}/g;
const ESCAPES = /(?:%[\dA-F]{2})+/gi;
const BASE64_RUN = /[\w+/-]{6,}={0,2}/g;

/** A value of so many characters is no part of another word. */
const UNMISTAKABLE = 16;

/** A shorter value is met by chance in what any word says when it is taken for base64. */
const SHORTEST_ENCODED = 4;

/** What a text would do to whoever shows it: control characters, turned reading direction. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** Longer than any secret in any encoding, in characters. */
const LONGEST_SECRET = 8192;

/**
 * Takes out a web token that a word is glued to, and what is glued to it: header and payload both
 * begin with `eyJ`, which no two words of a language do.
 */
function withoutGluedToken(run: string): string {
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
			if (secret === '') return clean;
			if (secret.length >= UNMISTAKABLE) return clean.replaceAll(secret, '***');
			const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
			// As a word of its own, so that a short domain does not blacken half the message.
			return clean.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'), '***');
		},
		text
			.replace(DOTTED_RUN, withoutGluedToken)
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

/** What a run of base64 characters says, wherever in it the first group of four begins. */
function base64Decoded(run: string): string[] {
	return [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1'));
}

/** A secret as it is, and as it stands in XML, in HTML and in JSON. */
function writtenForms(secret: string): string[] {
	const inXml = escapeXml(secret);
	const inHtml = inXml.replace(/"/g, '&quot;').replace(/'/g, '&#39;');
	return [secret, inXml, inHtml, JSON.stringify(secret).slice(1, -1)];
}

/** Removes secrets as they are, as they stand in an answer's own notation, URL-encoded and in base64. */
function redact(text: string, secrets: readonly string[]): string {
	const known = [...new Set(secrets.flatMap(writtenForms))];
	const long = known.filter((secret) => secret.length >= SHORTEST_ENCODED);
	const tells = (decoded: string): boolean => redactPlain(decoded, long) !== decoded;
	const inBase64 = (run: string): string => (base64Decoded(run).some(tells) ? '***' : run);
	const plain = (part: string): string => redactPlain(part, known).replace(BASE64_RUN, inBase64);
	return plain(text).replace(URL_RUN, (run) => {
		if (!run.includes('%')) return run;
		// In a form, a blank stands as "+".
		const decoded = [run, run.replace(/\+/g, '%20')].map(urlDecoded);
		return decoded.every((words) => plain(words) === words) ? run : '***';
	});
}

/**
 * A text of the service as it may be shown: without values that nobody may read, without invisible
 * characters, and not much longer than `max` characters. Its time does not grow with the text.
 *
 * @param secrets the values to take out, as they are
 */
export function presentable(text: string, secrets: readonly string[], max: number): string {
	const head = text.slice(0, max + 2 * LONGEST_SECRET);
	const clean = redact(head, secrets).replace(/\r\n?/g, '\n');
	// Where the text was cut, a secret may have been cut with it.
	const whole = head.length < text.length ? clean.length - LONGEST_SECRET : clean.length;
	const end = Math.max(0, Math.min(whole, max));
	const cut = end < clean.length ? `${clean.slice(0, end)}…` : clean;
	return cut.replace(INVISIBLE, '\ufffd').toWellFormed();
}
