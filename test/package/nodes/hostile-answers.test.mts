/** What the service's answers can do to n8n: be an item or an error, and nothing else. */
import type { IDataObject } from 'n8n-workflow';
import { chain, runWorkflow } from '../../../dev/engine/index.mts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import {
	getAddresses,
	getHourCodes,
	Payroll,
	updateCompany,
} from '../../../dev/package/payroll.mts';
import { scriptedServer, type ScriptedServer } from '../../support/scripted.mts';

const NS = 'http://payroll.example/soap/v3';
let sandbox: SandboxClient;
let server: ScriptedServer;
let payroll: Payroll;
let credential: string;

beforeAll(async () => {
	[sandbox, server, payroll] = await Promise.all([
		launchSandbox(),
		scriptedServer(),
		Payroll.load(),
	]);
	credential = await payroll.connect(sandbox, { restUrl: server.url, soapUrl: server.url });
});
afterAll(async () => await Promise.all([sandbox.stop(), server.close()]));

const prototype = Reflect.ownKeys(Object.prototype);
afterEach(() => {
	expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype);
});

const envelope = (content: string) =>
	`<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`;
const addresses = (content: string) =>
	envelope(
		`<Address_GetListCurrentResponse xmlns="${NS}/EmployeeService"><Address_GetListCurrentResult>` +
			`<EmployeeAddress>${content}</EmployeeAddress>` +
			'</Address_GetListCurrentResult></Address_GetListCurrentResponse>',
	);
const fault = (text: string) =>
	envelope(`<s:Fault><faultcode>s:Server</faultcode><faultstring>${text}</faultstring></s:Fault>`);

type Headers = Record<string, string | string[]>;
const answer = (body: string, headers: Headers, status: number) =>
	server.play((response) => void response.writeHead(status, headers).end(body));

async function readXml(
	body: string,
	{ headers = {}, status = 200 }: { headers?: Headers; status?: number } = {},
) {
	answer(body, { 'Content-Type': 'text/xml', ...headers }, status);
	return await payroll.run([{ id: 1 }], payroll.node('payrollEmployee', credential, getAddresses));
}

async function readJson(
	body: string,
	{ headers = {}, status = 200 }: { headers?: Headers; status?: number } = {},
) {
	answer(body, { 'Content-Type': 'application/json', ...headers }, status);
	const options = { checkForChanges: false };
	const parameters = { ...getHourCodes, returnAll: false, limit: 1, options };
	return await payroll.run([{ id: 1 }], payroll.node('payrollHourCodes', credential, parameters));
}

describe('a field that stands for the prototype is an error, neither lost nor taken for it', () => {
	it.each([
		['[{"id":1,"__proto__":{"polluted":1}}]'],
		['[{"id":1,"more":[{"__proto__":"x"}]}]'],
		['[{"id":1,"\\u005f\\u005fproto__":{"polluted":1}}]'],
		['{"items":[{"id":1}],"__proto__":{"polluted":1}}'],
	])('in JSON: %s', async (body) => {
		const { error } = await readJson(body);
		expect(error).toMatchObject({
			message: 'The payroll service sent a page that cannot be read as JSON',
			description: expect.stringContaining('a field named "__proto__"'),
		});
	});

	it.each([
		['<__proto__><polluted>1</polluted></__proto__>'],
		['<p:__proto__ xmlns:p="x"><polluted>1</polluted></p:__proto__>'],
		['<p:__proto__ xmlns:p="x">text</p:__proto__>'],
		['<More><p:__proto__ xmlns:p="x"><polluted>1</polluted></p:__proto__></More>'],
		[`<__proto__ xmlns="${NS}/EmployeeService">1</__proto__>`],
	])('in XML: %s', async (content) => {
		const { error } = await readXml(addresses(content));
		expect(error).toMatchObject({ message: 'The payroll service gave no readable answer' });
		expect((error as { description?: string }).description).toMatch(/__proto__/);
	});
});

describe('a field named like what every object has is data', () => {
	const names = { constructor: { prototype: { polluted: '1' } }, toString: 'x', valueOf: 'y' };

	it('in JSON, and still is behind the next nodes', async () => {
		answer(JSON.stringify([names]), { 'Content-Type': 'application/json' }, 200);
		const parameters = { ...getHourCodes, returnAll: false, limit: 1 };
		const node = payroll.node('payrollHourCodes', credential, parameters);
		const after = { ...node, name: 'After', parameters: { ...parameters, companyId: '7' } };
		const { host, credentials } = payroll;
		const result = await runWorkflow({ ...chain([{ id: 1 }], node, after), host, credentials });
		expect(result.error).toBeUndefined();
		expect(result.json('Payroll')).toEqual([{ CompanyId: 1, ...names }]);
		expect(result.json('After')).toEqual([{ CompanyId: 7, ...names }]);
	});

	it('in XML', async () => {
		const { error, json } = await readXml(
			addresses('<toString>x</toString><p:valueOf xmlns:p="x">y</p:valueOf>'),
		);
		expect(error).toBeUndefined();
		const [item] = json('Payroll') as [IDataObject];
		expect(item.toString).toBe('x');
		expect(item.valueOf).toBe('y');
		expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
	});

	it('but for those that the XML reader refuses, whatever their prefix', async () => {
		for (const name of ['constructor', 'prototype']) {
			const content = `<p:${name} xmlns:p="x"><p:polluted>1</p:polluted></p:${name}>`;
			const { error } = await readXml(addresses(content));
			expect(error).toMatchObject({ description: expect.stringContaining(name) });
		}
	});
});

