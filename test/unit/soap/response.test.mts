import {
	addressInsert,
	costCenterGet,
	costCenterUpdate,
} from '../../../nodes/shared/contract/operations.ts';
import { readEnvelope } from '../../../nodes/shared/soap/response.ts';
import { inTime, long } from '../../support/long.mts';

const NS = 'http://payroll.example/soap/v3/EmployeeService';
const SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/';
const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

const envelope = (body: string, soap = SOAP11) =>
	`<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${soap}" xmlns:xsi="${XSI}"><s:Body>${body}</s:Body></s:Envelope>`;
const rows = (xml: string) =>
	envelope(
		`<CostCenter_GetResponse xmlns="${NS}"><CostCenter_GetResult>${xml}</CostCenter_GetResult></CostCenter_GetResponse>`,
	);
const read = (text: string) => readEnvelope(costCenterGet, NS, text);
const list = (xml: string) => {
	const answer = read(rows(xml));
	if (answer.kind !== 'result') throw new Error('a fault');
	return answer.result;
};

describe('a result', () => {
	it('is recognised by namespace and local name, whatever the prefixes', () => {
		const text = `<e:Envelope xmlns:e="${SOAP12}"><e:Body><x:CostCenter_GetResponse xmlns:x="${NS}"><x:CostCenter_GetResult><x:EmployeeCostCenter><x:Id>7</x:Id><y:CostCenter xmlns:y="${NS}"><y:Code>A</y:Code></y:CostCenter></x:EmployeeCostCenter></x:CostCenter_GetResult></x:CostCenter_GetResponse></e:Body></e:Envelope>`;
		expect(read(text)).toEqual({ kind: 'result', result: [{ Id: 7, CostCenter: { Code: 'A' } }] });
	});

	it('is always a list where the element repeats', () => {
		expect(list('')).toEqual([]);
		expect(list('<EmployeeCostCenter/>')).toEqual([{}]);
		expect(list('<EmployeeCostCenter/><EmployeeCostCenter/>')).toEqual([{}, {}]);
	});

	it('is an empty list where ASP.NET leaves the element out or marks it nil', () => {
		expect(read(envelope(`<CostCenter_GetResponse xmlns="${NS}"/>`))).toEqual({
			kind: 'result',
			result: [],
		});
		expect(
			read(
				envelope(
					`<CostCenter_GetResponse xmlns="${NS}"><CostCenter_GetResult xsi:nil="true"/></CostCenter_GetResponse>`,
				),
			),
		).toEqual({ kind: 'result', result: [] });
	});

	it('tells nil, absent and empty apart', () => {
		expect(
			list(
				'<EmployeeCostCenter><Id xsi:nil="true"/><CostCenter><Code/><Description xsi:nil="1"/></CostCenter></EmployeeCostCenter>',
			),
		).toEqual([{ Id: null, CostCenter: { Code: '', Description: null } }]);
	});

	it('passes elements on that the contract does not know', () => {
		expect(
			list(
				'<EmployeeCostCenter><Id>1</Id><Since>2026-01-01</Since><Tags><Tag>a</Tag><Tag>b</Tag></Tags><Note><Text xsi:nil="true"/></Note><toString>c</toString></EmployeeCostCenter>',
			),
		).toEqual([
			{
				Id: 1,
				Since: '2026-01-01',
				Tags: { Tag: ['a', 'b'] },
				Note: { Text: null },
				toString: 'c',
			},
		]);
	});

	it('keeps blanks, line breaks, CDATA and references of a text', () => {
		expect(
			list(
				'<EmployeeCostCenter><CostCenter><Code> a\t&#13;\n</Code><Description>x<![CDATA[<&amp;>]]>&#x1F9FE;&lt;<!-- not this --></Description></CostCenter></EmployeeCostCenter>',
			),
		).toEqual([{ CostCenter: { Code: ' a\t\r\n', Description: 'x<&amp;>\u{1F9FE}<' } }]);
	});

	it('keeps what only looks like a document type', () => {
		expect(
			list(
				'<!-- <!DOCTYPE x> --><EmployeeCostCenter><CostCenter><Code><![CDATA[<!DOCTYPE x>]]></Code></CostCenter></EmployeeCostCenter>',
			),
		).toEqual([{ CostCenter: { Code: '<!DOCTYPE x>' } }]);
	});

	it('of an operation that returns a number is that number', () => {
		const text = envelope(
			`<Address_InsertResponse xmlns="${NS}"><Address_InsertResult>9001</Address_InsertResult></Address_InsertResponse>`,
		);
		expect(readEnvelope(addressInsert, NS, text)).toEqual({ kind: 'result', result: 9001 });
	});

	it('of an operation that returns nothing is undefined', () => {
		const text = envelope(`<CostCenter_UpdateResponse xmlns="${NS}" />`);
		expect(readEnvelope(costCenterUpdate, NS, text)).toEqual({ kind: 'result', result: undefined });
	});
});

