import { connect } from '../../../dev/sandbox/oauth.mts';
import { post, root, type Call, type SoapReply } from './envelope.mts';
import { useService } from './setUp.mts';

const service = useService({}, { expiryAs: 'status' });

const call = async (what: Call = {}): Promise<SoapReply> => await post(service, what);

describe('the gate', () => {
	const tampered = () => `${service.token.slice(0, -6)}AAAAAA`;

	it('refuses a missing, forged or foreign bearer token', async () => {
		for (const Authorization of [undefined, `Bearer ${tampered()}`, 'Bearer x', 'Basic eDp5']) {
			const reply = await call({ headers: { Authorization } });
			expect(reply.status).toBe(401);
			expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
			expect(JSON.parse(reply.text)).toMatchObject({ error: 'invalid_token' });
		}
	});

	it('refuses a missing or wrong subscription key', async () => {
		for (const key of [undefined, 'wrong']) {
			const reply = await call({ headers: { 'X-Subscription-Key': key } });
			expect(reply.status).toBe(401);
			expect(reply.type).toContain('json');
			expect(reply.text).toMatch(/Access denied due to (missing|invalid) subscription key/);
		}
	});

	it('refuses a wrong, unquoted or missing SOAPAction', async () => {
		const right = `${root}/EmployeeService/CostCenter_Get`;
		for (const SOAPAction of [undefined, '', right, `"${right}s"`]) {
			const reply = await call({ headers: { SOAPAction } });
			expect(reply.status).toBe(500);
			expect(reply.text).toContain('<faultcode>soap:Client</faultcode>');
			expect(reply.text).toContain('did not recognize the value of HTTP Header SOAPAction');
		}
	});

	it('refuses other content types and other methods', async () => {
		for (const type of ['application/json', 'text/xml; charset=utf-16']) {
			expect((await call({ headers: { 'Content-Type': type } })).status).toBe(415);
		}
		const { url } = service.sandbox;
		const page = await fetch(`${url}/soap/v3/EmployeeService.asmx`);
		expect(page.status).toBe(405);
		expect(page.headers.get('content-type')).toContain('text/html');
		expect((await fetch(`${url}/soap/v3/OtherService.asmx`)).status).toBe(401);
	});

	it("reports expiry by 401, or by a fault at HTTP 500 in mode 'fault'", async () => {
		const { sandbox, token } = service;
		await sandbox.expireAccessTokens();
		service.token = (await connect(sandbox)).access_token;
		const headers = { Authorization: `Bearer ${token}` };
		expect((await call({ headers })).status).toBe(401);
		await sandbox.configure({ expiryAs: 'fault' });
		for (const version of ['1.1', '1.2'] as const) {
			const reply = await call({ version, headers });
			expect(reply.status).toBe(500);
			expect(reply.text).toContain(
				'System.UnauthorizedAccessException: The access token is expired.',
			);
		}
		expect((await call({ headers: { Authorization: 'Bearer x' } })).status).toBe(401);
		expect((await call()).status).toBe(200);
	});
});
