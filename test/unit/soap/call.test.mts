import { addressInsert } from '../../../nodes/shared/contract/operations.ts';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { callSoap } from '../../../nodes/shared/soap/call.ts';
import { answering, type Canned, connectionTo } from '../../support/exchange.mts';

const NS = 'http://payroll.example/soap/v3/EmployeeService';
const connection = connectionTo('http://localhost');
const envelope = (body: string) =>
	`<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${body}</e:Body></e:Envelope>`;
const good = envelope(
	`<Address_InsertResponse xmlns="${NS}"><Address_InsertResult>9001</Address_InsertResult></Address_InsertResponse>`,
);
const fault11 = (code: string, text: string) =>
	envelope(`<e:Fault><faultcode>${code}</faultcode><faultstring>${text}</faultstring></e:Fault>`);
const fault = (text: string) => fault11('e:S', text);

/** Calls a write that is answered so. */
async function call(answer: Canned): Promise<unknown> {
	const { exchange } = answering(() => ({ type: 'text/xml; charset=utf-8', ...answer }));
	return await callSoap(exchange, connection, addressInsert, { EmployeeId: 1 });
}

/** The error of a call that is answered so. */
async function failure(answer: Canned): Promise<unknown> {
	const error: unknown = await call(answer).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(ServiceError);
	return error;
}

it('a fault of more elements than are read is none: its status counts', async () => {
	const body = fault('<a/>'.repeat(300_000));
	expect(await failure({ status: 500, body })).toMatchObject({
		message: 'The payroll service answered with HTTP 500',
		outcome: 'unknown',
	});
});

describe('an answer with another status than 200', () => {
	it.each([
		['that holds a result', 202, good],
		['that holds nothing', 500, ''],
		['that cannot be decoded', 503, Buffer.from([0xff])],
	])('%s is an error that names the status', async (_, status, body) => {
		expect(await failure({ status, body })).toMatchObject({
			message: `The payroll service answered with HTTP ${status}`,
			httpStatus: status,
		});
	});

	it('that redirects is no fault, whatever it holds', async () => {
		expect(await failure({ status: 302, body: fault('2011: Refused') })).toMatchObject({
			code: 'REDIRECTED',
			outcome: 'unknown',
		});
	});

	it('that holds a fault of a common mistake does not pass by itself', async () => {
		const body = fault('No subscription key');
		expect(await failure({ status: 500, body })).toMatchObject({ isTransient: false });
		const other = fault('The connection to the database was lost');
		expect(await failure({ status: 500, body: other })).toMatchObject({ isTransient: true });
	});

	it.each([200, 400, 299, 500])('that holds a fault (%d) is that fault', async (status) => {
		expect(await failure({ status, body: fault('2011: Refused') })).toMatchObject({
			code: 'FAULT_CODED',
			message: '2011: Refused',
			description: expect.stringContaining('the service does not accept a value'),
			httpStatus: status,
			serviceCode: '2011',
			details: 'e:S\n2011: Refused',
			outcome: 'refused',
		});
	});
});

describe('what a fault says of a write', () => {
	it('(several exceptions, one of them a TWK exception) is nothing', async () => {
		const inner = (n: number, text: string) =>
			`\n---&gt; (Inner Exception #${n}) AnException: ${text}&lt;---`;
		const text = `E: Two. ---&gt; E: Lost${inner(0, 'Lost')}${inner(1, 'TWK exception: 2011: No')}\n`;
		expect(await failure({ status: 500, body: fault11('soap:Server', text) })).toMatchObject({
			message: 'TWK exception: 2011: No',
			serviceCode: undefined,
			outcome: 'unknown',
		});
	});
});

describe('the code of a fault calls for advice, and changes nothing else', () => {
	const ACCESS = /^This code usually means that access is refused.*'Domain'/;
	const SERVER = /^This code usually means that the service itself failed/;
	const VALUE = /^This code usually means that the service does not accept a value/;
	it.each<[string, RegExp]>([
		...['1001', '1002', '1003', '1004', '2003'].map((code): [string, RegExp] => [code, ACCESS]),
		...['1006', '9999'].map((code): [string, RegExp] => [code, SERVER]),
		...['2001', '2002', '2004', '2011', '9998'].map((code): [string, RegExp] => [code, VALUE]),
		...['1', '1000', '1005'].map((code): [string, RegExp] => [
			code,
			/^Check the values, and look up/,
		]),
	])('%s: %s', async (code, description) => {
		const text = `System.Exception: outer ---> System.Exception: ${code}: Not for you`;
		expect(await failure({ status: 500, body: fault(text) })).toMatchObject({
			code: 'FAULT_CODED',
			message: `${code}: Not for you`,
			description: expect.stringMatching(description),
			serviceCode: code,
			outcome: 'refused',
			isTransient: false,
		});
		const sender = fault11('soap:Client', `${code}: Not for you`);
		expect(await failure({ status: 500, body: sender })).toMatchObject({
			code: 'FAULT_REFUSED',
			message: 'Not for you',
			description: expect.stringMatching(description),
			outcome: 'notApplied',
		});
	});
});
