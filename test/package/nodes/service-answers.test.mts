/** Answers that real services give: one row for each situation, with what a user reads. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { gzipSync } from 'node:zlib';
import {
	callByName,
	callFromList,
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { replying, type Script } from '../../support/scripted.mts';
import { useConnected, usePackage, useScriptedServer } from '../../support/setUp.mts';
import { element, serviceWsdl } from '../../support/wsdl.mts';
import {
	faultAnswer,
	soapAnswer,
	soapEnvelope,
	soapFault,
	soapList,
	XML,
} from '../../support/soap.mts';

const payroll = usePackage();
const server = useScriptedServer();
const credential = useConnected(payroll, server);

/** One operation has no output. */
const wsdl = serviceWsdl(
	{
		Month_Close: [element('Day', 's:dateTime')],
		Payslip_Get: [element('EmployeeId', 's:int'), element('Payslip_GetResult', 's:base64Binary')],
		Start_Get: ['', element('Start_GetResult', 's:dateTime')],
	},
	'',
	'http://payroll.example/soap/v3/EmployeeService',
)
	.replace('<wsdl:output message="tns:Month_CloseOut"/>', '')
	.replace(/(<wsdl:operation name="Month_Close">.*?)<wsdl:output>.*?<\/wsdl:output>/, '$1');

/** Runs a node against a service that answers all calls like that; returns what a user reads of it, and the hints. */
async function read(
	parameters: INodeParameters,
	answer: Script,
	describes: Script = replying(200, XML, wsdl),
) {
	server.play((...received) => {
		const isDescription = received[2].path.endsWith('?WSDL');
		return (isDescription ? describes : answer)(...received);
	});
	const ofEmployee = parameters.companyId === undefined ? 'employee' : 'company';
	const type = parameters.resource === 'hourCode' ? 'hourCodes' : ofEmployee;
	const { error, json, hints } = await payroll.run([{ id: 1001 }], credential[type](parameters));
	return {
		items: error ? [] : json('Payroll'),
		read: error ? `${error.message}. ${String(error.description)}` : '',
		hints: hints().join(' '),
	};
}

const xml = (body: string, status = 200) => replying(status, XML, body);

const nil = 'xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const costCenters = (...contents: string[]) =>
	soapList(
		'CostCenter_Get',
		contents.map((one) => `<EmployeeCostCenter>${one}</EmployeeCostCenter>`).join(''),
	);
const cafe = soapList(
	'Address_GetListCurrent',
	'<EmployeeAddress><Street>Café</Street></EmployeeAddress>',
);
const FIRST = '0001-01-01T00:00:00';
const share = (value: string) =>
	costCenters(
		'<Id>7</Id><Percentage>40</Percentage>',
		`<Id>8</Id><Percentage>${value}</Percentage>`,
	);
const described = (name: string, result: string) =>
	xml(soapAnswer(name, `<${name}Result>${result}</${name}Result>`));
const fault = (text: string, detail: string) => xml(soapFault(text, { detail }), 500);

const quota = (time: string) => {
	const message = `Out of call volume quota. Quota will be replenished in ${time}.`;
	return { statusCode: 403, message };
};

