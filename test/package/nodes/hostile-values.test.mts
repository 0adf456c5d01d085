/** Whatever values an item holds, they change nothing of a request but their own place in it. */
import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import type { XmlElement } from '../../../nodes/shared/soap/xml.ts';
import { parseXml } from '../../../nodes/shared/soap/parseXml.ts';
import {
	checkConnection,
	createAddress,
	getAddresses,
	getHourCodes,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { httpAnswer, rawServer, type RawServer } from '../../support/raw.mts';
import { useSandbox } from '../../support/setUp.mts';
import { soapAnswer, XML } from '../soap.mts';

type NodeName = 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes';

const { sandbox, payroll } = useSandbox();
let server: RawServer;
let connected: ICredentialDataDecryptedObject;
let credential: string;

/** A good answer to any request. */
function answer(line: string): string {
	if (line.startsWith('GET')) return httpAnswer('application/json', '[]');
	const body = line.includes('CompanyService')
		? soapAnswer('Address_Update', '', 'CompanyService')
		: soapAnswer('Address_Insert', '<Address_InsertResult>1</Address_InsertResult>');
	return httpAnswer(XML, body);
}

beforeAll(async () => {
	server = await rawServer(answer);
	connected = await payroll.credentials.stored(await payroll.connect(sandbox));
	connected = { ...connected, restUrl: server.url, soapUrl: server.url };
	credential = await payroll.store(connected);
});
afterAll(async () => await server.close());

const prototype = Reflect.ownKeys(Object.prototype);
afterEach(() => {
	expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype);
});

async function run(type: NodeName, item: IDataObject, parameters: INodeParameters) {
	server.reset();
	const result = await payroll.run([item], payroll.node(type, credential, parameters));
	// A check also reads the descriptions of the services.
	const requests = server.requests().filter(({ line }) => !line.includes('?WSDL '));
	return { result, requests };
}

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

const RUNS = 300;

/** The characters of XML 1.0. */
const XML_TEXT = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** Whether an identifier must be accepted: it has no control character and no path traversal. */
const isHarmless = (text: string): boolean =>
	text.trim() !== '' && XML_TEXT.test(text) && !/[\p{Cc}./\\]/u.test(text.trim());

describe('whatever text an item holds', () => {
	it.each([
		['of hour codes', 'payrollHourCodes', getHourCodes, 100],
		['of a check', 'payrollCompany', checkConnection, 1],
	] as const)(
		'as a company ID %s it is one segment of the path, or nothing is sent',
		async (_, node, parameters, pageSize) => {
			const seen = { sent: 0, refused: 0 };
			await fc.assert(
				fc.asyncProperty(hostile, async (id) => {
					const { result, requests: all } = await run(node, { id }, parameters);
					// A check of the connection calls the SOAP services too, without the company.
					const requests = all.filter(({ line }) => line.startsWith('GET '));
					if (result.error) expect(all).toEqual([]);
					if (node === 'payrollCompany' && id.trim() === '') {
						expect([result.error, requests]).toEqual([undefined, []]);
						return;
					}
					if (result.error) {
						seen.refused += 1;
						expect([id, isHarmless(id)]).toEqual([id, false]);
						expect(result.error.message).toMatch(
							/^'Company ID'(?: is empty|: .+ (?:is not an identifier|contains a control character or a broken emoji))\.$/s,
						);
						expect(requests).toEqual([]);
						return;
					}
					seen.sent += 1;
					const segment = encodeURIComponent(id.trim());
					const path = `/api/companies/${segment}/hourcodes?pageNumber=1&pageSize=${pageSize}`;
					expect(requests).toEqual([
						{ line: `GET ${path} HTTP/1.1`, headers: expect.anything(), body: Buffer.alloc(0) },
					]);
					expect(requests[0]?.headers.map(([name]) => name).sort()).toEqual(restHeaders);
					expect(new URL(path, server.url).pathname).toBe(`/api/companies/${segment}/hourcodes`);
				}),
				{ numRuns: RUNS },
			);
			expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(0);
		},
	);

	it('as a field of an address it is the text of its element, or nothing is sent', async () => {
		const parameters = { ...updateCompany, address: { street: '={{ $json.text }}', city: 'Ede' } };
		await fc.assert(
			fc.asyncProperty(hostile, async (text) => {
				const { result, requests } = await run('payrollCompany', { id: 100, text }, parameters);
				expect([text, result.error === undefined]).toEqual([text, XML_TEXT.test(text)]);
				if (result.error) {
					expect(result.error.message).toMatch(/^'Street': .+ contains a control character/s);
					expect(requests).toEqual([]);
					return;
				}
				const [request, ...others] = requests;
				expect(others).toEqual([]);
				expect(request?.line).toBe('POST /soap/v3/CompanyService.asmx HTTP/1.1');
				expect(request?.headers.map(([name]) => name).sort()).toEqual(soapHeaders);
				const headers = Object.fromEntries(request?.headers ?? []);
				expect(Number(headers['content-length'])).toBe(request?.body.length);
				const address = find(parseXml(String(request?.body)), 'Address');
				expect(address?.children.map(({ name, text: value }) => [name, value])).toEqual([
					['Street', text],
					['City', 'Ede'],
				]);
			}),
			{ numRuns: RUNS },
		);
	});
});

