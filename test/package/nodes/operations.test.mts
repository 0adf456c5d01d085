/** Every operation: what goes over the wire, byte for byte, and what its items are. */
import { createAddress, soapCalls } from '../../../dev/package/calls.mts';
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

	it('a refused insert is a sentence of the service, with advice and the details', async () => {
		const node = credential.employee({ ...createAddress, period: 5 });
		const { error } = await payroll.run([{ id: 1005 }], node);
		const request = { EmployeeId: 1005, Period: 5, Year: 2026 };
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/^TWK exception: The period lies before/),
			description:
				"If the period is before the company's current one, turn on 'Unprotected Mode' to insert the address anyway. " +
				'The change was not applied. Employee ID 1005, Period 5, Year 2026.',
			httpCode: '500',
			context: {
				itemIndex: 0,
				data: { request, httpStatus: 500, outcome: 'notApplied' },
			},
		});
		expect(error?.message).not.toMatch(/---&gt;|--->|\bat EmployeeService|SoapException/);
		const allowed = credential.employee({ ...createAddress, period: 5, unprotectedMode: true });
		// A permission is no change.
		const changes = expect.stringMatching(/ · Type HomeAddress$/) as string;
		const { json } = await payroll.run([{ id: 1005 }], allowed);
		expect(json('Payroll')).toMatchObject([{ changes }]);
	});
});
