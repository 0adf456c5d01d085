/** A search for secrets in everything that a run leaves behind, in the spellings that the package masks. */
import { types } from 'node:util';

// Unlike `instanceof`, for objects of every realm: n8n's are of another one than those of a test.
const { isMap, isSet } = types;

/** A value that must not leak. */
export interface Secret {
	readonly name: string;
	readonly value: string;
}

/** Where a secret was found. */
interface Hit {
	/** The name of what was searched, and the path to the value in it. */
	readonly path: string;
	readonly secret: string;
	readonly encoding: string;
	/** The text around it, without the secret itself. */
	readonly around: string;
}

/** What of a credential is secret. */
interface CredentialSecrets {
	readonly clientId: string;
	readonly clientSecret: string;
	readonly subscriptionKey: string;
}

/** The secrets of a credential and of all tokens that were handed out for it. */
export function secretsOf(credential: CredentialSecrets, tokens: Iterable<string>): Secret[] {
	const { clientId, clientSecret, subscriptionKey } = credential;
	// As the header of the token endpoint has it, in base64.
	const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
	return [
		{ name: 'client ID and secret', value: pair },
		{ name: 'client secret', value: clientSecret },
		{ name: 'subscription key', value: subscriptionKey },
		// The first part of an access token is the same for all, and no secret.
		...[...tokens].map((token) => ({ name: 'token', value: token.replace(/^eyJ[\w-]+\./, '') })),
	];
}

/** A shorter secret would be found anywhere. */
const SHORTEST = 10;

/** The texts that show a secret, with the name of their encoding. */
function spellingsOf(value: string): ReadonlyArray<readonly [text: string, encoding: string]> {
	return [
		[value, 'as it is'],
		[encodeURIComponent(value), 'URL-encoded'],
		[JSON.stringify(value).slice(1, -1), 'in JSON'],
		[Buffer.from(value).toString('base64').replace(/=+$/, ''), 'base64'],
	];
}

interface Needle {
	readonly text: string;
	readonly secret: string;
	readonly encoding: string;
}

/** Searches values for secrets. */
export class SecretSearch {
	readonly hits: Hit[] = [];
	/** How many characters were searched. */
	characters = 0;
	private readonly needles = new Map<string, Needle[]>();
	private readonly texts = new Set<string>();

	/**
	 * Searches for these secrets, too, from now on.
	 *
	 * @throws {RangeError} if one is so short that it would be found anywhere
	 */
	lookFor(secrets: Iterable<Secret>): this {
		for (const { name, value } of secrets) {
			if (value.length < SHORTEST)
				throw new RangeError(`The ${name} is too short to be searched for`);
			for (const [text, encoding] of spellingsOf(value)) {
				if (this.texts.has(text)) continue;
				this.texts.add(text);
				const begin = text.slice(0, SHORTEST);
				const others = this.needles.get(begin) ?? [];
				this.needles.set(begin, [...others, { text, secret: name, encoding }]);
			}
		}
		return this;
	}

	/**
	 * Searches a value: a text, bytes, or an object with all of its own properties, enumerable or not
	 * (an error's stack, cause and context among them).
	 */
	search(name: string, value: unknown): void {
		const seen = new Set<object>();
		const waiting: Array<readonly [string, unknown]> = [[name, value]];
		for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
			const [path, found] = entry;
			if (typeof found === 'string') this.searchText(path, found);
			if (typeof found !== 'object' || found === null || seen.has(found)) continue;
			seen.add(found);
			if (Buffer.isBuffer(found)) {
				this.searchText(path, found.toString('utf8'));
				continue;
			}
			if (isMap(found) || isSet(found)) waiting.push([`${path}{}`, [...found.entries()]]);
			for (const key of Reflect.ownKeys(found)) {
				waiting.push([`the keys of ${path}`, key], [`${path}.${String(key)}`, valueOf(found, key)]);
			}
		}
	}

	private searchText(path: string, text: string): void {
		this.characters += text.length;
		for (let at = 0; at + SHORTEST <= text.length; at += 1) {
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
