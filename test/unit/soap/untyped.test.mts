import { checkElementName, checkSentName } from '../../../nodes/shared/values/untyped.ts';
import type { Operation } from '../../../nodes/shared/contract/operation.ts';
import { callSoap } from '../../../nodes/shared/soap/call.ts';
import { checkUntyped, writeUntyped } from '../../../nodes/shared/soap/writeUntyped.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';
import { answering, connectionTo } from '../../support/exchange.mts';
import { EMPLOYEE_NS, soapAnswer } from '../../support/soap.mts';

/** An operation of which only the name is known. */
const operation: Operation<'read'> = {
	service: 'EmployeeService',
	name: 'Contract_Get',
	effect: 'read',
	request: { fields: {}, others: {} },
	response: { fields: {}, others: {} },
};

describe('the name of a service or an operation', () => {
	const check = (name: unknown) => checkSentName(name, 'a service');

	it.each(['CostCenter_Get', '_a', 'A', 'a.b-c_9'])('may be %j', (name) => {
		expect(check(name)).toBe(name);
	});

	it.each([
		'9a',
		'-a',
		'..',
		'a/b',
		'a\\b',
		'a%2Fb',
		'a:b',
		'a?b',
		'a#b',
		'a b',
		' a',
		'a ',
		'a"',
		'é',
		'a\n',
		'aé',
		7,
	])('may not be %j', (name) => {
		expect(() => check(name)).toThrow(
			new Error(`: ${JSON.stringify(name)} is not the name of a service.`),
		);
	});

	it.each(['', ' ', undefined])('is missing where it is %j', (name) => {
		expect(() => check(name)).toThrow(new Error(' is empty.'));
	});
});

describe('the name of an element', () => {
	it.each(['Id', 'Één', '_x.1-2'])('may be %j', (name) => {
		expect(() => checkElementName(name)).not.toThrow();
	});

	it.each(['a:b', '1a', 'a b', '<a', ''])('may not be %j', (name) => {
		expect(() => checkElementName(name)).toThrow(
			new Error(`: ${JSON.stringify(name)} is not the name of an XML element without a prefix.`),
		);
	});
});

describe('elements are written', () => {
	const write = (elements: Values): string => {
		checkUntyped(elements);
		return writeUntyped(elements);
	};

	it.each<[string, unknown, string]>([
		['a text', ' a & <b> ', '<A> a &amp; &lt;b&gt; </A>'],
		['an empty text', '', '<A></A>'],
		['a whole number', 9_007_199_254_740_991, '<A>9007199254740991</A>'],
		['a boolean', false, '<A>false</A>'],
		['nothing for null', null, ''],
		['nothing for what is not set', undefined, ''],
		['an object', { B: 1, C: { D: 'x' }, E: null }, '<A><B>1</B><C><D>x</D></C></A>'],
		['an object without entries', {}, '<A></A>'],
		['a list', [1, 'b', null, { C: [2, 3] }], '<A>1</A><A>b</A><A><C>2</C><C>3</C></A>'],
		['an empty list', [], ''],
	])('%s', (_, value, xml) => {
		expect(write({ A: value })).toBe(xml);
	});

	it('in the order given', () => {
		expect(write({ B: 0, A: 1 })).toBe('<B>0</B><A>1</A>');
	});

	it.each<[string, unknown, string]>([
		['A', '\0', 'A: "\\u0000" contains a control character or a broken emoji.'],
		['A', [1, { B: [{ C: '\0' }] }], 'A[1].B[0].C: "\\u0000" contains a control character'],
		['A', { 'B C': 1 }, 'A.B C: "B C" is not the name of an XML element'],
		['A', 2 ** 53, 'A: 9007199254740992 has more than 15 digits. Write it as a string.'],
		['A', [[1]], 'A[0]: [1] is not a text.'],
		['A B', 1, 'A B: "A B" is not the name of an XML element'],
	])('but not %j: %j', (name, value, message) => {
		expect(() => write({ [name]: value })).toThrow(message);
	});

	it('at most 64 levels deep', () => {
		const nested = (levels: number): unknown => (levels === 0 ? 'x' : { A: nested(levels - 1) });
		expect(write({ A: nested(63) })).toBe(`${'<A>'.repeat(64)}x${'</A>'.repeat(64)}`);
		expect(() => write({ A: nested(64) })).toThrow('A is nested deeper than 64 levels.');
		// An element of this name makes no date.
		expect(() => write({ A: { toJSON: nested(63) } })).toThrow('nested deeper than 64 levels.');
	});
});

describe('a call', () => {
	/** Calls the operation, which is answered with this in its response element. */
	async function call(content: string) {
		const { exchange, requests } = answering(() =>
			soapAnswer(`<Contract_GetResponse xmlns="${EMPLOYEE_NS}">${content}</Contract_GetResponse>`),
		);
		const connection = connectionTo('http://localhost');
		const answer = await callSoap(exchange, connection, operation, { Id: 1 });
		return { answer, requests };
	}

	it('sends the elements in the namespace of its service', async () => {
		const { requests } = await call('');
		expect(requests).toHaveLength(1);
		expect(String(requests[0]?.body)).toContain(
			`<Contract_Get xmlns="${EMPLOYEE_NS}"><Id>1</Id></Contract_Get>`,
		);
	});

	it.each<[string, string, unknown]>([
		['the whole answer', '<R>1</R>', { R: '1' }],
		['the whole of an empty answer', '', {}],
		['rows', '<R><X>1</X><X>2</X></R>', { R: { X: ['1', '2'] } }],
		[
			'null for nil',
			'<R xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>',
			{ R: null },
		],
	])('gives %s', async (_, content, expected) => {
		expect((await call(content)).answer).toEqual(expected);
	});
});