describe('the node refuses, with nothing sent,', () => {
	const json = (value: unknown): [NodeName, INodeParameters, unknown] => [
		'payrollCompany',
		{ ...updateCompany, specifyAddress: 'json', addressJson: '={{ $json.value }}' },
		value,
	];
	const rows = (value: unknown): [NodeName, INodeParameters, unknown] => [
		'payrollEmployee',
		{ ...updateCostCenters, specifyCostCenteren: 'json', costCenterenJson: '={{ $json.value }}' },
		value,
	];
	const nested = (depth: number) => `${'{"City":'.repeat(depth)}1${'}'.repeat(depth)}`;
	const unknown = /^'\w+' is not a known field\. The known fields are Id,/;
	const noId = /^'Employee ID': .+ is not a whole number\.$/;
	const cases: ReadonlyArray<readonly [string, [NodeName, INodeParameters, unknown], RegExp]> = [
		['JSON text with __proto__', json('{"__proto__":{"polluted":1},"City":"Ede"}'), unknown],
		[
			'JSON text with __proto__ in a nested record',
			rows('[{"CostCenter":{"__proto__":{"polluted":1},"Code":"1"}}]'),
			/^Row 1, 'CostCenter\.__proto__' is not a known field\. The known fields are Code,/,
		],
		[
			'JSON text with constructor',
			json('{"constructor":{"prototype":{"polluted":1}},"City":"Ede"}'),
			unknown,
		],
		['an object with constructor', json({ constructor: { prototype: { polluted: 1 } } }), unknown],
		['JSON text nested too deeply', json(nested(100_000)), /^'City': an object is not a text/],
		[
			'JSON lists nested too deeply',
			rows('['.repeat(50_000) + ']'.repeat(50_000)),
			/^Row 1: a list is not an object/,
		],
		[
			'JSON text with more behind it',
			json('{"City":"Ede"}{"City":"Delft"}'),
			/is not valid JSON\.$/,
		],
		['NaN', rows([{ Percentage: Number.NaN }]), /^Row 1 has no value/],
		[
			'an infinite number',
			rows('[{"Percentage":1e400}]'),
			/^Row 1, 'Percentage': Infinity is not a number/,
		],
		['a list in place of a text', json('{"City":["Ede"]}'), /^'City': \["Ede"\] is not a text/],
		[
			'an object in place of a text',
			json('{"City":{"toString":"x"}}'),
			/^'City': \{.+\} is not a text/,
		],
		[
			'a line break in an enumeration',
			enumeration('HomeAddress\r\n'),
			/^'Type': .+ is not known\. Choose HomeAddress,/,
		],
		[
			'"constructor" as an enumeration',
			enumeration('constructor'),
			/^'Type': .+ is not known\. Choose HomeAddress,/,
		],
		['an employee with more behind it', employee('1001</EmployeeId><EmployeeId>1'), noId],
		['an employee with a line break inside', employee('10\r\n01'), noId],
		['an employee in hexadecimal', employee('0x3e9'), noId],
	];
	function enumeration(type: string): [NodeName, INodeParameters, unknown] {
		const address = { city: 'Ede', type: '={{ $json.value }}' };
		return ['payrollEmployee', { ...createAddress, address }, type];
	}
	function employee(id: unknown): [NodeName, INodeParameters, unknown] {
		return ['payrollEmployee', { ...getAddresses, employeeId: '={{ $json.value }}' }, id];
	}

	it.each(cases)('%s', async (_, [type, parameters, value], message) => {
		const item = { id: 100, value: value as IDataObject };
		const { result, requests } = await run(type, item, parameters);
		expect(requests).toEqual([]);
		expect(result.error).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(message),
			description: expect.stringMatching(/^Nothing was (?:sent|written) for this item\./),
		});
		expect(result.error?.message.length).toBeLessThan(1100);
	});
});

it('minus zero is sent as zero, and of two equal JSON keys the last', async () => {
	const addressJson = '{"Id":-0,"City":"Ede","City":"Delft"}';
	const parameters = { ...updateCompany, specifyAddress: 'json', addressJson };
	const { result, requests } = await run('payrollCompany', { id: 100 }, parameters);
	expect(result.error).toBeUndefined();
	expect(String(requests[0]?.body)).toContain('<Address><Id>0</Id><City>Delft</City></Address>');
});

it.each(['a.b.c\r\nX-Evil: 1', 'a.b.c\nX-Evil: 1', 'a.b.c\r\n\r\nGET /evil HTTP/1.1\r\n\r\n'])(
	'the token %j adds no header and no request',
	async (access_token) => {
		const oauthTokenData = { ...(connected.oauthTokenData as IDataObject), access_token };
		const id = await payroll.store({ ...connected, oauthTokenData } as typeof connected);
		server.reset();
		await payroll.run([{ id: 100 }], payroll.node('payrollHourCodes', id, getHourCodes));
		const requests = server.requests();
		// n8n decides whether it sends such a token without its line breaks, or nothing.
		for (const { line, headers, body } of requests) {
			expect(line).toMatch(/^GET \/api\/companies\/100\/hourcodes\?/);
			expect(headers.map(([name]) => name).sort()).toEqual(restHeaders);
			expect(body).toHaveLength(0);
		}
		expect(requests.length).toBeLessThan(2);
	},
);