describe('an answer is read', () => {
	const keys = { EmployeeId: 1001, Period: 6, Year: 2026 };
	const start = callFromList('Start_Get');
	const empty = { Percentage: null };
	it.each<[string, INodeParameters, Script, IDataObject[]]>([
		['a value is nil', getCostCenters, xml(costCenters(`<Id ${nil}/>`)), [{ ...keys, Id: null }]],
		['a list has one record', getCostCenters, xml(costCenters('<Id>7</Id>')), [{ ...keys, Id: 7 }]],
		['a decimal is empty', getCostCenters, xml(share('')), [{ Percentage: 40 }, empty]],
		['a date is empty', start, described('Start_Get', ''), [{ Result: null }]],
		['a date is the first of .NET', start, described('Start_Get', FIRST), [{ Result: FIRST }]],
	])('though %s', async (_, parameters, answer, items) => {
		expect(await read(parameters, answer)).toMatchObject({ read: '', items });
	});

	it.each([
		[403, quota('00:00:02')],
		[403, 'Rate limit is exceeded. Try again in 2 seconds.'],
		[429, quota('00:00:02')],
	])('though the first one asks for a pause, by HTTP %d with %j', async (status, text) => {
		const inserted = soapAnswer('Address_Insert', '<Address_InsertResult>5</Address_InsertResult>');
		for (const [parameters, answer] of [
			[{ ...getHourCodes, options: { firstPage: 1 } }, replying(204, '')],
			[getAddresses, xml(cafe)],
			[createAddress, xml(inserted)],
		] as const) {
			const refused = replying(status, 'application/json', text);
			const { read: said } = await read(parameters, (...all) =>
				(all[1] ? answer : refused)(...all),
			);
			expect([said, server.received.length]).toEqual(['', 2]);
		}
	});

	const utf16 = Buffer.from(`\ufeff${cafe}`, 'utf16le');
	const latin1 = (charset: string) => `<?xml version="1.0" encoding="${charset}"?>${cafe}`;
	it.each<[string, Buffer, string, headers?: object]>([
		['is compressed', gzipSync(cafe), XML, { 'Content-Encoding': 'gzip' }],
		['begins with a byte order mark', Buffer.from(`\ufeff${cafe}`), XML],
		['is in UTF-16', utf16, XML],
		['is in the other UTF-16', Buffer.from(utf16).swap16(), 'text/xml'],
		['names Latin-1 in its XML declaration alone', Buffer.from(latin1('iso-8859-1'), 'latin1'), ''],
		['names it after a line feed', Buffer.from(`\r\n${latin1('iso-8859-1')}`, 'latin1'), ''],
		['names it in its content type', Buffer.from(cafe, 'latin1'), 'a/b; CHARSET = "Windows-1252"'],
		['names UTF-8 in its content type, and Latin-1', Buffer.from(latin1('iso-8859-1')), XML],
		['names UTF-16 in ASCII', Buffer.from(latin1('utf-16')), 'text/xml'],
	])('though it %s', async (_, body, type, headers = {}) => {
		const { items } = await read(getAddresses, (response) => {
			response.writeHead(200, { 'Content-Type': type, ...headers }).end(body);
		});
		expect(items).toEqual([{ EmployeeId: 1001, Street: 'Café' }]);
	});

	const odd = costCenters(
		'<Id>7</Id><CostCenter><Code>4100</Code></CostCenter>',
		'<Id>8</Id><CostCenter><Code>4200</Code><Description>a&#x1F;b</Description></CostCenter>',
	);
	const where =
		'EmployeeCostCenter (Id 8).CostCenter.Description for Employee ID 1001, Period 6, Year 2026';
	it('though a text has a character that XML does not allow, with a hint that names the record', async () => {
		const { items, hints } = await read(getCostCenters, xml(odd));
		expect(items).toMatchObject([{ Id: 7 }, { Id: 8, CostCenter: { Description: 'a b' } }]);
		expect(hints).toContain(
			`A character that XML does not allow was read as a blank: CostCenter_GetResult.${where}.`,
		);
		const update = await read(
			{ ...updateCostCenters, keepOthers: true, dryRun: true, totalMustBe100: false },
			xml(odd),
		);
		expect(update.read).toBe('');
		expect(update.hints).toContain(where);
		const open = await read(callByName('X'), xml(soapAnswer('X', '<Y a="&#0;">&#x1F;</Y>')));
		expect(open).toMatchObject({ items: [{ Y: { '@a': ' ', '#text': ' ' } }] });
		expect(open.hints).toContain(': Y for X.');
	});
});

describe('an operation without an output is a success', () => {
	const answers: ReadonlyArray<[string, Script]> = [
		['HTTP 202', replying(202, '')],
		['HTTP 204', replying(204, '')],
		['an empty body', xml('')],
		['an empty SOAP body', xml(soapEnvelope(''))],
		['an empty response element', xml(soapAnswer('Month_Close', ''))],
		['one with whitespace', xml(soapAnswer('Month_Close', '\n  '))],
		['HTTP 202 with that', xml(soapAnswer('Month_Close', ''), 202)],
	];
	it.each(answers)('answered by %s', async (_, answer) => {
		for (const parameters of [callFromList('Month_Close'), callByName('Month_Close')]) {
			expect(await read(parameters, answer)).toMatchObject({ items: [{ success: true }] });
		}
	});

	it('but not with a fault, a web page or another status; nor is one with an output', async () => {
		for (const parameters of [callFromList('Month_Close'), callByName('Month_Close')]) {
			expect((await read(parameters, xml(faultAnswer('Closed'), 500))).read).toMatch(/^Closed/);
			expect((await read(parameters, replying(200, 'text/html', '<html>'))).read).toMatch(
				/web page/,
			);
			expect((await read(parameters, replying(203, ''))).read).toMatch(/HTTP 203/);
		}
		for (const parameters of [callFromList('Start_Get'), createAddress]) {
			for (const answer of [xml(''), replying(204, ''), replying(202, '')]) {
				expect((await read(parameters, answer)).read).toMatch(/may have been applied/);
			}
		}
	});
});

/** Fields of the credential to check, which is wrong advice unless a row expects it. */
const FIELDS = /'SOAP (?:Address|Namespace|Version)'|'REST Address'|'Domain'|'Scopes'/;
const NO_RIGHTS = 'You have no rights';
const payslip = callFromList('Payslip_Get', { options: { outputPropertyName: 'data' } });
const inserted = (id: number) =>
	xml(soapAnswer('Address_Insert', `<Address_InsertResult>${id}</Address_InsertResult>`));
