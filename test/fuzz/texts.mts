/** The readers of single texts of the service or the identity server. */
import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ServiceError, type Text } from '../../nodes/shared/errors/ServiceError.ts';
import { toNodeError } from '../../nodes/shared/run/errors.ts';
import { readFaultText } from '../../nodes/shared/soap/fault.ts';
import { decodeText } from '../../nodes/shared/transport/charset.ts';
import { parseRetryAfter } from '../../nodes/shared/transport/retry.ts';
import { isAboutToExpire } from '../../nodes/shared/transport/token.ts';
import { bomb } from './bombs.mts';
import { faultText } from './fault-texts.mts';
import { jsonText } from './json-texts.mts';
import { byteMutation, mutated } from './mutations.mts';
import { target, typedError } from './target.mts';

const secret = 'a-secret+of(the*credential';
const node = {
	id: '1',
	name: 'Payroll',
	type: 'payroll',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const context = { getNode: () => node } as unknown as IExecuteFunctions;

/** Turns a fault's text into the error that the builder sees. */
export const faultTexts = target<string>({
	inputs: fc.oneof(
		{ weight: 4, arbitrary: faultText },
		{
			weight: 1,
			arbitrary: fc.tuple(faultText, faultText).map((texts) => texts.join(` ${secret} `)),
		},
		{ weight: 1, arbitrary: bomb },
	),
	expected: ['code', 'no code'],
	show: (text) => Buffer.from(text),
	run(text) {
		const { message, serviceCode } = readFaultText(text);
		const error = toNodeError(
			context,
			new ServiceError('refused', message as Text, { details: text }),
			0,
			{ effect: 'write', request: {}, keys: [], properties: [] },
			{},
			[secret],
		);
		return {
			kind: serviceCode === undefined ? 'no code' : 'code',
			check() {
				if (message === '') throw new Error('A fault without a message');
				if (serviceCode !== undefined && !/^\d{1,9}$/.test(serviceCode)) {
					throw new Error(`${serviceCode} is no code`);
				}
				const seen = `${error.message} ${error.description} ${JSON.stringify(error.context)}`;
				if (/eyJ\w+\.eyJ\w+/.test(seen)) throw new Error('A token is shown');
				if (seen.includes(secret)) throw new Error('A secret is shown');
			},
		};
	},
});

const dates = fc.oneof(
	fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
	fc.constantFrom(
		'Wed, 21 Oct 2026 07:28:00 GMT',
		'Wednesday, 21-Oct-26 07:28:00 GMT',
		'120',
		' 5 ',
		'-1',
		'1e9',
		'9'.repeat(400),
	),
	fc.string({ unit: 'binary' }),
	bomb,
);

export const retryAfter = target<string>({
	inputs: dates,
	expected: ['wait', 'unreadable'],
	show: (text) => Buffer.from(text),
	run(text) {
		const wait = parseRetryAfter(text, Date.UTC(2026, 5, 1));
		return {
			kind: wait === undefined ? 'unreadable' : 'wait',
			check() {
				if (wait !== undefined && !(wait >= 0)) throw new Error(`A wait of ${wait} ms`);
			},
		};
	},
});

const claims = fc.oneof(
	jsonText,
	bomb,
	fc
		.tuple(
			fc.constantFrom('exp', 'iat'),
			fc.constantFrom('0', '-1', '1e400', '1780000000', '"1"', 'null'),
			jsonText,
		)
		.map(([claim, value, other]) => `{"${claim}":${value},"exp":${other}}`),
	fc
		.tuple(fc.nat(), fc.nat())
		.map(([exp, iat]) => JSON.stringify({ exp: 1_780_000_000 + exp, iat })),
);

export const accessTokens = target<string>({
	inputs: fc.oneof(
		{
			weight: 4,
			arbitrary: claims.map((text) => `eyJ.${Buffer.from(text).toString('base64url')}.s`),
		},
		{ weight: 1, arbitrary: bomb },
	),
	expected: ['ending', 'not ending'],
	show: (token) => Buffer.from(token),
	run: (token) => ({
		kind: isAboutToExpire(token, Date.UTC(2026, 5, 1)) ? 'ending' : 'not ending',
		check() {},
	}),
});

interface Encoded {
	readonly bytes: Buffer;
	readonly type: string;
}

const encodedBytes = fc.oneof(
	fc
		.constantFrom(
			'<?xml version="1.0" encoding="iso-8859-15"?><a>€</a>',
			"<?xml encoding='utf-16'?>",
			'{}',
		)
		.map((text) => Buffer.from(text)),
	fc.constant(Buffer.from('\ufeff<a>é</a>', 'utf16le')),
	bomb.map((text) => Buffer.from(text)),
	bomb.map((text) => Buffer.from(`<?xml ${text}`)),
	fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);

/** The decoder of an answer's bytes; it only throws errors of Node's own TextDecoder. */
export const encodedTexts = target<Encoded>({
	inputs: fc.record({
		bytes: fc.oneof(encodedBytes, mutated(encodedBytes, byteMutation)),
		type: fc.oneof(
			fc.constantFrom(
				'text/xml',
				'text/xml; charset=utf-8',
				'text/xml;CHARSET="latin1"',
				'a;charset=utf-7',
				'a; charset=big5',
			),
			bomb,
		),
	}),
	expected: ['text', 'TypeError', 'RangeError'],
	show: ({ bytes, type }) => Buffer.concat([Buffer.from(`${JSON.stringify(type)}\n`), bytes]),
	run({ bytes, type }) {
		try {
			const text = decodeText(bytes, type);
			return {
				kind: 'text',
				check() {
					if (!text.isWellFormed()) throw new Error('A lone surrogate');
				},
			};
		} catch (error) {
			if (error instanceof TypeError || error instanceof RangeError) return typedError(error);
			throw error;
		}
	},
});
