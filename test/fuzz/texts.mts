/** The readers of single texts of the service or the identity server. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { toNodeError } from '../../nodes/shared/run/errors.ts';
import { Redactor } from '../../nodes/shared/run/redact.ts';
import { readFaultText } from '../../nodes/shared/soap/fault.ts';
import { parseRetryAfter } from '../../nodes/shared/http/retry.ts';
import { inputItems } from '../support/items.mts';
import { bomb } from './bombs.mts';
import { faultText } from './fault-texts.mts';
import { target } from './target.mts';

const secret = 'a-secret+of(the*credential';
const node = {
	id: '1',
	name: 'Payroll',
	type: 'payroll',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const [item] = inputItems({ getNode: () => node }, [0]);
const action = {
	effect: 'write',
	request: {},
	properties: [],
	keysInItems: (_: unknown, keys: IDataObject) => keys,
} as const;

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
			new ServiceError('REFUSED', 'refused', message, undefined, { details: text }),
			{ ...{ items: [item], action, keys: {} }, redactor: new Redactor([secret]) },
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
