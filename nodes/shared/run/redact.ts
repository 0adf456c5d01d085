/** Masks secrets in texts that leave a node. */
import { unescapeXml } from '../soap/xml';

/** A secret of at least this length is masked anywhere; a shorter one only as a whole word. */
const MIN_SUBSTRING_LENGTH = 16;

/** Shorter secrets are not searched for in base64: they occur in it by chance. */
const MIN_ENCODED_LENGTH = 4;

/** A longer secret is masked in pieces of this length: to find one, little is read beyond it. */
const MAX_PIECE = 128;

/** Maximum length of a character in any spelling, such as `%F0%9F%98%80`. */
const MAX_SPELLING = 12;

/** What looks like a token, known or not: a JSON web token, also truncated, and what follows its scheme. */
const TOKEN =
	/(?<![A-Za-z\d])eyJ(?:[\w-]{8,}(?:\.[\w-]*){0,2}|[\w-]*\.eyJ[\w-]*(?:\.[\w-]*)?)|(?<=\b(?:Bearer|Basic)\s{1,8})[\w.~+/=-]{8,}/g;

/** Before a word: no letter or digit, except that of an escaped character. */
const WORD_START = /(?:^|[^a-z\d]|%[\da-f]{2}|\\[nrt]|\\u[\da-f]{4})$/i;

/** Control characters and characters that change the reading direction. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** An escaped character in the URL encoding of UTF-8. */
const PERCENT = String.raw`%(?:[0-7]\w|[cd]\w%\w\w|e\w(?:%\w\w){2}|f\w(?:%\w\w){3})`;

function fromPercent(escape: string): string {
	return escape === '+' ? ' ' : Buffer.from(escape.replaceAll('%', ''), 'hex').toString();
}

function fromJson(escape: string): string {
	if (escape.length > 2) return String.fromCharCode(parseInt(escape.slice(2), 16));
	return escape.slice(1).replace(/[nrt]/i, ' ');
}

function fromXml(reference: string): string {
	try {
		return unescapeXml(reference);
	} catch {
		return reference;
	}
}