const json = (body: unknown, status = 200) => replying(status, 'application/json', body);
const multipart = replying(
	200,
	'multipart/related; type="application/xop+xml"; boundary=x',
	`--x\r\n\r\n${cafe}\r\n--x--`,
);
const badBytes =
	(status: number): Script =>
	(response) =>
		void response.writeHead(status, { 'Content-Type': XML }).end(Buffer.from([0xff]));

/** Answers to an operation: what they are, and what a user reads. */
type Read = readonly [what: string, answer: Script, expected: RegExp];

const partial = soapAnswer(
	'CostCenter_Get',
	'<CostCenter_GetResult><EmployeeCostCenter/></CostCenter_GetResult><Error>partial</Error>',
);
const late = soapAnswer('CostCenter_Get', '<Warning>late</Warning>');
const cut = costCenters('<Id>7</Id>').slice(0, -9);
const ofCostCenters: readonly Read[] = [
	[
		'a value is no number',
		xml(share('abc')),
		/CostCenter_GetResult\[1\]\.Percentage \(Id 8\): expected a decimal, got "abc"/,
	],
	[
		'a text is in place of records',
		xml(soapList('CostCenter_Get', NO_RIGHTS)),
		/the text "You have no rights" in CostCenter_GetResult/,
	],
	['another element is in place of records', xml(late), /got Warning/],
	['an error stands beside some of the records', xml(partial), /call failed: Error is "partial"\./],
	['an envelope is cut', xml(cut), /no well-formed XML \(line 1\)\. Employee ID/],
	[
		'an element is closed too early',
		xml('<a><b></a>'),
		/no well-formed XML \(line 1\).*'SOAP Address'/,
	],
	[
		'another service answers',
		xml('<a/>'),
		/Expected a SOAP envelope, got &lt;a&gt;.*'SOAP Address'/,
	],
	['it is a web page', replying(200, 'text/html', '<html>'), /a web page\. Check 'SOAP Address'/],
];
/** A fault of SOAP 1.2 with these texts. */
const languages = (first: string, second: string) =>
	soapFault(`${first}</s:Text><s:Text xml:lang="nl">${second}`, { version: '1.2' });
const ofAddresses: readonly Read[] = [
	['it is a text', xml(NO_RIGHTS), /It is the text "You have no rights"\./],
	[
		'the first language of a fault has no text',
		xml(languages('', 'Month is closed'), 500),
		/^Month is closed\. /,
	],
	[
		'nothing has changed',
		replying(304, ''),
		/HTTP 304\. Only an answer with HTTP 200 has a result/,
	],
	['it is JSON', xml('[]'), /no well-formed XML.*'SOAP Address'/],
	['it is JSON with words', json({ message: NO_RIGHTS }), /^You have no rights\. /],
	['it is empty', xml(''), /The answer is empty\. Check 'SOAP Address'/],
	['it is too deep', xml('<a>'.repeat(65)), /more than 64 levels\. Request less/],
	['it is not of its charset', badBytes(200), /not valid in the character set/],
	['its charset is unknown', replying(200, 'a/b; charset=klingon', cafe), /cannot be decoded/],
	['it has several parts', multipart, /multipart message \(MTOM\)/],
	[
		'a fault is generic',
		fault('Server was unable to process request.', '<Text>Month is closed</Text>'),
		/^Month is closed\. /,
	],
	['a fault may pass', xml(faultAnswer('The connection was lost'), 500), /Run it again later/],
	['a fault has too many elements', fault('<a/>'.repeat(300_000), ''), /HTTP 500\. /],
	['a fault redirects', xml(faultAnswer('2: No'), 302), /a redirect \(HTTP 302\).*'SOAP Address'/],
	['a result has another status', xml(cafe, 202), /HTTP 202\. /],
	['such an answer has no charset', badBytes(503), /HTTP 503\. /],
];
const REFUSED = "usually means that access is refused.*'Domain'";
const FAILED = 'usually means that the service itself failed';
const VALUE = 'usually means that the service does not accept a value';
const ANY = 'Check the values, and look up the code';
/** What the code of a fault probably means. */
const ofCodes = Object.entries({
	...{ 1000: ANY, 1001: REFUSED, 1004: REFUSED, 1005: ANY, 1006: FAILED, 2000: ANY },
	...{ 2001: VALUE, 2003: REFUSED, 2004: VALUE, 9998: VALUE, 9999: FAILED },
}).map(
	([code, advice]): Read => [
		`a fault has the code ${code}`,
		xml(faultAnswer(`System.Exception: outer ---&gt; System.Exception: ${code}: No`), 500),
		new RegExp(`^${code}: No\\. .*${advice}`),
	],
);
const ofLists: readonly Read[] = [
	['it is a text', xml(NO_RIGHTS), /says: "You have no rights"/],
	['it is a message', json({ message: NO_RIGHTS }), /reported an error: You have no rights\. /],
	[
		'one value is no JSON',
		replying(200, 'application/json', '[{"id":NaN}]'),
		/cannot be read\. Its JSON is not well-formed \(position 8\)\. Company/,
	],
	['it is not of its charset', badBytes(200), /It is not valid in the character set/],
	['its type is refused', replying(415, ''), /HTTP 415\. The service refused the call\./],
];
const ofFiles: readonly Read[] = [
	[
		'a sentence is in place of a file',
		described('Payslip_Get', 'No payslip available for this period'),
		/expected base64, got "No payslip available for this period"/,
	],
	['a word is in place of a file', described('Payslip_Get', 'NotFound'), /"NotFound" in its place/],
	['a longer word is', described('Payslip_Get', 'NoPayslipIsAvailableThen'), /IsAvailableThen/],
];
const ofInserts: readonly Read[] = [
	[
		'it is the number 0',
		inserted(0),
		/did not confirm the change: Address_InsertResult is 0\..* may have been applied/,
	],
];
const ofUpdates: readonly Read[] = [
	[
		'a text is in place of an empty answer',
		xml(soapAnswer('Address_Update', NO_RIGHTS, 'CompanyService')),
		/"You have no rights" in Address_UpdateResponse.* may have been applied/,
	],
];
const busy: Read = [
	'a gateway asks for a pause of more than a minute',
	json(quota('00:12:34'), 403),
	/ quota\. .*limits the number of calls.*called again in 12 minutes 34 seconds\./,
];
const missing: Read = [
	'its address does not exist',
	replying(404, ''),
	/HTTP 404\..*'SOAP Address'.*'Service'/,
];

