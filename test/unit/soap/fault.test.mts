import { addressInsert } from '../../../nodes/shared/contract/operations.ts';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import type { Exchange } from '../../../nodes/shared/exchange/exchange.ts';
import { callForRecords, withoutTrace } from '../../../nodes/shared/soap/call.ts';
import { escapeXml } from '../../../nodes/shared/soap/xml.ts';
import { connectionTo } from '../../support/exchange.mts';
import { soapEnvelope, soapFault } from '../../support/soap.mts';

/** A fault of the server with this text. */
const fault = (text: string, parts?: Parameters<typeof soapFault>[1]) =>
	soapFault(escapeXml(text), parts);

/** What a call says whose answer is a fault; `token` is what it says of the access token. */
async function faultOf(text: string) {
	const headers = { 'content-type': 'text/xml; charset=utf-8' };
	const exchange: Exchange = async (_, read) =>
		await Promise.resolve(read({ status: 500, headers, body: Buffer.from(text) }));
	const connection = connectionTo('http://payroll.example');
	const call = callForRecords(exchange, connection, addressInsert, {}, '');
	const error: unknown = await call.catch((thrown: unknown) => thrown);
	if (!(error instanceof ServiceError && error.facts.fault)) throw new Error('not a fault');
	const { code, facts } = error;
	const { fault = '', details = '', serviceCode, token } = facts;
	const prefix = code === 'FAULT_CODED' ? `${serviceCode}: ` : '';
	const message = fault.slice(prefix.length);
	return { code, message, details, serviceCode, token };
}

/** An exception as ASP.NET wraps it. */
const trace = (inner: string, at = 'at', end = 'End of inner exception stack trace') =>
	'System.Web.Services.Protocols.SoapException: Server was unable to process request. ---> ' +
	`${inner}\n   ${at} EmployeeService.Address_Insert(Int32 EmployeeId, Boolean Protected)` +
	` in C:\\src\\Employee.cs:line 12\n   ${at} System.Web.Services.X()\n   --- ${end} ---`;

describe('the title of a fault', () => {
	const coded = 'TWK exception: 2011: The period lies before the current period.';
	const aggregate =
		'System.AggregateException: One or more errors occurred. ---> System.Exception: 7: No.\r\n' +
		'   at A.B()\r\n   --- End of inner exception stack trace ---\r\n   at A.C()\r\n' +
		'---> (Inner Exception #0) System.Exception: 7: No.\r\n   at A.B()<---\r\n';
	const inBrackets =
		'[SqlException (0x80131904): Lost.]\n   at System.Data.OnError(SqlException e)';

	it.each<[text: string, message: string, code?: string]>([
		['1004: Employee 7 does not exist.', 'Employee 7 does not exist.', '1004'],
		['2011: 30 is no day', '30 is no day', '2011'],
		[trace('System.Exception: The employee has left.'), 'The employee has left.'],
		[trace('System.Exception: Uit dienst.', 'bij', 'Einde van stacktracering'), 'Uit dienst.'],
		[trace(`System.Exception: ${coded}`), coded.replace('2011: ', ''), '2011'],
		[trace('System.Exception: Two are wrong:\n- A\n- B'), 'Two are wrong:\n- A\n- B'],
		['System.Runtime.InteropServices.COMException (0x80004005): Down', 'Down'],
		...[
			'System.ServiceModel.FaultException`1[Twk.ServiceFault]: ',
			'System.ServiceModel.FaultException`1[[Twk.Fault, Twk, Version=1.0.0.0]]: ',
			'Twk.Outer+InnerException: ',
			'[System.Exception] ',
			'[System.Exception]: ',
			'(SqlException (0x80131904)): ',
			'System.Exception:\r\n',
		].map((name): [string, string, string] => [`${name}1205: No.`, 'No.', '1205']),
		[inBrackets, 'Lost.'],
		[aggregate, 'No.', '7'],
		['  \n Refused. \n', 'Refused.'],
		['', 'The service gave no reason'],
		['System.NullReferenceException: ', 'The service gave no reason'],
		// Plain messages.
		...[
			'12:30 is no valid time',
			'TWK exception: 12:30 is no valid time',
			'The job ended with a JobError: no rights',
			'No record\nat office (Utrecht)\nbij werkgever(s) 12\nbij art.3 (lid 2)\nbij dhr. (Jan) de Boer',
			'(zie de handleiding) Geweigerd',
			'[Period] Refused',
		].map((text): [string, string] => [text, text]),
	])('is its innermost message: %j', async (...row) => {
		const [text, message, serviceCode] = row;
		for (const version of ['1.1', '1.2'] as const) {
			const read = await faultOf(fault(text, { version }));
			expect(read).toMatchObject({ message, serviceCode });
			expect(read.details).toContain(text.trim());
		}
	});
});