describe('headers', () => {
	it.each([
		['Retry-After beyond all numbers', { 'Retry-After': '9'.repeat(400) }],
		['Retry-After as a date far away', { 'Retry-After': 'Fri, 31 Dec 9999 23:59:59 GMT' }],
		['Retry-After of two minutes', { 'Retry-After': '120' }],
	])('%s: the call ends at once', async (_, headers) => {
		const { error } = await readXml('', { headers, status: 503 });
		expect(error).toMatchObject({ httpCode: '503' });
		expect(server.received).toHaveLength(1);
	});

	it.each([
		['nothing', ''],
		['a negative number', '-1'],
		['a date long ago', 'Thu, 01 Jan 1970 00:00:00 GMT'],
		['no number', '1e9; DROP'],
	])('Retry-After of %s: the call is tried four times, no more', async (_, value) => {
		const { error } = await readXml('', { headers: { 'Retry-After': value }, status: 503 });
		expect(error).toMatchObject({ httpCode: '503' });
		expect(server.received).toHaveLength(4);
	});

	it.each([
		['an unknown charset', 'text/xml; charset=evil'],
		['a charset that is no text', 'text/xml; charset="\\"'],
		['a charset without end', `text/xml; ${'charset= '.repeat(1000)}`],
		['another type', 'text/html'],
		['no type', ''],
	])('Content-Type with %s: an item or an error', async (_, type) => {
		const body = addresses('<Street>A</Street>');
		const { error, json } = await readXml(body, { headers: { 'Content-Type': type } });
		if (error) expect(error.message).toBe('The answer of the payroll service cannot be decoded');
		else expect(json('Payroll')).toEqual([{ EmployeeId: 1, Street: 'A' }]);
	});

	it.each([
		['elsewhere', 'http://evil.example/'],
		['to this server', '/elsewhere'],
		['to a file', 'file:///etc/passwd'],
		['to no address', 'http://['],
	])('Location %s: not followed', async (_, location) => {
		for (const status of [301, 307, 200, 201]) {
			const { error } = await readJson('[]', { headers: { Location: location }, status });
			expect(error === undefined).toBe(status === 200);
			expect(server.received).toHaveLength(1);
			expect(JSON.stringify(error ?? '')).not.toContain('evil');
		}
	});

	it('of which there are too many: an error', async () => {
		const headers = Object.fromEntries(
			Array.from({ length: 50 }, (_, i) => [`X-${i}`, 'x'.repeat(1000)]),
		);
		answer('[]', headers, 200);
		const { error } = await payroll.run(
			[{ id: 1 }],
			payroll.node('payrollCompany', credential, updateCompany),
		);
		expect(error).toMatchObject({ context: { data: { outcome: 'unknown' } } });
		expect(server.received).toHaveLength(1);
	});
});

describe('the text of an error', () => {
	const visible = /^[^\p{Bidi_Control}]*$/u;
	const texts = ({ error }: Awaited<ReturnType<typeof readXml>>) => {
		const { message, description, context } = error as unknown as {
			message: string;
			description: string;
			context: { data: { details: string } };
		};
		return [message, description, context.data.details];
	};

	it('holds no control characters and no turned reading direction', async () => {
		const fromXml = await readXml(fault('5: Not \u009b31mred\u202e here&#13;&#10;and\u0085there'), {
			status: 500,
		});
		expect(fromXml.error?.message).toBe('Not \ufffd31mred\ufffd here\nand\ufffdthere');
		const fromJson = await readJson('\u001b]0;title\u0007\u001b[2Jgone\0\b', { status: 400 });
		for (const text of [...texts(fromXml), ...texts(fromJson)]) {
			expect(text).toMatch(visible);
			expect(text.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
		}
		expect(texts(fromJson)[2]).toContain('gone');
	});

	it('is what the service said, markup and all: it is shown as text', async () => {
		const said = '<img src=x onerror=alert(1)> [here](javascript:alert(1)) {{ 1 + 1 }} $&';
		const escaped = said.replace(/&/g, '&amp;').replace(/</g, '&lt;');
		expect((await readXml(fault(`7: ${escaped}`), { status: 500 })).error?.message).toBe(said);
	});

	it.each([
		['half tokens', 'eyJ-'],
		['blanks behind Bearer', `Bearer${' '.repeat(1000)}`],
		['dots and words', 'Exception: ---> '],
		['line breaks', '\n  at '],
		['tokens that expired', 'access token is '],
	])('is found in a megabyte of %s, and is short', async (_, part) => {
		const text = part.repeat(1_000_000 / part.length);
		const result = await readXml(fault(text), { status: 500 });
		const [message = '', description = '', details = ''] = texts(result);
		expect(message.length).toBeLessThanOrEqual(1001);
		expect(description.length).toBeLessThanOrEqual(1001);
		expect(details.length).toBeLessThanOrEqual(10_001);
	});
});

it('a hundred thousand unknown elements of one name are a list', async () => {
	const content = `<More>${'<X>1</X>'.repeat(100_000)}</More>${'<Y>1</Y>'.repeat(100_000)}`;
	const { error, json } = await readXml(addresses(content));
	expect(error).toBeUndefined();
	const [item] = json('Payroll') as [{ More: { X: string[] }; Y: string[] }];
	expect([item.More.X.length, item.Y.length]).toEqual([100_000, 100_000]);
});
