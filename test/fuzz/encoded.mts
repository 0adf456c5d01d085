/** Texts as bytes with a content type, encoded correctly or wrongly. */
import fc from 'fast-check';
import { bomb } from './bombs.mts';
import { byteMutation } from './mutations.mts';

/** An answer as it arrives. */
export interface Answer {
	readonly status: number;
	readonly type: string;
	readonly body: Buffer;
}

const status = fc.oneof(
	{ weight: 10, arbitrary: fc.constant(200) },
	{ weight: 1, arbitrary: fc.constantFrom(204, 302, 401, 404, 500, 503) },
);

/** How a text becomes bytes: mostly as the content type says. */
const bytes = fc.oneof(
	{ weight: 10, arbitrary: fc.constant((text: string) => Buffer.from(text)) },
	fc.constant((text: string) => Buffer.from(text, 'latin1')),
	byteMutation.map((damage) => (text: string) => damage(Buffer.from(text))),
);

const charset = fc.oneof(
	{ weight: 10, arbitrary: fc.constant('; charset=utf-8') },
	fc.constantFrom('', '; charset=utf-16', '; charset=iso-8859-1', '; charset=x-none'),
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
	return fc
		.tuple(texts, bytes, status, type, charset)
		.map(([text, encode, code, name, parameter]) => ({
			status: code,
			type: name + parameter,
			body: encode(text),
		}));
}

/** An answer as a file: a first line of JSON with everything but the body, then the body. */
export function shownAnswer({ body, ...head }: Answer, more: object = {}): Buffer {
	return Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, ...more })}\n`), body]);
}
