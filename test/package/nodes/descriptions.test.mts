/** How the services' descriptions are read and kept, and what a check of the connection says of them. */
import type { NodeApiError } from 'n8n-workflow';
import { callFromList, checkConnection } from '../../../dev/package/calls.mts';
import { forward } from '../../support/forward.mts';
import { Connected, useSandbox } from '../../support/setUp.mts';
import {
	closedPort,
	forwarding,
	replying,
	scriptedServer,
	type ScriptedServer,
	type Script,
} from '../../support/scripted.mts';
import { definitions, element, schema, callWsdl } from '../../support/wsdl.mts';

const { sandbox, payroll, credential: connected } = useSandbox();

/** A service at an address of its own: a description is kept by its address. */
let service: ScriptedServer;
let credential: Connected;

/** Uses the account for SOAP services at this address. */
async function useAt(soapUrl: string): Promise<void> {
	const stored = await payroll.credentials.stored(connected.id);
	credential = new Connected(payroll, await payroll.store({ ...stored, soapUrl }));
}

beforeEach(async () => {
	service = await scriptedServer();
	service.play(forwarding(sandbox.url));
	await useAt(service.url);
});
afterEach(async () => {
	await service.close();
	await sandbox.configure({ description: 'open', descriptionDrift: false, latencyMs: 0 });
});

/** Answers descriptions by a script of its own, everything else as the sandbox does. */
function describing(script: Script): void {
	const others = forwarding(sandbox.url);
	service.play(async (response, index, request) => {
		await (request.method === 'GET' ? script : others)(response, index, request);
	});
}

const call = (name: string, more: object = {}) =>
	credential.company(callFromList(name, { ...more }), { onError: 'continueRegularOutput' });

