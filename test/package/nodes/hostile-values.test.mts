/** Whatever values an item holds, they change nothing of a request but their own place in it. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { parseXml, type XmlElement } from '../../../nodes/shared/soap/xml.ts';
import {
	callByName,
	createAddress,
	getHourCodes,
	updateCompany,
} from '../../../dev/package/calls.mts';
import { connectedTo } from '../../support/credential.mts';
import { runs } from '../../support/runs.mts';
import { replying, type Received } from '../../support/scripted.mts';
import { usePackage, useConnected, useScriptedServer } from '../../support/setUp.mts';
import { soapAnswer, XML } from '../../support/soap.mts';

const payroll = usePackage();
const server = useScriptedServer();
const credential = useConnected(payroll, server);

/** Gives a good answer to any request. */
function answerAll(): void {
	server.play((response, index, request) => {
		const text = request.path.includes('CompanyService')
			? soapAnswer('Address_Update', '', 'CompanyService')
			: soapAnswer('Address_Insert', '<Address_InsertResult>1</Address_InsertResult>');
		const isList = request.method === 'GET';
		const script = isList ? replying(200, 'application/json', '[]') : replying(200, XML, text);
		return script(response, index, request);
	});
}
const namesOf = ({ headers }: Received): string[] => Object.keys(headers).sort();

const prototype = Reflect.ownKeys(Object.prototype);
afterEach(() => {
	expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype);
});

async function run(
	type: 'employee' | 'company' | 'hourCodes',
	item: IDataObject,
	parameters: INodeParameters,
) {
	answerAll();
	const result = await payroll.run([item], credential[type](parameters));
	return { result, requests: [...server.received] };
}

/** An empty list, read with one request. */
const onePage = { ...getHourCodes, options: { firstPage: 1 } };

/** The headers of the package's requests, complete. */
const common = ['accept', 'accept-encoding', 'authorization', 'connection', 'host', 'user-agent'];
const restHeaders = [...common, 'x-subscription-key'].sort();
const soapHeaders = [...restHeaders, 'content-length', 'content-type', 'soapaction'].sort();

/** Texts with a meaning in URLs, HTTP, XML, templates or JavaScript. */
const special = fc.constantFrom(
	...['/', '\\', '..', '.', '?', '#', '%', '%2e', '%2f', '&', '=', '@', ':', ';', '{', '}', '$&'],
	...['\r\n', '\n', '\r', '\t', ' ', '\0', '\u0085', '\u2028', '\ud800', '\udc00', '\uffff'],
	...['\ufeff', '<', '>', ']]>', '<!--', '<![CDATA[', '&lt;', '&#0;', '"', "'", '</Street>'],
	...['={{ 1 }}', '{{ 1 }}'],
	...['HTTP/1.1', 'X-Evil: 1', 'GET /evil', '__proto__', 'constructor', '{companyId}', '😀', 'é'],
);
const hostile = fc
	.array(fc.oneof({ weight: 3, arbitrary: special }, fc.string({ maxLength: 4 })), { maxLength: 8 })
	.map((parts) => parts.join(''));

function find(node: XmlElement, name: string): XmlElement | undefined {
	if (node.name === name) return node;
	return node.children.map((child) => find(child, name)).find((found) => found !== undefined);
}

/** The characters of XML 1.0. */
const XML_TEXT = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** Whether a text is what a sheet shows of a column that is too narrow. */
const isSlip = (text: string): boolean => /^##+$/.test(text.trim());

/** Whether an identifier must be accepted: it has no control or invisible character and no path traversal. */
const isHarmless = (text: string): boolean =>
	text.trim() !== '' &&
	XML_TEXT.test(text) &&
	!isSlip(text) &&
	!/[\p{Cc}./\\\ufeff]/u.test(text.trim());

describe('whatever text an item holds', () => {
	it('as a company ID it is one segment of the path, or nothing is sent', async () => {
		const seen = { sent: 0, refused: 0 };
		await fc.assert(
			fc.asyncProperty(hostile, async (id) => {
				const { result, requests } = await run('hourCodes', { id }, onePage);
				if (result.error) {
					seen.refused += 1;
					expect([id, isHarmless(id)]).toEqual([id, false]);
					expect(result.error.message).toMatch(
						/^'Company ID': (?:the expression gives nothing for this item|.+ (?:is not an identifier|contains a control character or a broken emoji|contains an invisible character \(U\+FEFF\)\. Type it again|is what a failed formula or expression leaves, not a value))\.$/s,
					);
					expect(requests).toEqual([]);
					return;
				}
				seen.sent += 1;
				const segment = encodeURIComponent(id.trim());
				const path = `/api/companies/${segment}/hourcodes?pageNumber=1&pageSize=100`;
				expect(requests).toMatchObject([{ method: 'GET', path, body: '' }]);
				expect(requests.map(namesOf)).toEqual([restHeaders]);
				expect(requests[0]?.headers.accept).toBe('application/json');
				expect(new URL(path, server.url).pathname).toBe(`/api/companies/${segment}/hourcodes`);
			}),
			runs(),
		);
		expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(0);
	});

	it('as a field of an address it is the text of its element, or nothing is sent', async () => {
		const street = { street: '={{ $json.text }}', houseNumber: '', postalCode: '' };
		const parameters = { ...updateCompany, ...street, city: 'Ede', onlyTheseFields: true };
		await fc.assert(
			fc.asyncProperty(hostile, async (text) => {
				const { result, requests } = await run('company', { id: 100, text }, parameters);
				const isAllowed = XML_TEXT.test(text) && !isSlip(text);
				expect([text, result.error === undefined]).toEqual([text, isAllowed]);
				if (result.error) {
					expect(result.error.message).toMatch(
						/^'Street': .+ (?:contains a control character|is what a failed formula)/s,
					);
					expect(requests).toEqual([]);
					return;
				}
				expect(requests).toMatchObject([{ method: 'POST', path: '/soap/v3/CompanyService.asmx' }]);
				expect(requests.map(namesOf)).toEqual([soapHeaders]);
				const body = requests[0]?.body ?? '';
				expect(requests[0]?.headers['content-length']).toBe(String(Buffer.byteLength(body)));
				const address = find(parseXml(body), 'Address');
				// Whitespace at an edge stays, unless there is an invisible character in it.
				const seen = text.replace(/^\s+|\s+$/g, (edge) => (edge.includes('\ufeff') ? '' : edge));
				expect(address?.children.map(({ name, text: value }) => [name, value])).toEqual([
					...(text === '' ? [] : [['Street', seen]]),
					['City', 'Ede'],
				]);
			}),
			runs(),
		);
	});
});

