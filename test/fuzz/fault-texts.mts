/** The texts of faults: chains of .NET exceptions, ordinary and very long ones. */
import fc from 'fast-check';
import { xmlText } from '../support/arbitraries.mts';
import { bomb } from './bombs.mts';

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