const item = { CompanyId: 100, Name: 'PayDay' };
/** What the service sends for it: a value of any type. */
const Result = { '@xsi:type': 'int', '#text': '25' };
const fieldsOf = async (name: string) => await payroll.fields(call(name), 'getOperationParameters');
const list = async () => await payroll.list(call(''), 'searchOperations');
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
		expect(run.json('Payroll')).toEqual(input.map(({ CompanyId }) => ({ CompanyId, Result })));
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

	it('is read again when the fields in the node are refreshed, for the runs after it, too', async () => {
		await list();
		describing(
			replying(200, 'text/xml', callWsdl('', '', '', `${sandbox.namespace}/CompanyService`)),
		);
		expect(await list()).not.toHaveLength(1);
		await fieldsOf('Call');
		expect(await list()).toMatchObject([{ value: 'Call' }]);
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

	it('that was read with the token is kept for its account only', async () => {
		const authorizations = new Set<string>();
		describing(async (response, index, request) => {
			const { authorization } = request.headers;
			if (authorization !== undefined) authorizations.add(authorization);
			const [allowed] = authorizations;
			if (authorization === undefined) response.writeHead(401).end();
			else if (authorization !== allowed) response.writeHead(403).end();
			else await forwarding(sandbox.url)(response, index, request);
		});
		expect(await list()).not.toHaveLength(0);
		const before = descriptions().length;
		expect(await list()).not.toHaveLength(0);
		expect(descriptions()).toHaveLength(before);

		const other = await payroll.connect(sandbox, { soapUrl: service.url });
		credential = new Connected(payroll, other);
		await expect(list()).rejects.toThrow('The description of the CompanyService cannot be read');
		expect(authorizations.size).toBe(2);
	});

	it.each(['without a token', 'with the token'])(
		'of more than 8 MiB in all its documents is not read, %s',
		async (way) => {
			const imports = [1, 2].map((n) => `<s:import schemaLocation="?xsd=${n}"/>`).join('');
			const wsdl = definitions(`<wsdl:types>${schema(imports)}</wsdl:types>`);
			const large = schema('') + ' '.repeat(5 * 2 ** 20);
			describing((response, _, { path, headers }) => {
				const isRefused = way === 'with the token' && headers.authorization === undefined;
				if (isRefused) response.writeHead(401).end();
				else response.end(path.endsWith('?WSDL') ? wsdl : large);
			});
			await expect(list()).rejects.toMatchObject({
				description: expect.stringContaining('The answer of the payroll service is too large'),
			});
		},
	);

	it('is kept while all of them have no more than 8 MiB: the oldest is read again', async () => {
		describing(async (response, _, request) => {
			const { body } = await forward(sandbox.url, request);
			const isFirst = request.path.endsWith('?WSDL');
			response.end(isFirst ? Buffer.concat([body, Buffer.alloc(5 * 2 ** 20, ' ')]) : body);
		});
		const employees = { ...call(''), type: credential.employee({}).type };
		const listed = async (): Promise<string[]> => {
			await payroll.list(employees, 'searchOperations');
			await list();
			await payroll.list(employees, 'searchOperations');
			return descriptions().flatMap(
				({ path }) => /(\w+)Service\.asmx\?WSDL$/.exec(path)?.[1] ?? [],
			);
		};
		expect(await listed()).toEqual(['Employee', 'Company', 'Employee']);
	});

	it('that failed is not kept; without one, operations can be called by name', async () => {
		await sandbox.configure({ description: 'none' });
		await expect(list()).rejects.toMatchObject({
			message: 'The description of the CompanyService cannot be read',
			description: expect.stringMatching(/HTTP 404.*choose the operation 'By Name'/),
		});
		await sandbox.configure({ description: 'open' });
		expect(await list()).not.toHaveLength(0);
	});

	it.each<[string, Script | undefined, RegExp]>([
		['cannot be reached', undefined, /refused the connection\. Check 'SOAP Address'/],
		[
			'is not available',
			replying(503, ''),
			/HTTP 503\. The service is not available at the moment/,
		],
	])('of a service that %s: the list and the form say so', async (_, script, reason) => {
		if (script === undefined) {
			await useAt(`http://127.0.0.1:${await closedPort()}`);
		} else describing(script);
		const error = (await list().catch((thrown: unknown) => thrown)) as NodeApiError;
		const { emptyFieldsNotice } = await fieldsOf('Setting_Get');
		for (const text of [`${error.message}. ${error.description}`, emptyFieldsNotice]) {
			expect(text).toMatch(/^The description of the CompanyService cannot be read\. /);
			expect(text).toMatch(reason);
			// That would fail, too.
			expect(text).not.toContain('By Name');
		}
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
		expect((await second).json('Payroll')).toEqual([{ CompanyId: 100, Result }]);
		await first.done;
	});
	const other =
		'<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:other"/>';
	it.each<[string, Script, string]>([
		['a redirect', replying(302, '', '', { Location: '/login' }), 'a redirect (HTTP 302)'],
		[
			'of too many elements in all',
			(response, _, { path }) => {
				const imported = schema('<a/>'.repeat(60_000));
				const first = definitions(`<wsdl:import location="?a"/><wsdl:import location="?b"/>`);
				response.end(path.endsWith('?WSDL') ? first : imported);
			},
			'It has more than 120000 elements',
		],
		[
			'of another namespace',
			replying(200, 'text/xml', other),
			"It is of the namespace urn:other, and 'SOAP Namespace' in the credential gives http://payroll.example/soap/v3/CompanyService",
		],
	])('that is %s ends a call before anything is sent', async (_, script, reason) => {
		describing(script);
		await expect(list()).rejects.toMatchObject({ description: expect.stringContaining(reason) });
		const before = descriptions().length;
		const result = await payroll.run([item, item], call('Setting_Get'));
		for (const { error } of result.json('Payroll')) {
			expect(error).toMatchObject({
				message: 'The description of the CompanyService cannot be read',
				// A redirect has its own advice. A call by name would not help.
				description: expect.stringMatching(
					/Check 'Service', 'SOAP Address' and 'SOAP Namespace'|Redirects are not followed/,
				),
				outcome: 'notApplied',
			});
			expect(JSON.stringify(error)).toContain(reason);
		}
		// The second item does not ask again.
		expect(descriptions().length).toBeLessThanOrEqual(2 * before);
		expect(calls()).toEqual([]);
	});
});

