import { connect } from '../../../dev/sandbox/oauth.mts';
import { post, root } from './envelope.mts';
import { useService } from './setUp.mts';

const service = useService({}, { expiryAs: 'status' });

type Headers = Record<string, string | undefined>;

const action = `${root}/EmployeeService/CostCenter_Get`;
const unrecognized = 'did not recognize the value of HTTP Header SOAPAction';

it.each<[string, () => Headers, number, string]>([
	['no token', () => ({ Authorization: undefined }), 401, 'invalid_token'],
	[
		'a forged token',
		() => ({ Authorization: `Bearer ${service.token.slice(0, -6)}AAAAAA` }),
		401,
		'invalid_token',
	],
	['no key', () => ({ 'X-Subscription-Key': undefined }), 401, 'missing subscription key'],
	['a wrong key', () => ({ 'X-Subscription-Key': 'wrong' }), 401, 'invalid subscription key'],
	['an unquoted SOAPAction', () => ({ SOAPAction: action }), 500, unrecognized],
	['a wrong SOAPAction', () => ({ SOAPAction: `"${action}s"` }), 500, unrecognized],
	['another content type', () => ({ 'Content-Type': 'application/json' }), 415, 'Unsupported'],
])('a call with %s is refused', async (_, headers, status, text) => {
	const reply = await post(service, { headers: headers() });
	expect(reply).toMatchObject({ status, text: expect.stringContaining(text) });
	expect((await service.sandbox.stats()).soapExecuted).toEqual({});
});

it('an expired token is refused by 401, or by a fault at HTTP 500', async () => {
	const { sandbox, token } = service;
	const headers = { Authorization: `Bearer ${token}` };
	expect((await post(service, { headers })).status).toBe(200);
	await sandbox.expireAccessTokens();
	expect((await post(service, { headers })).status).toBe(401);
	await sandbox.configure({ expiryAs: 'fault' });
	for (const version of ['1.1', '1.2'] as const) {
		const { status, text } = await post(service, { version, headers });
		expect(status).toBe(500);
		expect(text).toContain('System.UnauthorizedAccessException: The access token is expired.');
	}
	expect((await post(service, { headers: { Authorization: 'Bearer x' } })).status).toBe(401);
	service.token = (await connect(sandbox)).access_token;
	expect((await post(service, {})).status).toBe(200);
});

it('an unknown mode is refused by name', async () => {
	const { sandbox } = service;
	await expect(sandbox.configure({ reuse: 'never' as 'refuse' })).rejects.toThrow('reuse');
	await expect(sandbox.configure({ colour: 1 } as object)).rejects.toThrow('colour');
});
