import { ns11, ns12, post, root, type Call, type SoapReply } from './envelope.mts';
import { useService } from './setUp.mts';

const service = useService({}, { holdUntilOpen: 0, employees: 60, soapVersions: 'both' });

const call = async (what: Call = {}): Promise<SoapReply> => await post(service, what);
const addresses = async (id: number, version: '1.1' | '1.2' = '1.1'): Promise<string> =>
	(
		await call({
			version,
			operation: 'Address_GetListCurrent',
			content: `<EmployeeId>${id}</EmployeeId>`,
		})
	).text;
const insertion = (more: string): Call => ({
	operation: 'Address_Insert',
	content:
		"<EmployeeId>1001</EmployeeId><Address><Street>'s-Gravenweg &amp; &lt;Kade&gt; é&#xD;&#10;</Street>" +
		`<Type>WorkAddress</Type></Address>${more}`,
});

describe.each(['1.1', '1.2'] as const)('SOAP %s', (version) => {
	const type = version === '1.1' ? 'text/xml' : 'application/soap+xml';

	it('gets cost centers, and documents valid against the schemas', async () => {
		const reply = await call({ version, content: '<EmployeeId>1002</EmployeeId>' });
		expect(reply.status).toBe(200);
		expect(reply.type).toBe(`${type}; charset=utf-8`);
		expect(reply.text).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>/);
		expect(reply.text).toContain('xmlns:xsd="http://www.w3.org/2001/XMLSchema"');
		expect(reply.text).toContain(`<CostCenter_GetResponse xmlns="${root}/EmployeeService">`);
		expect(reply.text.match(/<Percentage>[^<]*/g)).toEqual([
			'<Percentage>62.5',
			'<Percentage>37.5',
		]);
		expect(await service.sandbox.validate('EmployeeService', reply.text)).toEqual([]);
		const list = await addresses(1002, version);
		expect(await service.sandbox.validate('EmployeeService', list)).toEqual([]);
		const fault = await call({ version, content: '<EmployeeId>1</EmployeeId>' });
		expect(await service.sandbox.validate('EmployeeService', fault.text)).toEqual([]);
		const [request] = await service.sandbox.requests();
		expect(request).toMatchObject({ method: 'POST', status: 200, violations: [] });
		expect(request?.headers['x-subscription-key']).toBe(service.sandbox.subscriptionKey);
	});

	it('is refused where the services speak the other version only', async () => {
		const other = version === '1.1' ? '1.2' : '1.1';
		await service.sandbox.configure({ soapVersions: other });
		expect(await call({ version, content: '<EmployeeId>1002</EmployeeId>' })).toMatchObject({
			status: 415,
		});
		expect(await call({ version: other, content: '<EmployeeId>1002</EmployeeId>' })).toMatchObject({
			status: 200,
		});
	});

	it('gives an empty list as an empty result element', async () => {
		const none = await call({ version, content: '<EmployeeId>1060</EmployeeId>' });
		expect(none.text).toContain('<CostCenter_GetResult />');
		expect(await addresses(1059, version)).toContain('<Address_GetListCurrentResult />');
	});

	it('updates cost centers: changes by Id, adds without', async () => {
		const before = (await call({ version, content: '<EmployeeId>1002</EmployeeId>' })).text;
		const id = /<EmployeeCostCenter><Id>(\d+)/.exec(before)?.[1] ?? '';
		const rows =
			`<EmployeeCostCenter><Id>${id}</Id><CostCenter><Code>9</Code></CostCenter>` +
			'<Percentage>12.3400</Percentage></EmployeeCostCenter>' +
			'<EmployeeCostCenter><Percentage>7</Percentage><Default>1</Default></EmployeeCostCenter>';
		const reply = await call({
			version,
			operation: 'CostCenter_Update',
			content:
				`<EmployeeId>1002</EmployeeId><CostCenteren>${rows}</CostCenteren>` +
				'<Period>6</Period><Year>2026</Year>',
		});
		expect(reply.status).toBe(200);
		expect(reply.text).toContain(`<CostCenter_UpdateResponse xmlns="${root}/EmployeeService" />`);
		const { text: after } = await call({ version, content: '<EmployeeId>1002</EmployeeId>' });
		expect(after.match(/<EmployeeCostCenter>/g)).toHaveLength(3);
		expect(after).toMatch(
			new RegExp(
				`<Id>${id}</Id><CostCenter><Code>9</Code><Description>[^<]+</Description><Id>\\d+</Id>` +
					'</CostCenter><Kostensoort>.*?</Kostensoort><Percentage>12.3400</Percentage>',
			),
		);
		expect(after).toContain('<Percentage>7</Percentage><Default>true</Default>');
	});

	it('inserts an address into the current period and gives its new id', async () => {
		const reply = await call({ version, ...insertion('<Period>6</Period><Year>2026</Year>') });
		const id = /<Address_InsertResult>(\d+)<\/Address_InsertResult>/.exec(reply.text)?.[1];
		expect(id).toBeDefined();
		expect(await addresses(1001, version)).toContain(
			`<EmployeeAddress><Id>${id}</Id><Street>'s-Gravenweg &amp; &lt;Kade&gt; é&#xD;\n</Street>` +
				'<Type>WorkAddress</Type></EmployeeAddress>',
		);
	});

	it('updates the given elements of a company address', async () => {
		const reply = await call({
			version,
			service: 'CompanyService',
			operation: 'Address_Update',
			content: '<CompanyId>100</CompanyId><Address><City>Delft</City></Address>',
		});
		expect(reply.status).toBe(200);
		expect(reply.text).toContain(`<Address_UpdateResponse xmlns="${root}/CompanyService" />`);
		expect(await service.sandbox.stats()).toMatchObject({ soapExecuted: { Address_Update: 1 } });
	});

	it('throws the TWK exception for a period before the current one, unless unprotected', async () => {
		for (const more of ['', '<UnprotectedMode>false</UnprotectedMode>']) {
			const period = `<Period>5</Period><Year>2026</Year>${more}`;
			const { status, text, type: sent } = await call({ version, ...insertion(period) });
			expect(status).toBe(500);
			expect(sent).toBe(`${type}; charset=utf-8`);
			expect(text).toContain(
				version === '1.1'
					? '<soap:Fault><faultcode>soap:Server</faultcode><faultstring>System.Web'
					: '<soap12:Fault><soap12:Code><soap12:Value>soap12:Receiver</soap12:Value></soap12:Code>' +
							'<soap12:Reason><soap12:Text xml:lang="en">System.Web',
			);
			expect(text).toContain(
				'---&gt; System.Exception: TWK exception: 2011: The period lies before the current period',
			);
			expect(text).toContain('\n   at EmployeeService.Address_Insert(Int32 EmployeeId, ');
			expect(text).toContain('\n   --- End of inner exception stack trace ---');
			expect(text).toContain(version === '1.1' ? '<detail /></soap:Fault>' : '<soap12:Detail />');
		}
		const unprotected = '<UnprotectedMode>true</UnprotectedMode>';
		const period = `<Period>12</Period><Year>2025</Year>${unprotected}`;
		expect((await call({ version, ...insertion(period) })).status).toBe(200);
	});

	it('faults on an unknown employee, company, and cost center', async () => {
		const employee = await call({ version, content: '<EmployeeId>7</EmployeeId>' });
		expect(employee).toMatchObject({
			status: 500,
			text: expect.stringContaining('1004: Employee 7'),
		});
		const company = await call({
			version,
			service: 'CompanyService',
			operation: 'Address_Update',
			content: '<CompanyId>9</CompanyId><Address />',
		});
		expect(company.text).toContain('1002: Company 9 does not exist.');
		const row = '<EmployeeCostCenter><Id>1</Id></EmployeeCostCenter>';
		const center = await call({
			version,
			operation: 'CostCenter_Update',
			content: `<EmployeeId>1001</EmployeeId><CostCenteren>${row}</CostCenteren>`,
		});
		expect(center.text).toContain('Employee cost center 1 does not exist.');
	});

	it('faults on a wrong or missing domain', async () => {
		const wrong = `<AuthHeaderWithDomain xmlns="${root}/EmployeeService"><Domain>x</Domain></AuthHeaderWithDomain>`;
		for (const header of [wrong, '']) {
			const reply = await call({ version, header });
			expect(reply).toMatchObject({ status: 500, text: expect.stringContaining('The domain is') });
		}
		const noted = (await service.sandbox.requests()).map(({ violations }) => violations);
		expect(noted).toEqual([[], ['AuthHeaderWithDomain is missing']]);
		expect(await service.sandbox.stats()).toMatchObject({
			soapCalls: { CostCenter_Get: 2 },
			soapExecuted: {},
		});
	});

	it('refuses malformed XML, and a DTD, with HTTP 400', async () => {
		for (const envelope of [
			'',
			'hello',
			`<a><b></a>`,
			'<!DOCTYPE a><a/>',
			`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
		]) {
			expect((await call({ version, envelope })).status).toBe(400);
		}
	});

	it.each([
		['an int that is none', '<EmployeeId>12a</EmployeeId>', "'12a' is not a valid value"],
		['an int beyond 32 bits', '<EmployeeId>2147483648</EmployeeId>', 'xs:int'],
		['elements out of order', '<Period>6</Period><EmployeeId>1001</EmployeeId>', 'not expected'],
		['an unknown element', '<EmployeeId>1001</EmployeeId><Foo>1</Foo>', 'Foo'],
		['an element without namespace', '<EmployeeId xmlns="">1001</EmployeeId>', 'not expected'],
	])('names %s as a violation, in the fault and in the log', async (_what, content, message) => {
		const reply = await call({ version, content });
		expect(reply.status).toBe(500);
		expect(reply.text).toMatch(/soap:Client|soap12:Sender/);
		expect(reply.text).toContain(message.replaceAll('>', '&gt;'));
		const [request] = await service.sandbox.requests();
		expect(request?.violations.join()).toContain(message);
	});

	it('faults on an envelope of the other version, and on a foreign operation', async () => {
		const other = `<e:Envelope xmlns:e="${version === '1.1' ? ns12 : ns11}"><e:Body/></e:Envelope>`;
		expect((await call({ version, envelope: other })).text).toContain('SOAP version mismatch');
		const unknown = await call({ version, operation: 'CostCenter_Delete' });
		expect(unknown.status).toBe(500);
		expect(unknown.text).toMatch(/soap:Client|soap12:Sender/);
		const foreign = await call({ version, service: 'CompanyService' });
		expect(foreign.status).toBe(500);
	});
});

describe('load', () => {
	it('answers fifty calls at once and counts how many were open', async () => {
		await service.sandbox.configure({ holdUntilOpen: 50 });
		const replies = await Promise.all(Array.from({ length: 50 }, async () => await call()));
		expect(replies.every(({ status }) => status === 200)).toBe(true);
		expect(await service.sandbox.stats()).toMatchObject({
			soapCalls: { CostCenter_Get: 50 },
			soapExecuted: { CostCenter_Get: 50 },
			maxInFlight: 50,
		});
	});

	it('has as many employees as it is told to', async () => {
		await service.sandbox.configure({ employees: 1000 });
		expect(await addresses(2000)).toContain('<EmployeeAddress>');
		expect(await addresses(2001)).toContain('does not exist');
	});
});
