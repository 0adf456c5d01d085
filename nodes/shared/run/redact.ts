/** Masks secrets in texts that leave a node. */
import { MIN_SECRET_LENGTH } from '../credential/connection';
import type { ServiceError } from '../errors/ServiceError';
import { sentences } from '../errors/words';
import type { ServiceAccess } from '../exchange/exchange';
import { describeError } from '../messages/describe';
import { withoutTrace } from '../soap/call';

/** What looks like a token, known or not: a JSON web token, also truncated, and what follows its scheme. */
const TOKEN_LIKE =
	/(?<![A-Za-z\d])eyJ(?:[\w-]{8,}(?:\.[\w-]*){0,2}|[\w-]*\.eyJ[\w-]*(?:\.[\w-]*)?)|(?<=\b(?:Bearer|Basic)\s{1,8})[\w.~+/=-]{8,}/g;

/** Control characters and characters that change the reading direction. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** Stands for each masked character, so that masking moves nothing: no text contains a noncharacter. */
const MASKED = '\uffff';

/** Returns a secret in base64, at each of the three positions in which its bytes may be. */
function inBase64(secret: string): string[] {
	return [0, 1, 2].map((before) => {
		const bytes = Buffer.from(' '.repeat(before) + secret);
		// The outermost characters also hold bits of other characters.
		const end = Math.floor((bytes.length * 4) / 3);
		return bytes.toString('base64').slice(before === 0 ? 0 : before + 1, end);
	});
}

/** Returns a secret as it is, as in JSON, URL-encoded, and in base64, as in a Basic header. */
function spellingsOf(secret: string): string[] {
	if (secret.length < MIN_SECRET_LENGTH) return [];
	const encoded = encodeURIComponent(secret.toWellFormed());
	const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
	const inNet = [encoded, inForm].map((text) => text.replace(/%\w\w/g, (hex) => hex.toLowerCase()));
	const inJson = JSON.stringify(secret).slice(1, -1);
	return [secret, inJson, encoded, inForm, ...inNet, ...inBase64(secret), ...inBase64(encoded)];
}

/** Maximum characters of a title or description, and of details. */
const MAX_MESSAGE = 1000;
export const MAX_DETAILS = 4000;

/** Masks the secrets of a run, and prepares that when there is a text to mask. */
export class Redactor {
	/** The longest first, since a secret may begin with another one. */
	#spellings: readonly string[] | undefined;

	/** @param secrets unencoded */
	constructor(private readonly secrets: readonly string[]) {}

	/** Returns a text that is safe to show: truncated, with secrets masked and invisible characters replaced. */
	clean(text: string, max = MAX_MESSAGE): string {
		this.#spellings ??= [...new Set(this.secrets.flatMap(spellingsOf))].sort(
			(a, b) => b.length - a.length,
		);
		// A secret that begins before the end is recognized as a whole.
		let masked = text.slice(0, max + (this.#spellings[0]?.length ?? 0));
		const mask = (found: string) => MASKED.repeat(found.length);
		for (const secret of [TOKEN_LIKE, ...this.#spellings]) masked = masked.replaceAll(secret, mask);
		return `${masked.slice(0, max)}${text.length > max ? '…' : ''}`
			.replace(/\uffff+/g, '***')
			.replace(/\r\n?/g, '\n')
			.replace(INVISIBLE, '\ufffd')
			.toWellFormed();
	}
}

/** Returns what masks the secrets of a connection; without one, it masks only what looks like a token. */
export function redactorOf(access?: Pick<ServiceAccess, 'connection' | 'session'>): Redactor {
	return new Redactor(access ? [...access.connection.secrets, access.session.token ?? ''] : []);
}

/** Returns an error as data for an item. @param written what is known of a write, and when to run it again */
export function serviceErrorData(
	error: ServiceError,
	redactor: Redactor,
	written = error.isTransient ? 'Run it again later.' : '',
) {
	const [title, advice] = describeError(error);
	const { serviceCode, httpStatus, details } = error.facts;
	return {
		code: error.code,
		message: redactor.clean(title),
		description: sentences(redactor.clean(advice), written),
		...(serviceCode !== undefined && { serviceCode: redactor.clean(serviceCode) }),
		...(httpStatus !== undefined && { httpStatus }),
		...(details !== undefined && { details: withoutTrace(redactor.clean(details, MAX_DETAILS)) }),
	};
}
