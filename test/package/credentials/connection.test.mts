import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { misleading } from './misleading-addresses.mts';
import {
	credentialData,
	getAddresses,
	getHourCodes,
	Payroll,
	storedSecrets,
} from '../../../dev/package/payroll.mts';

let sandbox: SandboxClient;
let payroll: Payroll;
let connected: ICredentialDataDecryptedObject;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
	connected = await payroll.credentials.stored(await payroll.connect(sandbox));
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

/** Runs an operation of each kind with a connected credential of which some fields were changed. */
async function run(changes: ICredentialDataDecryptedObject) {
	const credential = await payroll.store({ ...connected, ...changes });
	const soap = payroll.node('payrollEmployee', credential, getAddresses);
	const rest = payroll.node('payrollHourCodes', credential, getHourCodes);
	return [await payroll.run([{ id: 1001 }], soap), await payroll.run([{ id: 100 }], rest)] as const;
}

/** The errors' titles and descriptions, having checked that nothing was sent and nothing told. */
async function refused(changes: ICredentialDataDecryptedObject) {
	const results = await run(changes);
	expect(await sandbox.requests()).toEqual([]);
	return results.map(({ run: execution, error }) => {
		const all = JSON.stringify(execution);
		for (const secret of storedSecrets({ ...connected, ...changes })) {
			expect(all).not.toContain(JSON.stringify(secret).slice(1, -1));
		}
		expect(error).toMatchObject({ name: 'NodeApiError' });
		return {
			message: error?.message,
			description: (error as { description?: string }).description,
		};
	});
}

const addresses = [
	['Identity Address', 'identityUrl'],
	['REST Address', 'restUrl'],
	['SOAP Address', 'soapUrl'],
] as const;