const unknown = /^'\w+' is not a known field\. The known fields are Id,/;

it.each<[string, unknown, RegExp]>([
	['with __proto__', '{"__proto__":{"polluted":1}}', /It holds a field named "__proto__"\.$/],
	['with constructor', { constructor: { prototype: { polluted: 1 } } }, unknown],
	[
		'nested too deeply',
		`${'{"City":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
		/^'Address \(JSON\)': .+ has more than 64 levels\.$/,
	],
	['of a million objects', `[${'{},'.repeat(1_000_000)}{}]`, / has more than 1400000 values\.$/],
	['with a name twice', '{"City":"A","Id":[{"a":1,"a":2}]}', /has a name twice in one object\./],
	['with "constructor" as a type', '{"Type":"constructor"}', /^'Type': .+ Choose HomeAddress,/],
])('JSON %s is refused, with nothing sent', async (_, value, message) => {
	const json = { specifyAddress: 'json', addressJson: '={{ $json.value }}' };
	const parameters = { ...createAddress, ...json, onlyTheseFields: true };
	const item = { id: 1001, value: value as IDataObject };
	const { result, requests } = await run('employee', item, parameters);
	expect(requests).toEqual([]);
	expect(result.error).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringMatching(message),
		description: expect.stringMatching(/^Nothing was written for this item\./),
	});
	expect(result.error?.message.length).toBeLessThan(1100);
});

it('a choice that the form does not have is refused by its label, not the fields that it hides', async () => {
	const parameters = { ...createAddress, specifyAddress: 'form' };
	const { result, requests } = await run('employee', { id: 1001 }, parameters);
	expect(requests).toEqual([]);
	expect(result.error?.message).toBe(
		`'Specify Address': "form" is not known. Choose fields, json or items.`,
	);
});

/** Calls by name with the value of an expression, which may be no JSON. */
async function runWith(expression: string) {
	const parameters = callByName('Address_Insert', `={{ { At: ${expression} } }}`);
	return await run('employee', {}, parameters);
}

it.each([
	['a Date', 'new Date(0)', '<At>1970-01-01T00:00:00.000Z</At>'],
	['a DateTime', 'DateTime.fromMillis(0).toUTC()', '<At>1970-01-01T00:00:00.000Z</At>'],
	['a list of dates', '[new Date(0), null]', '<At>1970-01-01T00:00:00.000Z</At>'],
])('%s of an expression is sent', async (_, expression, xml) => {
	const { result, requests } = await runWith(expression);
	expect(result.error).toBeUndefined();
	expect(requests[0]?.body).toContain(`>${xml}</Address_Insert>`);
});

const GIVEN = "'Parameters (JSON)'";
const SELF = '((a) => { a.self = { a }; return a; })({})';

it.each([
	['an object that holds itself', SELF, `${GIVEN} is nested too deeply, or holds itself.`],
	['a list that holds itself', `[${SELF}]`, `${GIVEN} is nested too deeply, or holds itself.`],
	[
		'65 levels',
		'[...Array(65)].reduce((A) => ({ A }), 1)',
		"'At' is nested deeper than 64 levels.",
	],
	['a BigInt', '{ A: 10n }', "'At': 10 is not a value of JSON. Write it as a string."],
	['bytes', '{ A: new Uint8Array(1) }', "'At.A': a value of the type Uint8Array is not a text."],
	['an invalid date', 'new Date(NaN)', "'At': null is not a text."],
	['a function', '{ A: () => 1 }', "'At.A': function is not a text."],
	[
		'an object as a type',
		'{ "@xsi:type": { toString: 1 } }',
		`'At.@xsi:type': {"toString":1} is not the name of a type`,
	],
])('%s of an expression is refused, with nothing sent', async (_, expression, message) => {
	const { result, requests } = await runWith(expression);
	expect(requests).toHaveLength(0);
	expect(result.error?.message).toContain(message);
	expect(result.error?.description).toMatch(/^Nothing was written for this item\./);
});

it.each(['a.b.c\r\nX-Evil: 1', 'a.b.c\r\n\r\nGET /evil HTTP/1.1\r\n\r\n'])(
	'the token %j adds no header and no request',
	async (access_token) => {
		const oauthTokenData = { access_token, token_type: 'Bearer' };
		const id = await payroll.store(connectedTo(server.url, { oauthTokenData }));
		answerAll();
		await payroll.run([{ id: 100 }], payroll.node('payrollHourCodes', id, onePage));
		const requests = server.received;
		// n8n decides whether it sends such a token without its line breaks, or nothing.
		for (const request of requests) {
			expect(request.path).toMatch(/^\/api\/companies\/100\/hourcodes\?/);
			expect(request.body).toBe('');
			expect(namesOf(request)).toEqual(restHeaders);
		}
		expect(requests.length).toBeLessThan(2);
	},
);