describe('an error, never an empty result, is', () => {
	const good = rows('<EmployeeCostCenter><Id>1</Id></EmployeeCostCenter>');
	const refused: Array<[string, string, RegExp]> = [
		['a document cut short', good.slice(0, -20), /no well-formed XML/],
		[
			'an HTML page',
			'<!DOCTYPE html><html><body>Sign in</body></html>',
			/document type declaration/,
		],
		['HTML without doctype', '<html><body><p>Sorry</body></html>', /no well-formed XML/],
		['another root', '<html/>', /Expected a SOAP envelope/],
		['plain text', 'Service Unavailable', /no well-formed XML/],
		['two roots', `${good}<x/>`, /well-formed|one root/],
		['another envelope namespace', envelope('<x/>', 'urn:other'), /Expected a SOAP envelope/],
		['an empty body', envelope(''), /Expected one element in the SOAP body, got 0/],
		[
			"another operation's answer",
			envelope(`<Address_InsertResponse xmlns="${NS}"/>`),
			/Expected CostCenter_GetResponse/,
		],
		["another service's answer", envelope('<CostCenter_GetResponse xmlns="urn:x"/>'), /of urn:x/],
		[
			'another result element',
			envelope(`<CostCenter_GetResponse xmlns="${NS}"><Rows/></CostCenter_GetResponse>`),
			/Expected CostCenter_GetResult, got Rows/,
		],
		[
			'another row',
			rows('<Address/>'),
			/Expected EmployeeCostCenter in CostCenter_GetResult, got Address/,
		],
		[
			'a number that is none',
			rows('<EmployeeCostCenter><Id>2026-01-01</Id></EmployeeCostCenter>'),
			/CostCenter_GetResult\[0\]\.Id: expected a whole number of 32 bits, got "2026-01-01"/,
		],
		[
			'a number out of range',
			rows('<EmployeeCostCenter/><EmployeeCostCenter><Id>2147483648</Id></EmployeeCostCenter>'),
			/CostCenter_GetResult\[1\]\.Id/,
		],
		[
			'an element twice',
			rows('<EmployeeCostCenter><Id>1</Id><Id>2</Id></EmployeeCostCenter>'),
			/the element .+\.Id twice/,
		],
		[
			"a field's name in another namespace",
			rows('<EmployeeCostCenter><Id xmlns="urn:x">none</Id></EmployeeCostCenter>'),
			/Expected CostCenter_GetResult\[0\]\.Id of .*EmployeeService, got one of "urn:x"/,
		],
		[
			'a record where a value belongs',
			rows('<EmployeeCostCenter><Id><x/></Id></EmployeeCostCenter>'),
			/Expected a single value/,
		],
		['an unbound prefix', rows('<x:EmployeeCostCenter/>'), /unbound prefix "x"/],
		[
			'__proto__ as a name',
			rows('<EmployeeCostCenter><__proto__>x</__proto__></EmployeeCostCenter>'),
			/refused/,
		],
		...['__proto__', 'constructor', 'prototype'].map((name): [string, string, RegExp] => [
			`${name} as a name with a prefix`,
			rows(
				`<EmployeeCostCenter><p:${name} xmlns:p="urn:p"><a>1</a></p:${name}></EmployeeCostCenter>`,
			),
			/the element name ".*", which is refused/,
		]),
		[
			'constructor as a name',
			rows('<EmployeeCostCenter><constructor>x</constructor></EmployeeCostCenter>'),
			/refused/,
		],
		[
			'an unknown entity',
			rows('<EmployeeCostCenter><Id>&one;</Id></EmployeeCostCenter>'),
			/unknown entity "&one;"/,
		],
		[
			'a bare ampersand',
			rows('<EmployeeCostCenter><CostCenter><Code>A & B</Code></CostCenter></EmployeeCostCenter>'),
			/begins no entity|well-formed/,
		],
		[
			'a forbidden character reference',
			rows('<EmployeeCostCenter><CostCenter><Code>&#0;</Code></CostCenter></EmployeeCostCenter>'),
			/forbidden character/,
		],
		['deep nesting', rows(`${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`), /refused/],
		[
			'an entity bomb',
			`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${good.replace(/^<\?xml[^>]*>/, '')}`,
			/document type declaration/,
		],
		[
			'a document type behind many comments and blanks',
			`${'<!-- c -->\n'.repeat(2000)}${' '.repeat(100_000)}<!doctype x>${good.replace(/^<\?xml[^>]*>/, '')}`,
			/document type declaration/,
		],
		[
			'a document type in the middle',
			rows('<EmployeeCostCenter><!DOCTYPE x [<!ENTITY a "b">]><Id>1</Id></EmployeeCostCenter>'),
			/document type declaration/,
		],
		['a comment that ends twice', rows('<!-- a -- b -->'), /a comment with "--" in it/],
		['a comment that ends in three dashes', rows('<!-- a --->'), /a comment with "--" in it/],
		[
			'an external entity behind a comment',
			`<?xml version="1.0"?><!-- c --><!DOCTYPE x SYSTEM "file:///etc/passwd">${good.replace(/^<\?xml[^>]*>/, '')}`,
			/document type declaration/,
		],
	];
	it.each(refused)('%s', (_, text, message) => {
		expect(() => read(text)).toThrow(message);
	});

	it('a cut at any place', () => {
		for (let end = 0; end < good.length; end += 1) {
			expect(() => read(good.slice(0, end))).toThrow(/^(The answer holds|Expected)/);
		}
	});

	it('a missing number where one is promised', () => {
		const text = envelope(`<Address_InsertResponse xmlns="${NS}"/>`);
		expect(() => readEnvelope(addressInsert, NS, text)).toThrow(
			'Expected a value in Address_InsertResult, got none',
		);
	});
});