/** What the message says, in general. */
function reasonOf(value: string): RegExp {
	if (/[\s\p{C}]/u.test(value)) return /a blank, a line break or another invisible character/;
	if (/[@?#]/.test(value)) return /without user name, query or fragment/;
	return /expected an address such as https:.*plain http is only accepted for this machine/;
}

const bad: ReadonlyArray<readonly [string, string, RegExp]> = [
	['empty', '', /empty/],
	['blank', '  \n', /empty/],
	...misleading.map(([what, value]) => [what, value, reasonOf(value)] as const),
];

describe.each(addresses)('the %s', (field, name) => {
	it.each(bad)('is refused when %s', async (_, value, reason) => {
		for (const { message, description } of await refused({ [name]: value })) {
			expect(message).toBe(`The credential's ${field} is not usable`);
			expect(description).toMatch(new RegExp(`^Open the credential and correct '${field}': `));
			expect(description).toMatch(reason);
			// What was typed may hold a password.
			expect(description).not.toContain('Geheim');
		}
	});

	it('is refused when it is missing', async () => {
		const [error] = await refused({ [name]: undefined } as unknown as typeof connected);
		expect(error?.message).toBe(`The credential's ${field} is not usable`);
	});
});

describe('an address', () => {
	it.each([
		['127.0.0.1', (url: string) => url],
		['localhost', (url: string) => url.replace('127.0.0.1', 'localhost')],
		['with blanks and slashes around it', (url: string) => `  ${url}//\n`],
		['in upper case', (url: string) => url.replace('http:', 'HTTP:')],
	])('of this machine may be plain http: %s', async (_, change) => {
		const url = change(sandbox.url);
		const results = await run({ identityUrl: url, restUrl: url, soapUrl: url });
		expect(results.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
		const paths = (await sandbox.requests()).map(({ path }) => path.replace(/\?.*/, ''));
		expect(paths).toEqual([
			'/soap/v3/EmployeeService.asmx',
			...Array<string>(3).fill('/api/companies/100/hourcodes'),
		]);
	});

	it('of this machine by IPv6 is accepted too', async () => {
		// Nobody listens there: the sandbox takes IPv4 alone. So the call was tried.
		const url = sandbox.url.replace('127.0.0.1', '[::1]');
		const credential = await payroll.store({ ...connected, soapUrl: url });
		const node = payroll.node('payrollEmployee', credential, getAddresses);
		const { error } = await payroll.run([{ id: 1001 }], node);
		expect(error?.message).toMatch(/refused the connection|broke/);
	});
});

describe('the SOAP Namespace', () => {
	it.each([
		['empty', ''],
		['with a double quote', 'http://x.example/"><evil'],
		['with an angle bracket', 'http://x.example/<a>'],
		['with a blank', 'http://x.example/a b'],
		['with a line break', 'http://x.example/\r\nX-Evil: 1'],
		['with a letter no header can carry', 'http://é.example'],
		['with an attribute behind a quote', 'http://x.example/" xmlns:evil="http://evil.example'],
		['with a backslash before a quote', 'http://x.example/\\"'],
		['with a line feed alone', 'http://x.example/\nX-Evil: 1'],
		['with a null', 'http://x.example/\u0000'],
		['with a tab', 'http://x\t.example'],
		['with half an emoji', 'http://x.example/\ud83d'],
	])('is refused when %s', async (_, soapNamespace) => {
		for (const { message, description } of await refused({ soapNamespace })) {
			expect(message).toBe("The credential's SOAP Namespace is not usable");
			expect(description).toMatch(/^Open the credential and correct 'SOAP Namespace': /);
		}
	});

	it.each([
		['an ampersand', 'http://x.example/?a=1&b=2', 'http://x.example/?a=1&amp;b=2'],
		[
			'an entity',
			'http://x.example/&quot;&#34;&lt;',
			'http://x.example/&amp;quot;&amp;#34;&amp;lt;',
		],
		['an apostrophe', "http://x.example/'", "http://x.example/'"],
		['a template', 'http://x.example/$&$1', 'http://x.example/$&amp;$1'],
	])('with %s stays in its places', async (_, soapNamespace, inXml) => {
		await run({ soapNamespace });
		const [request] = await sandbox.requests();
		const name = 'EmployeeService/Address_GetListCurrent';
		expect(request?.headers.soapaction).toBe(`"${soapNamespace}/${name}"`);
		expect(request?.body.match(/ xmlns="[^"]*"/g)).toEqual(
			Array(2).fill(` xmlns="${inXml}/EmployeeService"`),
		);
		expect(request?.body.match(/<[^/?][^>]*>/g)).toHaveLength(7);
	});

	it.each(['/', '///', ' '])('followed by %j is the same namespace', async (end) => {
		const results = await run({ soapNamespace: `${sandbox.namespace}${end}` });
		expect(results.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
		const [request] = await sandbox.requests();
		expect(request?.headers.soapaction).toBe(
			`"${sandbox.namespace}/EmployeeService/Address_GetListCurrent"`,
		);
		expect(request?.violations).toEqual([]);
	});
});

describe('the SOAP Version', () => {
	it.each(['1.3', '', null])('is refused when %j', async (soapVersion) => {
		for (const { message, description } of await refused({ soapVersion } as typeof connected)) {
			expect(message).toBe("The credential's SOAP Version is not usable");
			expect(description).toContain('1.1 or 1.2');
		}
	});
});

describe.each([
	['Subscription Key', 'subscriptionKey'],
	['Domain', 'domain'],
] as const)('the %s', (field, name) => {
	it.each([
		['empty', ''],
		['blank', ' \t '],
		['with a header inside', 'geheim-key-1\r\nX-Evil: 1'],
		['with a line feed', 'geheim-key-1\nX'],
		['with a null', 'geheim-key-1\u0000'],
		['with a bell', 'geheim\u0007key-1'],
		['of another type', 12 as unknown as string],
	])('is refused when %s', async (_, value) => {
		for (const { message, description } of await refused({ [name]: value })) {
			expect(message).toBe(`The credential's ${field} is not usable`);
			expect(description).toMatch(new RegExp(`^Open the credential and correct '${field}': `));
		}
	});
});

describe('the Subscription Key', () => {
	it('is refused when it holds a letter that no header can carry', async () => {
		const [error] = await refused({ subscriptionKey: 'clé-de-souscription' });
		expect(error?.description).toContain('an HTTP header cannot carry');
	});

	it('may have stray blanks around it', async () => {
		const results = await run({ subscriptionKey: ` ${sandbox.subscriptionKey}\n` });
		expect(results.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
	});
});

describe('the Domain', () => {
	it('may hold any other character', async () => {
		const domain = '<Müller & "Zoon">';
		const [soap] = await run({ domain });
		const [request] = await sandbox.requests();
		expect(request?.body).toContain('<Domain>&lt;Müller &amp; "Zoon"&gt;</Domain>');
		// The sandbox knows another one and says so; the run must not tell which was tried.
		expect(soap.error?.message).toMatch(/domain/i);
		expect(JSON.stringify(soap.run)).not.toContain('Müller');
	});

	it('may hold an emoji', async () => {
		await run({ domain: 'a😀b' });
		const [request] = await sandbox.requests();
		expect(request?.body).toContain('<Domain>a😀b</Domain>');
	});

	it.each(['half an emoji\ud83d', 'no character\uffff'])(
		'is refused when it holds what XML cannot carry: %j',
		async (domain) => {
			const [error] = await refused({ domain });
			expect(error?.message).toBe("The credential's Domain is not usable");
		},
	);
});

describe('a credential that is not connected', () => {
	it.each([
		['never', undefined],
		['without a token', {}],
		['with an empty token', { access_token: '' }],
		['with a token that is none', { access_token: 7 }],
	])('%s says what to do, with nothing sent', async (_, oauthTokenData) => {
		const data = { ...credentialData(sandbox), ...(oauthTokenData && { oauthTokenData }) };
		const credential = await payroll.store(data as ICredentialDataDecryptedObject);
		const node = payroll.node('payrollEmployee', credential, getAddresses);
		const { error } = await payroll.run([{ id: 1001 }], node);
		expect(error).toMatchObject({
			message: 'The credential is not connected',
			description: expect.stringContaining('connect the account'),
		});
		expect(await sandbox.requests()).toEqual([]);
	});
});

describe('Requests per Second', () => {
	it.each([
		['a negative number', -1],
		['less than one in 100 seconds', 0.009],
		['a word', 'five'],
		['a number without an end', 'Infinity'],
		['a switch', true],
		['a list', [5]],
	])('cannot be %s', async (_, requestsPerSecond) => {
		const changes = { requestsPerSecond } as unknown as ICredentialDataDecryptedObject;
		for (const { message, description } of await refused(changes)) {
			expect(message).toBe("The credential's Requests per Second is not usable");
			expect(description).toContain(
				"correct 'Requests per Second': expected a number of at least 0.01, or nothing for no limit",
			);
		}
	});

	it.each([
		['nothing', ''],
		['zero', 0],
		['a blank text', ' '],
		['a number', 1000],
		['a fraction', 99.5],
		['a text of an expression', '={{ " 1000 " }}'],
	])('may be %s', async (_, requestsPerSecond) => {
		const results = await run({ requestsPerSecond });
		expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
	});
});
