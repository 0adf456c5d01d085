/** Faults: of SOAP 1.1 and 1.2, at HTTP 500. */
import { words } from '../words.mts';
import type { Kind, Recipes } from './kind.mts';
import { many, wrap } from './recipe.mts';
import { envelope, MAX_ANSWER, readAnswer, xmlTexts, xmlWraps } from './xml.mts';

const document = ([text = '', detail = '', code = '', beside = '']: readonly string[]): string =>
	envelope(
		`<s:Fault><faultcode>s:Server${code}</faultcode><faultstring>${text}</faultstring><detail>${detail}</detail>${beside}</s:Fault>`,
	);

const texts = [
	...[
		'\n   at A.B(C c)',
		'\n   at ',
		'\nat A.B (',
		'\n   bij A.B(C c)',
		'\n --- ',
		'\n   --- End of inner ---',
	],
	...[
		' ---&gt; ',
		' ---&gt; (Inner Exception #1) ',
		'&lt;---',
		'[AException: ',
		'(A.BException)',
		'A.BException: ',
	],
	...[
		'AException`1[',
		'[A',
		'(0x80004005): ',
		'2011: ',
		'TWK exception: ',
		'access token expired ',
	],
	...words(
		'token Bearer Basic eyJ eyJa. . .eyJ a-secret+of(the*credential % %2f \\u002f \\ &amp;lt; &amp;#65; - _ /',
	),
	...words('</StackTrace><StackTrace> <Text>x</Text> <Value>s:Client</Value> :'),
];

const A = ['<a>', '</a>'] as const;

const starts: readonly Recipes[] = [
	...[...texts, ...xmlTexts].flatMap((text) => [
		[[many([text])], [], [], []],
		[[], [many([text])], [], []],
	]),
	[[], [wrap(A, [many([' '])], 55)], [], []],
	[[], [wrap(A, [many(['\n   at A.B(C c)'])], 55)], [], []],
	[[], [wrap(A, [many(['<b> </b>'])], 55)], [], []],
	[[], [many([wrap(A, ['text'], 20)])], [], []],
	[[], [], [many(['.a'])], []],
	[[], [], [], [many(['<a/>'])]],
	[['2011: ', many([' ']), 'x'], [], [], []],
];

export const fault: Kind = {
	texts: [...texts, ...xmlTexts],
	wraps: [
		...xmlWraps,
		['<StackTrace>', '</StackTrace>'],
		['<s:Reason><s:Text>', '</s:Text></s:Reason>'],
	],
	maxLength: MAX_ANSWER,
	starts,
	most: { time: 1.4, mebibytes: 16 },
	heap: 1536,
	document,
	read: async (text, timed) => await readAnswer(text, 500, timed),
};
