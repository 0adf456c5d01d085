/** Which values of a credential are accepted; any other is refused before anything is sent. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { getAddresses, getHourCodes } from '../../../dev/package/calls.mts';
import { credentialData, storedSecrets } from '../../../dev/package/payroll.mts';
import { expectNoSecret } from '../secrets.mts';
import { isNight } from '../../support/runs.mts';
import { useSandbox } from '../../support/setUp.mts';
import { misleading } from './misleading-addresses.mts';

const { sandbox, payroll, credential } = useSandbox();
let connected: ICredentialDataDecryptedObject;
beforeAll(async () => {
	connected = await payroll.credentials.stored(credential.id);
});

type Changes = Record<string, unknown>;

/** Stores the connected credential with some fields changed. */
async function store(changes: Changes): Promise<string> {
	return await payroll.store({ ...connected, ...changes } as typeof connected);
}

async function readAddresses(id: string) {
	return await payroll.run([{ id: 1001 }], payroll.node('payrollEmployee', id, getAddresses));
}

/** Runs a SOAP and a REST operation with some fields of the credential changed. */
async function run(changes: Changes) {
	const id = await store(changes);
	const rest = payroll.node('payrollHourCodes', id, getHourCodes);
	return [await readAddresses(id), await payroll.run([{ id: 100 }], rest)] as const;
}

async function expectAccepted(changes: Changes): Promise<void> {
	for (const { error } of await run(changes)) expect(error).toBeUndefined();
}

/**
 * Expects both operations to fail with this field's error, with nothing sent and no secret shown.
 *
 * @param reason what the advice has to say
 */
async function expectRefused(
	field: string,
	changes: Changes,
	reason: RegExp | string = '',
): Promise<void> {
	const results = await run(changes);
	expect(await sandbox.requests()).toEqual([]);
	for (const { run: execution, error } of results) {
		expectNoSecret(storedSecrets({ ...connected, ...changes } as typeof connected), execution);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `The credential's ${field} is not usable`,
			description: expect.stringMatching(reason),
		});
		const { description } = error as { description?: string };
		expect(description?.startsWith(`Open the credential and correct '${field}': `)).toBe(true);
		// A refused value may hold a password.
		expect(description).not.toContain('Geheim');
	}
}

const addresses = [
	['Identity Address', 'identityUrl'],
	['REST Address', 'restUrl'],
	['SOAP Address', 'soapUrl'],
] as const;

