/** Masks secrets in texts that leave a node. */

/** Part of a text: index of its first character, and of the one after its last. */
type Range = readonly [start: number, end: number];

/** A text, decoded from another one. */
interface View {
	readonly text: string;
	/** The part of the original text that each character stands for; absent if nothing was decoded. */
	readonly origins?: readonly Range[];
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

/** Replaces parts of a view; `undefined` if there are none. */
function replaced(view: View, parts: RegExp, meaning: (part: string) => string): View | undefined {
	let text = '';
	let copied = 0;
	const origins: Range[] = [];
	const originOf = (start: number, end: number): Range => [
		view.origins?.[start]?.[0] ?? start,
		view.origins?.[end - 1]?.[1] ?? end,
	];
	const copy = (end: number): void => {
		for (let i = copied; i < end; i += 1) origins.push(originOf(i, i + 1));
		text += view.text.slice(copied, end);
	};
	for (const { 0: part, index } of view.text.matchAll(parts)) {
		copy(index);
		copied = index + part.length;
		const meant = meaning(part);
		text += meant;
		const origin = originOf(index, copied);
		for (let i = 0; i < meant.length; i += 1) origins.push(origin);
	}
	if (copied === 0) return undefined;
	copy(view.text.length);
	return { text, origins };
}

/** Returns a text as it is, and decoded in each way that changes it, also repeatedly. */
function viewsOf(text: string): View[] {
	const views: View[] = [{ text }];
	const known = new Set([text]);
	for (const view of views) {
		for (const [escapes, meaning] of ENCODINGS) {
			const decoded = replaced(view, escapes, meaning);
			if (decoded === undefined || known.has(decoded.text) || views.length >= MAX_VIEWS) continue;
			known.add(decoded.text);
			views.push(decoded);
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
	/** Secrets that are masked as whole words, by their length. */
	readonly #words = new Map<number, Set<string>>();
	/** The others by their first characters, the longest first. */
	readonly #longer = new Map<string, string[]>();

	/** @param secrets unencoded */
	constructor(secrets: Iterable<string>) {
		for (const secret of new Set([...secrets].map(folded))) {
			const { length } = secret;
			const start = secret.slice(0, MIN_SUBSTRING_LENGTH);
			if (length >= MIN_SUBSTRING_LENGTH) {
				this.#longer.set(start, [...(this.#longer.get(start) ?? []), secret]);
			} else if (length > 0) {
				this.#words.set(length, (this.#words.get(length) ?? new Set()).add(secret));
			}
		}
		for (const secrets of this.#longer.values()) secrets.sort((a, b) => b.length - a.length);
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
		return viewsOf(text).flatMap(({ text: shown, origins }) => {
			const found = [
				...this.#plainIn(folded(shown), minLength),
				...tokensIn(shown),
				...(depth < MAX_DEPTH ? this.#encodedIn(shown, depth) : []),
			];
			if (origins === undefined) return found;
			return found.map(
				([start, end]): Range => [origins[start]?.[0] ?? 0, origins[end - 1]?.[1] ?? 0],
			);
		});
	}

	#plainIn(text: string, minLength: number): Range[] {
		const found: Range[] = [];
		for (let start = 0; start < text.length; start += 1) {
			const end = this.#endOfLonger(text, start) ?? this.#endOfWord(text, start, minLength);
			if (end !== undefined) found.push([start, end]);
		}
		return found;
	}

	#endOfLonger(text: string, start: number): number | undefined {
		if (this.#longer.size === 0) return undefined;
		const secrets = this.#longer.get(text.slice(start, start + MIN_SUBSTRING_LENGTH));
		const secret = secrets?.find((one) => text.startsWith(one, start));
		return secret === undefined ? undefined : start + secret.length;
	}

	#endOfWord(text: string, start: number, minLength: number): number | undefined {
		if (start > 0 && isWordCharacter(text.charAt(start - 1))) return undefined;
		let last: number | undefined;
		for (const [length, secrets] of this.#words) {
			const end = start + length;
			const isLast = length >= minLength && end > (last ?? 0) && !isWordCharacter(text.charAt(end));
			if (isLast && secrets.has(text.slice(start, end))) last = end;
		}
		return last;
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