/** Lines of traces as .NET, its languages and Mono write them. */
const frames = [
	'EmployeeService.Address_Insert(Int32 EmployeeId, Boolean Protected) in C:\\src\\E.cs:line 12',
	'Twk.Data.Repository`1.Save[T](T entity)',
	'Twk.Payroll.<InsertAsync>d__5.MoveNext() in D:\\a\\Twk.cs:regel 12',
	'Twk.Payroll.<>c__DisplayClass1_0.<Insert>b__0(Int32 x)',
	'Twk.Payroll..ctor()',
	'Twk.Main@12.Invoke(Unit u)',
	'System.Collections.Generic.Dictionary`2[TKey,TValue].get_Item (TKey key) [0x0001e] in <ab>:0',
	'(wrapper managed-to-native) System.Object:__icall_wrapper(object,intptr)',
];

describe.each(['at', 'bij'])('the message ends where a stack trace begins (%s ...)', (at) => {
	it.each(
		frames.flatMap((frame) =>
			['\n', '\n  ', '\r\n   ', '\n\t'].flatMap((indent) => [
				`${indent}${at} ${frame}`,
				`${indent}${at} ${frame.replace(/(?<=\S)\(/, ' (')}`,
			]),
		),
	)('%j', async (line) => {
		const text = `System.Exception: Lost.${line}${line}`;
		expect((await faultOf(fault(text))).message).toBe('Lost.');
		expect(withoutTrace(text)).toBe('System.Exception: Lost.');
	});
});

it('the trace in JSON of ASP.NET is none of the details', () => {
	const trace = String.raw`"StackTrace":"   at A.B()\r\n   at \"C\".D()"`;
	expect(withoutTrace(`{"Message":"No",${trace},"Code":1}`)).toBe('{"Message":"No","Code":1}');
});

describe('a fault', () => {
	it('has its code, text and all texts of its detail as details, whitespace evened out', async () => {
		const detail =
			'\n <e:Field xmlns:e="urn:e">Year</e:Field><Value>20\n\t26</Value>\n ' +
			'<StackTrace> at A.B() at C.D()</StackTrace>';
		const { details } = await faultOf(fault(' Refused\n', { detail, code: '\n s:Server ' }));
		// A trace that is an element of its own is none of them.
		expect(details).toBe('s:Server\nRefused\nYear 20 26');
	});

	it.each([
		"Exception of type 'System.Exception' was thrown.",
		'Server was unable to process request.',
		'The creator of this fault did not specify a Reason.',
	])('that gives no reason has that of its detail, and no code of it: %j', async (text) => {
		const detail = '<Message>2011: No such period</Message>';
		const { message, serviceCode } = await faultOf(fault(text, { detail }));
		expect([message, serviceCode]).toEqual(['No such period', undefined]);
		const really = `${text} Really`;
		expect((await faultOf(fault(really, { detail }))).message).toBe(really);
	});

	it.each([
		['<s:Fault/>', ''],
		['<s:Fault><faultstring/></s:Fault>', ''],
		['<s:Fault><faultcode>a:b</faultcode></s:Fault>', 'a:b'],
	])('without a text is a fault still: %s', async (xml, details) => {
		expect(await faultOf(soapEnvelope(xml))).toMatchObject({
			message: 'The service gave no reason',
			serviceCode: undefined,
			details,
			code: 'FAULT_UNCLEAR',
			token: undefined,
		});
	});

	it.each([
		['a text', (text: string) => fault(text)],
		['a detail', (detail: string) => fault('No', { detail })],
		[
			'details',
			(text: string) => fault('No', { detail: `<a>${text.slice(0, 60)}</a>`.repeat(20_000) }),
		],
	])('is read as far as it is shown: %s', async (_, faultWith) => {
		const { message, details } = await faultOf(faultWith('A word. '.repeat(2 ** 18)));
		expect(message.length).toBeLessThanOrEqual(2 ** 16);
		expect(details).toContain('A word. A word.');
		expect(details.length).toBeLessThan(2 ** 17);
	});
});

const SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/';

/** What a code says: that the call was refused, that its sender is to blame, that its token is. */
it.each<[code: string, says: string, namespace?: string]>([
	['soap:Client', 'refusal sender'],
	[' Sender ', 'refusal sender'],
	['soap:Client.Authentication', 'refusal sender token'],
	['soap:Client.InvalidSecurity', 'refusal sender token'],
	['s:VersionMismatch', 'refusal'],
	['env:DataEncodingUnknown', 'refusal'],
	['soap:Server', ''],
	['app:ClientTimeout', ''],
	['soap:Server.Client', ''],
	['a:b:Client', ''],
	['wsse:InvalidSecurityToken', 'sender token'],
	['FailedAuthentication', 'sender token'],
	['\n SecurityTokenUnavailable ', 'sender token'],
	// It blames the server first.
	['soap:Server.FailedAuthentication', 'token'],
	// A service may have codes of its own by these names.
	['s:Client', '', 'urn:app'],
	['s:Client', 'refusal sender', SOAP11],
	['s:Sender', '', 'urn:app'],
	['s:MustUnderstand', '', 'urn:app'],
	['s:MustUnderstand', 'refusal', SOAP11],
	['s:InvalidSecurity', 'token', 'urn:app'],
	['s:InvalidSecurity', 'sender token', SOAP11],
	['s:InvalidSecurity', 'sender token', 'http://schemas.xmlsoap.org/ws/2002/12/secext'],
	[
		's:InvalidSecurity',
		'sender token',
		'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd',
	],
])('the code %j says %j (%#)', async (code, says, namespace = '') => {
	const bound = namespace && ` xmlns:s="${namespace}"`;
	const isSender = says.includes('sender');
	for (const said of ['Refused', 'A token']) {
		const isAboutToken = says.includes('token') || said !== 'Refused';
		let expected = says.includes('refusal') ? 'FAULT_REFUSED' : 'FAULT_UNCLEAR';
		if (isSender && isAboutToken) expected = 'TOKEN_REJECTED';
		const verdict = isSender ? 'refused' : 'suspected';
		const token = isAboutToken ? verdict : undefined;
		const text = fault(said, { code }).replace('<faultcode>', `<faultcode${bound}>`);
		expect(await faultOf(text)).toMatchObject({ code: expected, token });
	}
});

it.each<[text: string, names: boolean, detail?: string]>([
	['TOKEN_STALE', true],
	['Het toegangstoken is verlopen.', true],
	['jwt expired', true],
	[trace('System.UnauthorizedAccessException: The access token is expired.'), true],
	[trace('Microsoft.IdentityModel.Tokens.SecurityTokenExpiredException: IDX10223'), true],
	['The period has expired', false],
	// A request that the service repeats is no word about its token.
	['No: Authorization: Bearer abcjwtabc', false],
	[`${trace('System.Exception: No')}\n   at A.TokenStore.Check(String token)`, false],
	['No', false, '<StackTrace>at A.Token.B()</StackTrace>'],
	['No', false, '<e>No\n   at A.Token.B()</e>'],
])('the fault %j names a token: %s', async (text, names, detail = '') => {
	for (const version of ['1.1', '1.2'] as const) {
		const { token } = await faultOf(fault(text, { detail, version }));
		expect(token).toBe(names ? 'suspected' : undefined);
	}
});