/** The escapes of each spelling (the second is that of forms), and what they stand for. */
const SPELLINGS: ReadonlyArray<readonly [escapes: RegExp, read: (escape: string) => string]> = [
	[new RegExp(PERCENT, 'gi'), fromPercent],
	[new RegExp(String.raw`\+|${PERCENT}`, 'gi'), fromPercent],
	[/\\(?:u[\da-f]{4}|[nrt]|[^a-z\d])/gi, fromJson],
	[/&#?\w{2,8};/g, fromXml],
];

/** A text as a spelling reads it, and the index in the original text of each unit and of the end. */
type View = readonly [text: string, origins: readonly number[]];

/** Returns a view with the matches of a pattern replaced; the same one if there are none. */
function replaced(view: View, pattern: RegExp, by: (match: string) => string): View {
	const [text, before] = view;
	let [read, end] = ['', 0];
	const origins: number[] = [];
	for (const { 0: match, index } of text.matchAll(pattern)) {
		const unit = by(match);
		if (unit === match) continue;
		read += text.slice(end, index) + unit;
		for (; end < index; end += 1) origins.push(before[end] as number);
		for (let i = 0; i < unit.length; i += 1) origins.push(before[index] as number);
		end = index + match.length;
	}
	if (end === 0) return view;
	read += text.slice(end);
	for (; end < before.length; end += 1) origins.push(before[end] as number);
	return [read, origins];
}

/** Makes a view comparable: in lower case, which keeps its length, with whitespace as one blank. */
function comparable([text, origins]: View): View {
	const lower = text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
	return replaced([lower, origins], /\s{2,}|[^\S ]/g, () => ' ');
}

/** Returns a text as it is, and as each spelling reads it that it has escapes of. */
function viewsOf(text: string): View[] {
	const own: View = [text, [...Array(text.length + 1).keys()]];
	const read = SPELLINGS.map(([escapes, by]) => replaced(own, escapes, by));
	return [...new Set([own, ...read])].map(comparable);
}

/** Returns a secret in base64, at each of the three positions in which its bytes may be. */
function inBase64(secret: string): string[] {
	return [0, 1, 2].map((before) => {
		const bytes = Buffer.from(' '.repeat(before) + secret);
		// The outermost characters also hold bits of other characters.
		const end = Math.floor((bytes.length * 4) / 3);
		return bytes.toString('base64').slice(before === 0 ? 0 : before + 1, end);
	});
}

/**
 * Masks the secrets of a run, in five spellings: as they are, URL-encoded, escaped for JSON or XML,
 * and in base64.
 */
export class Redactor {
	/** The pieces of the secrets, and whether each is masked as a whole word only. */
	readonly #pieces = new Map<string, boolean>();
	/** Their lengths by their first two characters: a text is searched for all of them at once. */
	readonly #lengths = new Map<string, Set<number>>();

	/** @param secrets unencoded */
	constructor(secrets: readonly string[]) {
		const distinct = [...new Set(secrets.map((secret) => secret.trim()))];
		for (const secret of distinct.sort((one, other) => one.length - other.length)) {
			this.#add(secret, secret.length < MIN_SUBSTRING_LENGTH);
			if (secret.length < MIN_ENCODED_LENGTH) continue;
			for (const encoded of inBase64(secret)) this.#add(encoded, false);
		}
	}

	#add(secret: string, isWord: boolean): void {
		const [text] = comparable([secret, []]);
		for (let at = 0; at < text.length; at += MAX_PIECE) {
			const start = Math.max(0, Math.min(at, text.length - MAX_PIECE));
			const piece = text.slice(start, start + MAX_PIECE);
			this.#pieces.set(piece, isWord && this.#pieces.get(piece) !== false);
			const begin = piece.slice(0, 2);
			const lengths = this.#lengths.get(begin) ?? new Set(this.#lengths.get(piece.charAt(0)));
			this.#lengths.set(begin, lengths.add(piece.length));
		}
	}

	/** Finds what to mask that begins before `max`, by the indexes at which it begins and ends. */
	*#rangesIn(
		original: string,
		[text, origins]: View,
		max: number,
	): Generator<readonly [number, number]> {
		const known = this.#lengths;
		for (let at = 0; at < text.length; at += 1) {
			const start = origins[at] as number;
			if (start >= max) return;
			for (const length of known.get(text.slice(at, at + 2)) ?? known.get(text.charAt(at)) ?? []) {
				const isWord = this.#pieces.get(text.slice(at, at + length));
				const end = origins[at + length];
				if (isWord === undefined || end === undefined) continue;
				const before = original.slice(Math.max(0, start - 6), start);
				const isWhole = WORD_START.test(before) && !/[a-z\d]/i.test(original.charAt(end));
				if (isWhole || !isWord) yield [start, end];
			}
		}
	}

	/**
	 * Returns a text that is safe to show: secrets masked, invisible characters replaced, and truncated
	 * after `max` characters. The running time grows neither with the rest of the text nor with the
	 * number of secrets.
	 */
	clean(text: string, max: number): string {
		// A piece that begins before the end is recognized as a whole.
		const head = text.slice(0, max + MAX_PIECE * MAX_SPELLING);
		const found = viewsOf(head).flatMap((view) => [...this.#rangesIn(head, view, max)]);
		for (const { index, 0: token } of head.matchAll(TOKEN))
			found.push([index, index + token.length]);
		let clean = '';
		let end = 0;
		for (const [start, next] of found.sort(([one], [other]) => one - other)) {
			if (start >= max) break;
			if (start > end || clean === '') clean += `${head.slice(end, start)}***`;
			end = Math.max(end, next);
		}
		clean += head.slice(end, max);
		if (Math.max(end, max) < text.length) clean += '…';
		return clean.replace(/\r\n?/g, '\n').replace(INVISIBLE, '\ufffd').toWellFormed();
	}
}
