/** Masks secrets in texts that leave a node. */

/** Part of a text: index of its first character, and of the one after its last. */
type Range = readonly [start: number, end: number];

/** A text, decoded from another one. */
interface View {
	readonly text: string;
	/** The part of the original text that each character stands for. */
	readonly origins: readonly Range[];
}

/** A secret of at least this length is masked anywhere; a shorter one only as a whole word. */
const MIN_SUBSTRING_LENGTH = 16;

/** Shorter secrets are not searched for in base64 and hex: they occur in them by chance. */
const MIN_ENCODED_LENGTH = 4;

/** How many ways to decode a text are tried, and how often base64 or hex within each other. */
const MAX_VIEWS = 16;
const MAX_DEPTH = 2;

/** An upper bound for the length of a secret in any encoding, in characters. */
const MAX_SECRET_LENGTH = 8192;

/** Matches anything that looks like a JSON web token, even if truncated. */
const WEB_TOKEN = /\beyJ(?:[\w-]+\.[\w-]+\.[\w-]*|[\w-]{8,}(?:\.[\w-]*)?)/g;
/** Runs of characters that a web token may be embedded in, as in `token_eyJ…`. */
const DOTTED_RUN = /[\w.-]+/g;
const AUTHORIZATION = /(?<=\b(?:Bearer|Basic)\s{1,8})[\w.~+/=-]{8,}/g;

const NAMED: ReadonlyMap<string, string> = new Map(
	Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", n: ' ', r: ' ', t: ' ' }),
);

function character(digits: string, radix: number): string {
	return String.fromCodePoint(Math.min(Number.parseInt(digits, radix), 0x10ffff));
}

