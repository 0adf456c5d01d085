/** How the services' descriptions are read and kept, and what a check of the connection says of them. */
import type { IDataObject } from 'n8n-workflow';
import { forward } from '../../support/forward.mts';
import { Connected, useSandbox } from '../../support/setUp.mts';
import {
	forwarding,
	replying,
	scriptedServer,
	type ScriptedServer,
	type Script,
} from '../../support/scripted.mts';

const { sandbox, payroll } = useSandbox();

/** A service at an address of its own: a description is kept by its address. */
let service: ScriptedServer;
let credential: Connected;

beforeEach(async () => {
	service = await scriptedServer();
	service.play(forwarding(sandbox.url));
	credential = await connected();
});
afterEach(async () => {
	await service.close();
	await sandbox.configure({ description: 'open', descriptionDrift: false, latencyMs: 0 });
});

async function connected(changes: IDataObject = {}): Promise<Connected> {
	const data = { soapUrl: service.url, ...changes };
	return new Connected(payroll, await payroll.connect(sandbox, data as never));
}

/** Answers descriptions by a script of its own, everything else as the sandbox does. */
function describing(script: Script): void {
	const others = forwarding(sandbox.url);
	service.play(async (response, index, request) => {
		await (request.method === 'GET' ? script : others)(response, index, request);
	});
}

const call = (name: string, more: IDataObject = {}, used = credential) =>
	used.company(
		{
			resource: 'custom',
			operation: 'call',
			operationName: { __rl: true, mode: 'list', value: name },
			operationParameters: { mappingMode: 'autoMapInputData', value: null },
			...more,
		} as never,
		{ onError: 'continueRegularOutput' },
	);

const item = { CompanyId: 100, Name: 'PayDay' };
const list = async (used = credential) =>
	await payroll.list(call('', {}, used), 'searchOperations');
const errorOf = async (listing: Promise<unknown>): Promise<string> =>
	await listing.then(
		() => '',
		({ message, description }: Error & { description?: string }) => `${message}: ${description}`,
	);

const descriptions = () => service.received.filter(({ method }) => method === 'GET');
const calls = () => service.received.filter(({ method }) => method === 'POST');

