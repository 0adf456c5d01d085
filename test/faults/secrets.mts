/**
 * A search for secrets in everything that a run leaves behind: each secret as it is, escaped,
 * URL-encoded and in base64, as a whole or in longer pieces.
 */
import { types } from 'node:util';

// Unlike `instanceof`, for objects of every realm: n8n's are of another one than those of a test.
const { isMap, isSet } = types;

/** A value that must not leak. */
export interface Secret {
	readonly name: string;
	readonly value: string;
}

/** Where a secret was found. */
export interface Hit {
	/** The name of what was searched, and the path to the value in it. */
	readonly path: string;
	readonly secret: string;
	readonly encoding: string;
	/** The text around it, without the secret itself. */
	readonly around: string;
}

/** What of a credential is secret. */
export interface CredentialSecrets {
	readonly clientId: string;
	readonly clientSecret: string;
	readonly subscriptionKey: string;
	readonly domain: string;
}

/** The secrets of a credential and of all tokens that were handed out for it. */
export function secretsOf(credential: CredentialSecrets, tokens: Iterable<string>): Secret[] {
	const { clientId, clientSecret, subscriptionKey, domain } = credential;
	const encoded = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
	return [
		{ name: 'client secret', value: clientSecret },
		{ name: 'client ID and secret', value: `${clientId}:${clientSecret}` },
		{ name: 'client ID and secret, encoded', value: encoded },
		{ name: 'subscription key', value: subscriptionKey },
		{ name: 'domain', value: domain },
		// The first part of an access token is the same for all, and no secret.
		...[...tokens].map((token) => ({ name: 'token', value: token.replace(/^eyJ[\w-]+\./, '') })),
	];
}

/** A shorter secret would be found anywhere. */
const SHORTEST = 10;

/** Half of a secret is found if it is at least twice as long as a piece. */
const PIECE = 24;

function base64(value: string): Array<readonly [string, string]> {
	const variants: Array<readonly [string, string]> = [];
	// The text before a secret shifts it against the groups of three bytes.
	for (const before of [0, 1, 2]) {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
		const start = [0, 2, 3][before] ?? 0;
		const end = Math.floor((bytes.length * 4) / 3);
		const text = bytes.toString('base64').slice(start, bytes.length % 3 === 0 ? undefined : end);
		variants.push(['base64', text], ['base64url', text.replace(/\+/g, '-').replace(/\//g, '_')]);
	}
	return variants;
}

function lower(encoded: string): string {
	return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/** All encodings in which a secret is searched for. */
function variantsOf(value: string): Map<string, string> {
	const url = encodeURIComponent(value);
	const form = new URLSearchParams({ v: value }).toString().slice(2);
	const all: Array<readonly [string, string]> = [
		['as it is', value],
		['in JSON', JSON.stringify(value).slice(1, -1)],
		['in XML', value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')],
		['URL-encoded', url],
		['URL-encoded', lower(url)],
		['URL-encoded twice', encodeURIComponent(url)],
		['form-encoded', form],
		['form-encoded', lower(form)],
		...base64(value),
		...base64(url),
	];
	// The first name for a text that is the same in several encodings.
	return new Map(all.reverse().map(([encoding, text]) => [text, encoding]));
}

interface Needle {
	readonly text: string;
	readonly secret: string;
	readonly encoding: string;
}

/** A hash of the text at an index, to skip most of them. */
function hashAt(text: string, at: number): number {
	const [first, second] = [text.charCodeAt(at) << 14, text.charCodeAt(at + 4) << 7];
	return (first ^ second ^ text.charCodeAt(at + 8)) & 0xfffff;
}

/** Searches values for secrets. */
export class SecretSearch {
	readonly hits: Hit[] = [];
	/** How many values were searched, and how many characters in them. */
	values = 0;
	characters = 0;
	private readonly needles = new Map<string, Needle[]>();
	private readonly texts = new Set<string>();
	private readonly mayBegin = new Uint8Array(2 ** 20);

	/** How many texts are searched for. */
	get size(): number {
		return this.texts.size;
	}

	/**
	 * Searches for these secrets, too, from now on.
	 *
	 * @throws {RangeError} if one is so short that it would be found anywhere
	 */
	lookFor(secrets: Iterable<Secret>): this {
		for (const { name, value } of secrets) {
			if (this.texts.has(value)) continue;
			if (value.length < SHORTEST)
				throw new RangeError(`The ${name} is too short to be searched for`);
			for (const [text, encoding] of variantsOf(value)) {
				this.add({ text, secret: name, encoding });
				for (let at = 0; text.length >= 2 * PIECE && at + PIECE <= text.length; at += PIECE) {
					const piece = text.slice(at, at + PIECE);
					this.add({ text: piece, secret: name, encoding: `${encoding}, a piece` });
				}
			}
		}
		return this;
	}

	private add(needle: Needle): void {
		if (this.texts.has(needle.text)) return;
		this.texts.add(needle.text);
		const begin = needle.text.slice(0, SHORTEST);
		const others = this.needles.get(begin) ?? [];
		this.needles.set(begin, others);
		// Longest first: a whole secret says more than a piece of it.
		others.push(needle);
		others.sort((a, b) => b.text.length - a.text.length);
		this.mayBegin[hashAt(begin, 0)] = 1;
	}

	/**
	 * Searches a value: a text, bytes, or an object with all of its own properties, enumerable or not
	 * (an error's stack, cause and context among them).
	 */
	search(name: string, value: unknown): void {
		this.values += 1;
		const seen = new Set<object>();
		const waiting: Array<readonly [string, unknown]> = [[name, value]];
		for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
			const [path, found] = entry;
			if (typeof found === 'string') this.searchText(path, found);
			if (typeof found !== 'object' || found === null || seen.has(found)) continue;
			seen.add(found);
			if (ArrayBuffer.isView(found)) {
				const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength);
				this.searchText(path, bytes.toString('utf8'));
				continue;
			}
			if (isMap(found) || isSet(found)) {
				for (const inner of found.entries()) waiting.push([`${path}{}`, inner]);
			}
			for (const key of Reflect.ownKeys(found)) {
				if (typeof key === 'string') this.searchText(`the keys of ${path}`, key);
				waiting.push([`${path}.${String(key)}`, valueOf(found, key)]);
			}
		}
	}

	private searchText(path: string, text: string): void {
		this.characters += text.length;
		for (let at = 0; at + SHORTEST <= text.length; at += 1) {
			if (this.mayBegin[hashAt(text, at)] === 0) continue;
			const needles = this.needles.get(text.slice(at, at + SHORTEST));
			const needle = needles?.find((candidate) => text.startsWith(candidate.text, at));
			if (needle === undefined) continue;
			const end = at + needle.text.length;
			const around = `${text.slice(Math.max(0, at - 40), at)}<here>${text.slice(end, end + 40)}`;
			this.hits.push({ path, secret: needle.secret, encoding: needle.encoding, around });
			at = end - 1;
		}
	}
}

/** A property's value, or what its getter throws. */
function valueOf(object: object, key: string | symbol): unknown {
	try {
		return (object as Record<string | symbol, unknown>)[key];
	} catch (error) {
		return error;
	}
}