/** The encodings of single characters: how they look, and what one means. */
const ENCODINGS: ReadonlyArray<readonly [RegExp, (escape: string) => string]> = [
	// URLs
	[/(?:%[\da-f]{2})+/gi, (escape) => Buffer.from(escape.replaceAll('%', ''), 'hex').toString()],
	// XML and HTML
	[/&(?:amp|lt|gt|quot|apos);/g, (escape) => NAMED.get(escape.slice(1, -1)) ?? ''],
	[/&#\d{1,7};/g, (escape) => character(escape.slice(2), 10)],
	[/&#x[\da-f]{1,6};/gi, (escape) => character(escape.slice(3), 16)],
	// JSON and JavaScript
	[
		/\\(?:u[\da-f]{4}|x[\da-f]{2}|[^\sux])/gi,
		(escape) =>
			escape.length > 2
				? character(escape.slice(2), 16)
				: (NAMED.get(escape.slice(1)) ?? escape.slice(1)),
	],
	// MIME: quoted-printable text, and lines of 76 characters
	[/=[\da-f]{2}/gi, (escape) => character(escape.slice(1), 16)],
	[/=?\r?\n[ \t]*/g, () => ''],
];

const BASE64_RUN = /[\w+/-]{6,}={0,2}/g;
const HEX_RUN = /[\da-f]{2}(?:[-: ]?[\da-f]{2}){3,}/gi;

/** Control characters and characters that change the reading direction. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** A text for comparison, of the same length. In form encoding, "+" is a space. */
function folded(text: string): string {
	return text.replace(/[A-Z]+|\+/g, (part) => (part === '+' ? ' ' : part.toLowerCase()));
}

function isWordCharacter(character: string): boolean {
	return /^[a-z\d]$/i.test(character);
}

/** The part of the original text that a part of a view stands for. */
function originOf({ origins }: View, start: number, end: number): Range {
	return [origins[start]?.[0] ?? 0, origins[end - 1]?.[1] ?? 0];
}

/** Decodes one encoding wherever it occurs in a view. */
function decoded(view: View, encoding: RegExp, meaning: (escape: string) => string): View {
	const origins: Range[] = [];
	let copied = 0;
	const copy = (end: number): void => {
		for (; copied < end; copied += 1) origins.push(view.origins[copied] as Range);
	};
	const text = view.text.replace(encoding, (escape: string, index: number) => {
		copy(index);
		copied += escape.length;
		const meant = meaning(escape);
		const origin = originOf(view, index, copied);
		for (let i = 0; i < meant.length; i += 1) origins.push(origin);
		return meant;
	});
	copy(view.text.length);
	return { text, origins };
}

/** Returns a text as it is, and decoded in each way that changes it, also repeatedly. */
function viewsOf(text: string): View[] {
	const origins = Array.from({ length: text.length }, (_, i): Range => [i, i + 1]);
	const views: View[] = [{ text, origins }];
	const known = new Set([text]);
	for (const view of views) {
		for (const [escapes, meaning] of ENCODINGS) {
			const next = decoded(view, escapes, meaning);
			if (known.has(next.text) || views.length >= MAX_VIEWS) continue;
			known.add(next.text);
			views.push(next);
		}
	}
	return views;
}

/**
 * Returns the web token that is attached to a word, and everything attached to the token. Header and
 * payload both begin with `eyJ`, which two words of a language never do.
 */
function attachedToken({ 0: run, index }: RegExpExecArray): Range[] {
	let start = 0;
	const parts = run.split('.');
	for (const [i, part] of parts.entries()) {
		const token = part.indexOf('eyJ');
		if (token >= 0 && parts[i + 1]?.startsWith('eyJ') === true) {
			return [[index + start + token, index + run.length]];
		}
		start += part.length + 1;
	}
	return [];
}

/** Returns what looks like a token, whether it is known or not. */
function tokensIn(text: string): Range[] {
	return [
		...[...text.matchAll(DOTTED_RUN)].flatMap(attachedToken),
		...[WEB_TOKEN, AUTHORIZATION].flatMap((form) =>
			[...text.matchAll(form)].map(({ 0: token, index }): Range => [index, index + token.length]),
		),
	];
}

/** Replaces ranges, merged where they overlap or touch, by `***`. */
function masked(text: string, ranges: Range[]): string {
	let clean = '';
	let copied = 0;
	for (const [start, end] of ranges.sort(([one], [other]) => one - other)) {
		if (start > copied || copied === 0) clean += `${text.slice(copied, start)}***`;
		copied = Math.max(copied, end);
	}
	return clean + text.slice(copied);
}

/** Masks the secrets of a run. */
export class Redactor {
	/** Secrets by their first characters, by how many these are. */
	readonly #secrets = new Map<number, Map<string, string[]>>();

	/** @param secrets unencoded */
	constructor(secrets: Iterable<string>) {
		for (const secret of new Set([...secrets].map(folded))) {
			const start = secret.slice(0, MIN_SUBSTRING_LENGTH);
			const ofLength = this.#secrets.get(start.length) ?? new Map<string, string[]>();
			ofLength.set(start, [...(ofLength.get(start) ?? []), secret]);
			this.#secrets.set(start.length, ofLength);
		}
		this.#secrets.delete(0);
	}

	/**
	 * Returns a text that is safe to show: secrets masked, invisible characters replaced, and truncated
	 * after `max` characters. The running time does not grow with the text.
	 */
	clean(text: string, max: number): string {
		const head = text.slice(0, max + 2 * MAX_SECRET_LENGTH);
		const clean = masked(head, this.#secretsIn(head, 0, 1)).replace(/\r\n?/g, '\n');
		// Truncation may have split a secret, which is then not recognized.
		const whole = head.length < text.length ? clean.length - MAX_SECRET_LENGTH : clean.length;
		const end = Math.max(0, Math.min(whole, max));
		const cut = end < clean.length ? `${clean.slice(0, end)}…` : clean;
		return cut.replace(INVISIBLE, '\ufffd').toWellFormed();
	}

	/** Finds secrets in any encoding. */
	#secretsIn(text: string, depth: number, minLength: number): Range[] {
		return viewsOf(text).flatMap((view) =>
			[
				...this.#plainIn(folded(view.text), minLength),
				...tokensIn(view.text),
				...(depth < MAX_DEPTH ? this.#encodedIn(view.text, depth) : []),
			].map(([start, end]) => originOf(view, start, end)),
		);
	}

	#plainIn(text: string, minLength: number): Range[] {
		const found: Range[] = [];
		for (const [length, secrets] of this.#secrets) {
			if (length < minLength) continue;
			const isWord = length < MIN_SUBSTRING_LENGTH;
			for (let start = 0; start + length <= text.length; start += 1) {
				const [before, after] = [text.charAt(start - 1), text.charAt(start + length)];
				if (isWord && (isWordCharacter(before) || isWordCharacter(after))) continue;
				for (const secret of secrets.get(text.slice(start, start + length)) ?? []) {
					if (text.startsWith(secret, start)) found.push([start, start + secret.length]);
				}
			}
		}
		return found;
	}

	/** Finds the runs of base64 and hex that hold a secret. */
	#encodedIn(text: string, depth: number): Range[] {
		const holdsSecret = (bytes: Buffer): boolean => {
			// UTF-8, or the UTF-16 of a text that is mostly ASCII.
			const decoded = bytes.toString().replaceAll('\0', '');
			const isText = /[^\p{Cc}\ufffd]{4}/u.test(decoded);
			return isText && this.#secretsIn(decoded, depth + 1, MIN_ENCODED_LENGTH).length > 0;
		};
		const decoders: ReadonlyArray<readonly [RegExp, (run: string) => Buffer[]]> = [
			// A secret may begin at any of the four alignments.
			[BASE64_RUN, (run) => [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64'))],
			[HEX_RUN, (run) => [Buffer.from(run.replace(/[-: ]/g, ''), 'hex')]],
		];
		return decoders.flatMap(([form, decode]) =>
			[...text.matchAll(form)]
				.filter(({ 0: run }) => decode(run).some(holdsSecret))
				.map(({ 0: run, index }): Range => [index, index + run.length]),
		);
	}
}
