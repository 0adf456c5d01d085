/** The reader of the texts of faults. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { toNodeError } from '../../nodes/shared/run/errors.ts';
import { Redactor } from '../../nodes/shared/run/redact.ts';
import { readFaultText } from '../../nodes/shared/soap/fault.ts';
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
			new ServiceError('REFUSED', 'statusRefusal', message, undefined, { details: text }),
			{
				...{ items: [item], action, keys: {}, earlier: undefined },
				redactor: new Redactor([secret]),
			},
		);
		return {
			kind: serviceCode === undefined ? 'no code' : 'code',
			check() {
				if (message === '') throw new Error('A fault without a message');
				if (serviceCode !== undefined && !/^\d{1,9}$/.test(serviceCode)) {
					throw new Error(`${serviceCode} is no code`);
				}
				const seen = `${error.message} ${error.description} ${JSON.stringify(error.context)}`;
				if (/(?<![A-Za-z\d])eyJ\w+\.eyJ\w+/.test(seen)) throw new Error('A token is shown');
				if (seen.includes(secret)) throw new Error('A secret is shown');
			},
		};
	},
});
