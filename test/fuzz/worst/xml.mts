/** Answers in XML: the list of the cost centers, with whatever else an answer can hold. */
import { costCenterGet } from '../../../nodes/shared/contract/operations.ts';
import { readRecords } from '../../../nodes/shared/actions/soapCall.ts';
import { accessOf, answering, connectionTo } from '../../support/exchange.mts';
import { EMPLOYEE_NS } from '../../support/soap.mts';
import { words } from '../words.mts';
import type { Kind, Outcome, Recipes, Timed } from './kind.mts';
import { many, wrap, type Recipe } from './recipe.mts';
import { attempt } from './attempt.mts';

/** Default of the option Response Size Limit, in bytes. */
export const MAX_ANSWER = 8 * 2 ** 20;

const connection = connectionTo('http://payroll.example');

/** Reads an answer to a call; an error becomes what the builder sees. */
export async function readAnswer(document: string, status: number, timed: Timed): Promise<Outcome> {
	const body = Buffer.from(document);
	const { exchange } = answering(() => ({ status, type: 'text/xml; charset=utf-8', body }));
	const access = accessOf(exchange, { connection });
	const request = { EmployeeId: 1001, Period: 6, Year: 2026 };
	return await timed(
		async () => await attempt(async () => await readRecords(access, costCenterGet, request)),
	);
}

/** An answer that holds this in its body, and beside it. */
export function envelope(body: string, header = ''): string {
	return (
		'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"' +
		' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:d="u" xmlns:b="v">' +
		`<s:Header>${header}</s:Header><s:Body>${body}</s:Body></s:Envelope>`
	);
}

const RECORD =
	'<EmployeeCostCenter><Id>%i</Id><CostCenter><Code>4100</Code><Description>Warehouse</Description>' +
	'<Id>17</Id></CostCenter><Kostensoort><Code>400</Code><Description>Salaries</Description>' +
	'</Kostensoort><Percentage>62.5</Percentage><Default>true</Default></EmployeeCostCenter>\n';

const document = ([rows = '', beside = '', header = '']: readonly string[]): string =>
	envelope(
		`<CostCenter_GetResponse xmlns="${EMPLOYEE_NS}"><CostCenter_GetResult>${rows}</CostCenter_GetResult>${beside}</CostCenter_GetResponse>`,
		header,
	);

export const xmlTexts = [
	...words(
		'<a/> <a%i/> <__Proto__>x</__Proto__> <a>text</a> <b:a/> <Id>1</Id> &lt; &#65; &#x1F9FE; x é 𝄞',
	),
	...[
		'<a b="c"/>',
		'<b:a xmlns:b="u"/>',
		'<a xmlns="u%i"/>',
		'<a xmlns:b%i="u%i"/>',
		'<a b="&lt;" c=""/>',
	],
	...[
		'<!---->',
		'<!-- x -->',
		'<![CDATA[]]>',
		'<![CDATA[<]]>',
		'<?a b?>',
		'\r\n',
		'\n',
		' ',
		'\u00a0',
	],
	...['<a xsi:nil="true"/>', '<a xsi:type="b"/>', '<a xsi:type="d:b%i"/>', '<a d:e="f"/>'],
	...['x'.repeat(100), '1'.repeat(1000), ' '.repeat(1000), 'text of a record ', RECORD],
];

const open = (name: string, attributes = ''): readonly [string, string] => [
	`<${name}${attributes}>`,
	`</${name}>`,
];

export const xmlWraps = [
	...['a', 'a%i', 'b:a', 'EmployeeCostCenter', 'CostCenter', 'Id', 'Percentage'].map((name) =>
		open(name),
	),
	...[' xmlns="u"', ' xmlns:c%i="u"', ' xsi:type="a"', ' c="d"', '\n'].map((one) => open('a', one)),
	...([
		['<![CDATA[', ']]>'],
		['<a b="', '"/>'],
		['<!--', '-->'],
		['<a', '/>'],
		['<EmployeeCostCenter', '/>'],
	] as const),
];

/** Attributes of one element. */
const attributes = (unit: string, times: number): Recipe => [
	many([wrap(['<a', '/>'], [many([unit], times)])]),
];

const rows = (...inner: Recipe): Recipe => [many([wrap(open('EmployeeCostCenter'), inner)])];

const starts: readonly Recipes[] = [
	...xmlTexts.map((text) => [[many([text])], [], []]),
	[[], [many(['<a%i/>'])], []],
	[[many([RECORD])], [many(['<a%i/>'])], []],
	[[], [], [many(['<a/>'])]],
	[[], [], [many(['<c%i:a xmlns:c%i="u"/>'])]],
	// Nearly as many different names as are read.
	[[many([RECORD], 1000)], [many([many(['<a b%i="u"/>'], 900)])], []],
	[[many([many(['<EmployeeCostCenter b%i="u"/>'], 900)])], [], []],
	[[many([RECORD], 1000)], [many([many(['<a%i/>'], 90_000)])], []],
	...[' b%i=""', ' b%i="c"', ' xmlns:b%i="u"', ' d:b%i=""', ' b%i="&lt;"', ' b%i="\n"'].flatMap(
		(unit) => [
			[attributes(unit, 16), [], []],
			[attributes(unit, 200), [], []],
			[attributes(unit, 250), [], []],
		],
	),
	[
		rows('<Id xsi:nil="true"/>', '<Percentage xsi:nil="true"/>', '<Default xsi:nil="true"/>'),
		[],
		[],
	],
	[rows(many(['<b%i/>'], 60)), [], []],
	[rows(many(['<b/>'], 60)), [], []],
	[[wrap(open('EmployeeCostCenter'), [many(['<b%i/>'])])], [], []],
	[[wrap(open('EmployeeCostCenter'), [many(['<b/>'])])], [], []],
	[[wrap(open('EmployeeCostCenter'), [wrap(open('a'), [many([' '])], 55)])], [], []],
	[[many([wrap(open('a'), [], 55)])], [], []],
	[[many([wrap(open('a', ' xmlns:c%i="u"'), ['<c1:b/>'], 50)])], [], []],
	[rows('<Percentage>', many(['1']), '</Percentage>'), [], []],
];

/** The largest list of records that is read: all others are compared with it. */
export const largestList = (): string =>
	document([Array.from({ length: 105_000 }, (_, i) => RECORD.replace('%i', String(i))).join('')]);

export const xml: Kind = {
	texts: xmlTexts,
	wraps: xmlWraps,
	maxLength: MAX_ANSWER,
	starts,
	most: { time: 1.4, mebibytes: 128 },
	heap: 1536,
	document,
	read: async (text, timed) => await readAnswer(text, 200, timed),
};
