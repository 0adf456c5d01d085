/** Every operation: what goes over the wire, byte for byte, and what its items are. */
import { soapCalls } from '../../../dev/package/calls.mts';
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

describe.each(versions)('with SOAP %s', (soapVersion, prefix, envelope, contentType) => {
	const credential = useCredential(payroll, sandbox, () => ({ soapVersion }));

	it.each(soapCalls)('$name is sent as specified, and its items are paired', async (call) => {
		const { name, node, parameters, id, body, items: expected } = call;
		const { items, error } = await payroll.run(
			[{ id }],
			payroll.node(node, credential.id, parameters),
		);
		expect(error).toBeUndefined();
		expect(items('Payroll')).toMatchObject(
			expected(id).map((json) => ({ json, pairedItem: { item: 0 } })),
		);
		const requests = await sandbox.requests();
		const [request, ...others] = requests.filter((one) => one.body.includes(`<${name} `));
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
