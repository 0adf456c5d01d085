/** Texts as bytes with a content type, encoded correctly or wrongly. */
import fc from 'fast-check';
import { bomb } from './bombs.mts';
import { byteMutation, type Mutation } from './mutations.mts';

/** An answer as it arrives. */
export interface Answer {
	readonly status: number;
	readonly type: string;
	readonly body: Buffer;
}

type Encoding = readonly [charset: string | undefined, encode: (text: string) => Buffer];

const usual: Encoding = ['utf-8', (text) => Buffer.from(text)];

const others: readonly Encoding[] = [
	[undefined, (text) => Buffer.from(text)],
	[undefined, (text) => Buffer.from(`\ufeff${text}`)],
	['utf-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
	['iso-8859-1', (text) => Buffer.from(text, 'latin1')],
	// The named charset is not the one used.
	['utf-8', (text) => Buffer.from(text, 'latin1')],
	['x-none', (text) => Buffer.from(text)],
];

interface Transport {
	readonly status: number;
	readonly encoding: Encoding;
	readonly damage: Mutation<Buffer>;
}

const good: Transport = { status: 200, encoding: usual, damage: (bytes) => bytes };

const status = fc.oneof(
	fc.constantFrom(201, 204, 302, 400, 401, 404, 500, 503),
	fc.integer({ min: 100, max: 599 }),
);
const encoding = fc.constantFrom(...others);

/** Mostly correct; otherwise with a single error, so that no other error hides it. */
const transport: fc.Arbitrary<Transport> = fc.oneof(
	{ weight: 8, arbitrary: fc.constant(good) },
	status.map((code) => ({ ...good, status: code })),
	encoding.map((other) => ({ ...good, encoding: other })),
	byteMutation.map((damage) => ({ ...good, damage })),
	fc.record({ status, encoding, damage: byteMutation }),
);

/** Answers with a text as their body, under one of the content types. */
export function answers(
	texts: fc.Arbitrary<string>,
	types: readonly string[],
): fc.Arbitrary<Answer> {
	const type = fc.oneof(
		{ weight: 20, arbitrary: fc.constantFrom(...types) },
		{ weight: 1, arbitrary: bomb },
	);
	return fc.tuple(texts, type, transport).map(
		([
			text,
			type,
			{
				status: code,
				encoding: [charset, encode],
				damage,
			},
		]) => ({
			status: code,
			type: charset === undefined ? type : `${type}; charset=${charset}`,
			body: damage(encode(text)),
		}),
	);
}

/** An answer as a file: a first line of JSON with everything but the body, then the body. */
export function shownAnswer({ body, ...head }: Answer, more: object = {}): Buffer {
	return Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, ...more })}\n`), body]);
}