describe('a long answer takes time in proportion to its length:', () => {
	it('an unknown element that repeats in a record, and in an unknown element', () => {
		const many = long('<a/>');
		const count = many.length / '<a/>'.length;
		const expected = { a: Array.from({ length: count }, () => '') };
		const record = (xml: string) => `<EmployeeCostCenter>${xml}</EmployeeCostCenter>`;
		expect(inTime(() => list(record(many)))).toEqual([expected]);
		expect(inTime(() => list(record(`<b>${many}</b>`)))).toEqual([{ b: expected }]);
	});

	it('a decimal of many zeros', () => {
		const digits = `0.${long('0')}1`;
		const xml = `<EmployeeCostCenter><Percentage>${digits}</Percentage></EmployeeCostCenter>`;
		// No number holds it exactly.
		expect(inTime(() => list(xml))).toEqual([{ Percentage: digits }]);
	});

	it('many elements within many namespaces', () => {
		const names = Array.from({ length: 15_000 }, (_, i) => ` xmlns:a${i}="u"`).join('');
		const xml = `<EmployeeCostCenter>${'<a xmlns:b="u"/>'.repeat(15_000)}</EmployeeCostCenter>`;
		const text = rows(xml).replace('<s:Body>', `<s:Body${names}>`);
		expect(inTime(() => read(text))).toMatchObject({ kind: 'result' });
	});
});
