/** The texts of faults, chains of .NET exceptions, ordinary and very long ones; and their reader. */
import fc from 'fast-check';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { readFaultText } from '../../nodes/shared/soap/fault.ts';
import { xmlText } from '../support/arbitraries.mts';
import { bomb } from './bombs.mts';
import { SECRET, shownError } from './shown.mts';
import { target } from './target.mts';

const part = fc.oneof(
	fc.constantFrom(
		...['System.Exception: ', 'System.Web.Services.Protocols.SoapException: ', ' ---> '],
		...['TWK exception: ', '2011: ', '12345678901: ', '(0x80004005): ', '\n   at A.B(C c)'],
		...[
			'\nat A.B (C c)',
			'[A.BException: ',
			'(A.BException)',
			' ---> (Inner Exception #1) ',
			'<---',
		],
		...['\r\n   bij A.B(C c)', '\n   --- End of inner exception stack trace ---'],
		...['The access token is expired.', 'token has been revoked', 'Basic dXNlcjpwYXNz'],
		'Bearer eyJhbGciOiJ.eyJhbGci.abc',
	),
	xmlText,
);

/** A text of a fault, of up to some hundred thousand characters. */
export const faultText: fc.Arbitrary<string> = fc.oneof(
	{ weight: 30, arbitrary: fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')) },
	{ weight: 1, arbitrary: fc.tuple(part, bomb, part).map((parts) => parts.join('')) },
);

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