/** What the advice says of an address. */
function reasonOf(value: string): RegExp {
	if (/[\s\p{C}]/u.test(value)) return /a space, a line break or another invisible character/;
	if (/[@?#]/.test(value)) return /without user name, query or fragment/;
	return /expected an address such as https:.*plain http is only accepted for this machine/;
}

const bad: ReadonlyArray<readonly [string, string | undefined, RegExp]> = [
	['missing', undefined, /./],
	['empty', '', /empty/],
	['blank', '  \n', /empty/],
	['with another host in its path', 'https://good//evil.example', /\/\/ after the host/],
];
const elsewhere = misleading.map(([what, value]) => [what, value, reasonOf(value)] as const);

describe.each(addresses)('the %s', (field, name) => {
	// One function checks all three: at night, each with all of them.
	const some = isNight || name === 'identityUrl' ? elsewhere : elsewhere.slice(0, 3);
	it.each([...bad, ...some])('is refused when %s', async (_, value, reason) => {
		await expectRefused(field, { [name]: value }, reason);
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
		await expectAccepted({ identityUrl: url, restUrl: url, soapUrl: url });
		const paths = (await sandbox.requests()).map(({ path }) => path.replace(/\?.*/, ''));
		expect(paths).toEqual([
			'/soap/v3/EmployeeService.asmx',
			...Array<string>(3).fill('/api/companies/100/hourcodes'),
		]);
	});

	it.each([
		'/soap/',
		'/soap/v3',
		'/SOAP/v3/',
		'/soap/v3/EmployeeService.asmx',
		'/soap/v3/CompanyService.asmx?WSDL',
		'/soap/v3/Debtor_2.Service.asmx?wsdl',
	])('of the SOAP services may end with %s', async (path) => {
		const { error } = await readAddresses(await store({ soapUrl: ` ${sandbox.url}${path} ` }));
		expect(error).toBeUndefined();
		const paths = (await sandbox.requests()).map((request) => request.path);
		expect(paths).toEqual(['/soap/v3/EmployeeService.asmx']);
	});

	it.each(['/soap/v3/EmployeeService.asmx?op=CostCenter_Get', '//soap', '/soap?WSDL'])(
		'of the SOAP services that ends with %s is refused',
		async (path) => {
			await expectRefused('SOAP Address', { soapUrl: `https://host${path}` }, /./);
		},
	);
});

it.each(['/', '/EmployeeService', '/EmployeeService/', '//CompanyService'])(
	'the SOAP Namespace may end with %s',
	async (ending) => {
		const soapNamespace = ` ${sandbox.namespace}${ending}\n`;
		expect((await readAddresses(await store({ soapNamespace }))).error).toBeUndefined();
		const [request] = await sandbox.requests();
		expect(request?.headers.soapaction).toBe(
			`"${sandbox.namespace}/EmployeeService/Address_GetListCurrent"`,
		);
	},
);

const AT_LEAST = 'expected a number of at least 0.01, or nothing for no limit';

/** Not accepted in any field that is sent as it is. */
const unsendable = [
	['empty', ''],
	['blank', ' \t '],
	['with a header inside', 'geheim-key-1\r\nX-Evil: 1'],
	['with a bell', 'geheim\u0007key-1'],
	['of another type', true],
] as const;

type Refused = readonly [field: string, name: string, what: string, value: unknown, reason: string];

it.each<Refused>([
	...unsendable.flatMap(([what, value]): Refused[] => [
		['Subscription Key', 'subscriptionKey', what, value, ''],
		['Domain', 'domain', what, value, ''],
	]),
	['Subscription Key', 'subscriptionKey', 'with a letter', 'clé', 'an HTTP header cannot carry'],
	['Domain', 'domain', 'with half an emoji', 'a\ud83d', ''],
	['SOAP Namespace', 'soapNamespace', 'empty', '', ''],
	['SOAP Namespace', 'soapNamespace', 'with a quote', 'http://x.example/"><evil', ''],
	['SOAP Namespace', 'soapNamespace', 'with a blank', 'http://x.example/a b', ''],
	['SOAP Namespace', 'soapNamespace', 'with a line break', 'http://x.example/\r\nX-Evil: 1', ''],
	['SOAP Namespace', 'soapNamespace', 'with a letter', 'http://é.example', ''],
	['SOAP Version', 'soapVersion', 'unknown', '1.3', '1.1 or 1.2'],
	['SOAP Version', 'soapVersion', 'missing', null, '1.1 or 1.2'],
	['Requests per Second', 'requestsPerSecond', 'less than one in 100 seconds', 0.009, AT_LEAST],
	['Requests per Second', 'requestsPerSecond', 'a word', 'five', AT_LEAST],
	['Requests per Second', 'requestsPerSecond', 'infinite', 'Infinity', AT_LEAST],
	['Requests per Second', 'requestsPerSecond', 'a switch', true, AT_LEAST],
])('the %s (%s) is refused when %s', async (field, name, _, value, reason) => {
	await expectRefused(field, { [name]: value }, reason);
});

describe('the SOAP Namespace', () => {
	it.each([
		['an ampersand', 'http://x.example/?a=1&b=2', 'http://x.example/?a=1&amp;b=2'],
		['a template', 'http://x.example/$&$1', 'http://x.example/$&amp;$1'],
	])('with %s stays where it belongs', async (_, soapNamespace, inXml) => {
		await run({ soapNamespace });
		const [request] = await sandbox.requests();
		const name = 'EmployeeService/Address_GetListCurrent';
		expect(request?.headers.soapaction).toBe(`"${soapNamespace}/${name}"`);
		expect(request?.body.match(/ xmlns="[^"]*"/g)).toEqual(
			Array(2).fill(` xmlns="${inXml}/EmployeeService"`),
		);
		expect(request?.body.match(/<[^/?][^>]*>/g)).toHaveLength(7);
	});
});

it('the Subscription Key may have whitespace around it', async () => {
	await expectAccepted({ subscriptionKey: ` ${sandbox.subscriptionKey}\n` });
});

it('the Domain may hold any other character', async () => {
	const [soap] = await run({ domain: '<Müller & "Zoon"😀>' });
	const [request] = await sandbox.requests();
	expect(request?.body).toContain('<Domain>&lt;Müller &amp; "Zoon"😀&gt;</Domain>');
	// The sandbox refuses another Domain; the run must not show which one was sent.
	expect(soap.error?.message).toMatch(/domain/i);
	expect(JSON.stringify(soap.run)).not.toContain('Müller');
});

describe('a credential that is not connected', () => {
	it.each([
		['never', undefined],
		['with an empty token', { access_token: '' }],
		['with a token that is none', { access_token: 7 }],
	])('%s says what to do, with nothing sent', async (_, oauthTokenData) => {
		const data = { ...credentialData(sandbox), ...(oauthTokenData && { oauthTokenData }) };
		const { error } = await readAddresses(await payroll.store(data as typeof connected));
		expect(error).toMatchObject({
			message: 'The credential is not connected',
			description: expect.stringContaining('connect the account'),
		});
		expect(await sandbox.requests()).toEqual([]);
	});
});

it.each(['', 0, 99.5, '={{ " 1000 " }}'])(
	'Requests per Second may be %j',
	async (requestsPerSecond) => {
		await expectAccepted({ requestsPerSecond });
	},
);