describe('an import of a description', () => {
	const date = '<s:simpleType name="Day"><s:restriction base="s:date"/></s:simpleType>';
	const imported = schema(date, 'targetNamespace="urn:other"');
	const wsdl = (location: string): string => {
		const from = `<s:import namespace="urn:other" schemaLocation="${location}"/>`;
		const request = element('Day', 'o:Day', '');
		return callWsdl(request, from, '', 'http://payroll.example/soap/v3/CompanyService');
	};
	/** Reads the fields of a call whose description imports this, where imports are answered with a status. */
	async function read(location: string, status = 200) {
		describing((response, _, { path }) => {
			const isFirst = path.endsWith('?WSDL');
			response.writeHead(isFirst ? 200 : status).end(isFirst ? wsdl(location) : imported);
		});
		return await fieldsOf('Call');
	}
	const PATH = '/soap/v3/CompanyService.asmx?xsd=1';

	it.each<[string, () => string, boolean]>([
		['the same address', () => PATH, true],
		['the same origin', () => `${service.url}/types/day.xsd`, true],
		['the address by which a proxy hides it', () => `http://inside.example${PATH}`, true],
		['another port', () => `${sandbox.url}/day.xsd`, false],
		['another host', () => `${service.url.replace('127.0.0.1', 'localhost')}/day.xsd`, false],
		['another scheme', () => `${service.url.replace('http:', 'https:')}/day.xsd`, false],
	])('at %s is read only if that is the service (%#)', async (_, location, isRead) => {
		const { fields } = await read(location());
		const [type, label] = isRead ? ['dateTime', 'Day'] : ['object', 'undefined type (Day)'];
		expect(fields).toMatchObject([{ type, displayName: expect.stringContaining(label) }]);
		expect(descriptions()).toHaveLength(isRead ? 2 : 1);
	});

	it.each(['/pay-evil/day.xsd', '/pay/..%2fday.xsd'])(
		'beside the SOAP Address gets no secret, also if it asks for one: %s',
		async (path) => {
			await useAt(`${service.url}/pay`);
			expect((await read(path, 401)).emptyFieldsNotice).toContain('HTTP 401');
			const [{ headers } = { headers: {} }, ...others] = descriptions().slice(1);
			expect(others).toEqual([]);
			expect(headers).not.toHaveProperty('x-subscription-key');
			expect(headers).not.toHaveProperty('authorization');
		},
	);
});

describe('the check of the connection', () => {
	// It renews the tokens.
	beforeEach(async () => {
		credential = new Connected(payroll, await payroll.connect(sandbox, { soapUrl: service.url }));
	});

	const check = async () => {
		const parameters = { ...checkConnection, companyId: '', employeeId: '1001' };
		return (await payroll.run([{}, {}], credential.company(parameters))).json('Payroll')[0] ?? {};
	};

	it('reads them anew, once for all items, and says in words what has changed', async () => {
		await check();
		expect(descriptions().filter(({ path }) => path.endsWith('?WSDL'))).toHaveLength(2);
		await sandbox.configure({ descriptionDrift: true });
		expect(await check()).toMatchObject({
			ok: false,
			descriptions: {
				ok: false,
				message: 'The payroll service describes operations of this package differently',
				description: expect.stringMatching(/^CostCenter_Update also has Reason \(string\)\. Check/),
			},
		});
	});

	it('does not fail without a description', async () => {
		await sandbox.configure({ description: 'none' });
		expect(await check()).toMatchObject({
			ok: null,
			descriptions: { ok: null, message: expect.stringMatching(/^The description of the/) },
		});
	});
});