describe('a description', () => {
	it('is read once, without any secret, for many calls and lists that need it', async () => {
		const input = Array.from({ length: 30 }, () => item);
		const [run] = await Promise.all([
			payroll.run(input, call('Setting_Get', { options: { onlyReads: true } })),
			list(),
			list(),
		]);
		expect(run.json('Payroll')).toEqual(input.map(({ CompanyId }) => ({ CompanyId, Result: 25 })));
		await payroll.run([item], call('Setting_Get'));
		expect(descriptions().map(({ path }) => path)).toEqual([
			'/soap/v3/CompanyService.asmx?WSDL',
			...descriptions()
				.slice(1)
				.map(() => expect.stringMatching(/\?xsd=\d$/)),
		]);
		for (const { headers } of descriptions()) {
			expect(headers.authorization).toBeUndefined();
			expect(headers['x-subscription-key']).toBeUndefined();
		}
	});

	it('is read again after an hour', async () => {
		await list();
		const before = descriptions().length;
		const later = performance.now() + 3_600_001;
		jest.spyOn(performance, 'now').mockReturnValue(later);
		await list();
		jest.restoreAllMocks();
		expect(descriptions()).toHaveLength(2 * before);
	});

	it('is read with the token if it is refused without', async () => {
		await sandbox.configure({ description: 'token' });
		expect(await list()).not.toHaveLength(0);
		const tokens = descriptions().map(({ headers }) => headers.authorization !== undefined);
		expect(tokens.slice(0, 2)).toEqual([false, true]);
	});

	it('that failed is not kept', async () => {
		await sandbox.configure({ description: 'none' });
		expect(await errorOf(list())).toMatch(
			/^The description of the CompanyService cannot be read: /,
		);
		await sandbox.configure({ description: 'open' });
		expect(await list()).not.toHaveLength(0);
	});

	it('survives the cancellation of the run that began to read it', async () => {
		let held: (() => void) | undefined;
		describing(async (response, index, request) => {
			if (index === 0) await new Promise<void>((resolve) => (held = resolve));
			await forwarding(sandbox.url)(response, index, request);
		});
		const first = payroll.start([item], call('Setting_Get'));
		while (held === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
		const second = payroll.run([item], call('Setting_Get'));
		first.cancel();
		held();
		expect((await second).json('Payroll')).toEqual([{ CompanyId: 100, Result: 25 }]);
		await first.done;
	});

	const unusable: Array<[string, Script, string]> = [
		[
			'a web page',
			replying(200, 'text/html', '<html><body>Log in</body></html>'),
			'The address answers with a web page instead of a description of the service (WSDL)',
		],
		['nothing', replying(200, 'text/xml'), 'an empty text instead of a description'],
		[
			'a redirect',
			replying(302, 'text/html', '', { Location: '/login' }),
			'answered with a redirect (HTTP 302)',
		],
		[
			'half a file',
			async (response, _index, request) => {
				const { body } = await forward(sandbox.url, request);
				response.end(body.subarray(0, body.length / 2));
			},
			'The description of the service holds no well-formed XML',
		],
		[
			'an entity bomb',
			replying(200, 'text/xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
			'a document type declaration',
		],
		[
			'another namespace',
			replying(
				200,
				'text/xml',
				'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:other"/>',
			),
			"It is of the namespace urn:other, and 'SOAP Namespace' in the credential gives http://payroll.example/soap/v3/CompanyService",
		],
	];
	it.each(unusable)('that is %s ends a call before anything is sent', async (_, script, reason) => {
		describing(script);
		expect(await errorOf(list())).toContain(reason);
		const before = descriptions().length;
		const result = await payroll.run([item, item], call('Setting_Get'));
		for (const { error } of result.json('Payroll')) {
			expect(error).toMatchObject({
				message: 'The description of the CompanyService cannot be read',
				description: expect.stringContaining("Choose the operation 'By Name'"),
				outcome: 'notApplied',
			});
			expect(JSON.stringify(error)).toContain(reason);
		}
		// The second item does not ask again.
		expect(descriptions().length).toBeLessThanOrEqual(2 * before);
		expect(calls()).toEqual([]);
	});

	it('whose operation is not document/literal lists it, and says why it has no form', async () => {
		const namespace = `${sandbox.namespace}/CompanyService`;
		describing(
			replying(
				200,
				'text/xml',
				`<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
				 xmlns:t="${namespace}" targetNamespace="${namespace}">
				<message name="In"/><message name="Out"/>
				<portType name="P"><operation name="Old_Get"><input message="t:In"/><output message="t:Out"/></operation></portType>
				<binding name="B" type="t:P"><soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
				<operation name="Old_Get"><soap:operation style="rpc"/><input><soap:body use="encoded"/></input>
				<output><soap:body use="encoded"/></output></operation></binding></definitions>`,
			),
		);
		expect(await list()).toEqual([
			{
				name: 'Old_Get (only by name)',
				value: 'Old_Get',
				description: expect.stringMatching(/RPC/i),
			},
		]);
		const { fields, emptyFieldsNotice } = await payroll.fields(
			call('Old_Get'),
			'getOperationParameters',
		);
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toMatch(/^Old_Get cannot be called with typed parameters\. /);
		const result = await payroll.run([item], call('Old_Get'));
		expect(result.json('Payroll')[0]?.error).toMatchObject({
			message: expect.stringMatching(/^Old_Get cannot be called with typed parameters\. /),
			description: expect.stringContaining("call this one 'By Name'"),
		});
		expect(calls()).toEqual([]);
	});

	it('without a chosen operation, the form asks for one', async () => {
		expect(await payroll.fields(call(''), 'getOperationParameters')).toEqual({
			fields: [],
			emptyFieldsNotice: 'Choose an operation from the list first.',
		});
		expect(descriptions()).toEqual([]);
	});

	it('without a description, the form says why, and a call by name works', async () => {
		await sandbox.configure({ description: 'none' });
		const { fields, emptyFieldsNotice } = await payroll.fields(
			call('Setting_Get'),
			'getOperationParameters',
		);
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toMatch(
			/^The description of the CompanyService cannot be read\. The payroll service answered with HTTP 404/,
		);
		const byName = call('', {
			operationName: 'Setting_Get',
			parameters: {
				row: [
					{ name: 'CompanyId', value: 100 },
					{ name: 'Name', value: 'PayDay' },
				],
			},
			resultPath: 'Setting_GetResult',
		});
		expect((await payroll.run([item], byName)).json('Payroll')).toEqual([
			{ CompanyId: 100, value: '25' },
		]);
	});
});

describe('the check of the connection', () => {
	const check = async () => {
		const node = credential.company({
			resource: 'connection',
			operation: 'check',
			companyId: '',
			employeeId: '1001',
		});
		const [record] = (await payroll.run([{}], node)).json('Payroll');
		return record ?? {};
	};

	it('finds every operation of this package as described', async () => {
		const { ok, descriptions: part } = await check();
		expect(part).toEqual({
			ok: true,
			EmployeeService: { read: true, differences: [] },
			CompanyService: { read: true, differences: [] },
		});
		// Only the REST API was not tried.
		expect(ok).toBeNull();
	});

	it('says in words what has changed', async () => {
		await check();
		await sandbox.configure({ descriptionDrift: true });
		const { ok, descriptions: part } = await check();
		const difference = 'CostCenter_Update: new element Reason (string, required) before Year';
		expect(ok).toBe(false);
		expect(part).toMatchObject({
			ok: false,
			message: 'The payroll service describes operations of this package differently',
			description: expect.stringContaining(difference),
			EmployeeService: { read: true, differences: [difference] },
			CompanyService: { read: true, differences: [] },
		});
	});

	it('reads each description once for all items', async () => {
		const node = credential.company({
			resource: 'connection',
			operation: 'check',
			companyId: '',
			employeeId: '1001',
		});
		await payroll.run([{}, {}, {}], node);
		const read = descriptions().filter(({ path }) => path.endsWith('?WSDL'));
		expect(read).toHaveLength(2);
	});

	it('does not fail without a description', async () => {
		await sandbox.configure({ description: 'none' });
		const { ok, descriptions: part } = await check();
		expect(ok).toBeNull();
		const unread = { read: false, message: expect.stringContaining('HTTP 404') };
		expect(part).toEqual({ ok: null, EmployeeService: unread, CompanyService: unread });
	});
});