describe.each<[string, INodeParameters, readonly Read[]]>([
	['cost centers', getCostCenters, ofCostCenters],
	['addresses', getAddresses, [...ofAddresses, ...ofCodes, busy]],
	['a list', getHourCodes, [...ofLists, busy]],
	['a file', payslip, ofFiles],
	['an insert', createAddress, [...ofInserts, busy]],
	['an update', updateCompany, ofUpdates],
	['a call by name', callByName('X'), [missing]],
])('what a user reads of the answer to %s', (_, parameters, rows) => {
	it.each(rows)('if %s: the words of the service, and no wrong advice', async (...row) => {
		const [, answer, expected] = row;
		const { read: text, items } = await read(parameters, answer);
		expect(items).toEqual([]);
		expect(text).toMatch(expected);
		if (!FIELDS.test(expected.source)) expect(text).not.toMatch(FIELDS);
	});
});

describe('a description that is not there', () => {
	it.each<[string, Script, RegExp]>([
		[
			'HTTP 301',
			replying(301, '', '', { Location: '/new All is approved.' }),
			/HTTP 301.*It leads to \/new\. /,
		],
		[
			'HTTP 302',
			replying(302, '', '', { Location: 'https://login.example/start?state=1' }),
			/HTTP 302.*It leads to https:\/\/login\.example\/start\. /,
		],
		['a login page', replying(200, 'text/html', '<html>'), /with a web page/],
	])('by %s: a call By Name is offered, and works', async (_, describes, expected) => {
		const answer = xml(soapAnswer('Start_Get', '<Start_GetResult>2026-01-01</Start_GetResult>'));
		// A description is kept by its service.
		const service = { __rl: true, mode: 'name', value: `${_.replaceAll(' ', '')}Service` };
		const { read: text } = await read(callFromList('Start_Get', { service }), answer, describes);
		expect(text).toMatch(expected);
		expect(text).toMatch(/choose the operation 'By Name'/);
		const { items } = await read(callByName('Start_Get'), answer, describes);
		expect(items).toEqual([{ Start_GetResult: '2026-01-01' }]);
	});
});

it('a service that is down is asked four times for each of five employees, and once for the others', async () => {
	// After five that were lost, an answer begins anew.
	const limited = replying(429, '', '', { 'Retry-After': '0' });
	server.play((...all) => (all[1] === 20 ? limited(...all) : void all[0].destroy()));
	const parameters = { ...getAddresses, options: { concurrency: 1 } };
	const node = credential.employee(parameters, { onError: 'continueRegularOutput' });
	const input = Array.from({ length: 12 }, (_, id) => ({ id }));
	const { json } = await payroll.run(input, node);
	expect(json('Payroll').map(({ error }) => (error as IDataObject).code)).toEqual(
		Array(12).fill('CONNECTION_LOST'),
	);
	expect(server.received).toHaveLength(5 * 4 + 5 * 4 + 2);
});
