/** The reader of the texts of faults. */
import fc from 'fast-check';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { readFaultText } from '../../nodes/shared/soap/fault.ts';
import { bomb } from './bombs.mts';
import { faultText } from './fault-texts.mts';
import { SECRET, shownError } from './shown.mts';
import { target } from './target.mts';

/** Turns a fault's text into the error that the builder sees. */
export const faultTexts = target<string>({
	inputs: fc.oneof(
		{ weight: 4, arbitrary: faultText },
		{
			weight: 1,
			arbitrary: fc.tuple(faultText, faultText).map((texts) => texts.join(` ${SECRET} `)),
		},
		{ weight: 1, arbitrary: bomb },
	),
	expected: ['code', 'no code'],
	show: (text) => Buffer.from(text),
	run(text) {
		const { message, serviceCode } = readFaultText(text);
		const error = shownError(
			new ServiceError('REFUSED', 'notApplied', message, undefined, { details: text }),
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
				if (seen.includes(SECRET)) throw new Error('A secret is shown');
			},
		};
	},
});
