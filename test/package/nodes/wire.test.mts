/** What goes over the wire, byte for byte. */
import { getHourCodes, soapCalls } from '../../../dev/package/calls.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox({ schemaValidation: true });

const versions = [
	['1.1', 'soap', 'http://schemas.xmlsoap.org/soap/envelope/', 'text/xml; charset=utf-8'],
	[
		'1.2',
		'soap12',
		'http://www.w3.org/2003/05/soap-envelope',
		'application/soap+xml; charset=utf-8',
	],
] as const;

describe.each(versions)('SOAP %s', (soapVersion, prefix, envelope, contentType) => {
	const credential = useCredential(payroll, sandbox, () => ({ soapVersion }));

	it.each(soapCalls)('sends $name exactly as specified', async (call) => {
		const { name, node, parameters, id, body } = call;
		const result = await payroll.run([{ id }], payroll.node(node, credential.id, parameters));
		expect(result.error).toBeUndefined();
		const [request, ...others] = await sandbox.requests();
		expect(others).toEqual([]);
		const service = node === 'payrollCompany' ? 'CompanyService' : 'EmployeeService';
		const ns = `http://payroll.example/soap/v3/${service}`;
		expect(request).toMatchObject({
			method: 'POST',
			path: `/soap/v3/${service}.asmx`,
			status: 200,
			violations: [],
			body:
				`<?xml version="1.0" encoding="utf-8"?><${prefix}:Envelope xmlns:${prefix}="${envelope}">` +
				`<${prefix}:Header><AuthHeaderWithDomain xmlns="${ns}"><Domain>demo</Domain></AuthHeaderWithDomain></${prefix}:Header>` +
				`<${prefix}:Body><${name} xmlns="${ns}">${body(id)}</${name}></${prefix}:Body></${prefix}:Envelope>`,
		});
		expect(request?.headers).toMatchObject({
			'content-type': contentType,
			authorization: `Bearer ${await payroll.accessToken(credential.id)}`,
			'x-subscription-key': sandbox.subscriptionKey,
		});
		expect(request?.headers.soapaction).toBe(soapVersion === '1.1' ? `"${ns}/${name}"` : undefined);
	});
});

it('sends GET hourcodes as specified', async () => {
	const credential = await payroll.connect(sandbox);
	await sandbox.reset();
	const node = payroll.node('payrollHourCodes', credential, {
		...getHourCodes,
		options: { pageSize: 40 },
	});
	await payroll.run([{ id: 'A/1?b' }], node);
	const [request] = await sandbox.requests();
	expect(request).toMatchObject({
		method: 'GET',
		path: '/api/companies/A%2F1%3Fb/hourcodes?pageNumber=1&pageSize=40',
		body: '',
	});
	expect(request?.headers).toMatchObject({
		accept: 'application/json',
		authorization: `Bearer ${await payroll.accessToken(credential)}`,
		'x-subscription-key': sandbox.subscriptionKey,
	});
});

it('sends the token endpoint Basic with URL-encoded id and secret, and a form body', async () => {
	await payroll.connect(sandbox);
	const request = (await sandbox.requests()).find(({ path }) => path === '/connect/token');
	const { clientId, clientSecret } = sandbox;
	const basic = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
	expect(clientSecret).toMatch(/(?=.*\+)(?=.*\/)(?=.*%)(?=.*:)(?=.*&)(?=.*=)(?=.* )/);
	expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(basic).toString('base64')}`);
	expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
	expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
		grant_type: 'authorization_code',
		code: expect.any(String),
		redirect_uri: sandbox.redirectUris[0],
	});
});
