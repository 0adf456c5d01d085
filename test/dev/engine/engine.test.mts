import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import {
	addTool,
	agent,
	authorizationUri,
	chain,
	collect,
	connect,
	defaultRedirectUri,
	type Drawing,
	EngineCredentials,
	exchangeCode,
	type Host,
	loadPackage,
	type NodeDraft,
	type Result,
	runWorkflow,
	startWorkflow,
	workflow,
} from '../../../dev/engine/index.mts';
import { writeProbePackage } from './probe-package.mts';
import { type ProbeService, startProbeService } from './probe-service.mts';

const type = 'probeOAuth2Api';
const reference = { [type]: { id: 'c1', name: 'Probe account' } };
const secret = '+/%:&= x';
const created = writeProbePackage();

let host: Host;
let service: ProbeService;
let credentials: EngineCredentials;

/** The probe node with parameters; by default the path comes from the item. */
function probe(parameters: IDataObject = {}, extra: Partial<NodeDraft> = {}): NodeDraft {
	const path = '={{ $json.path }}';
	return {
		name: 'Probe',
		type: 'n8n-nodes-probe.probe',
		parameters: { path, ...parameters } as NodeDraft['parameters'] & object,
		credentials: reference,
		...extra,
	};
}

/** "Connect my account" with a service that consents at once. */
async function connectAccount(): Promise<void> {
	const consent = new URL(await authorizationUri(credentials, 'c1'));
	const back = new URL(defaultRedirectUri);
	back.searchParams.set('code', 'a-code');
	back.searchParams.set('state', consent.searchParams.get('state') ?? '');
	await exchangeCode(credentials, back.href);
}

/** Runs a workflow to its end. */
async function run(drawing: Drawing): Promise<Result> {
	return await runWorkflow({ ...drawing, host, credentials });
}

/** The token as it is stored. */
async function storedToken(): Promise<ICredentialDataDecryptedObject> {
	return (await credentials.stored('c1')).oauthTokenData as ICredentialDataDecryptedObject;
}

beforeAll(async () => {
	host = await loadPackage(created.directory);
});

beforeEach(async () => {
	service = await startProbeService();
	credentials = new EngineCredentials(host.credentialTypes);
	const data = { baseUrl: service.url, appId: 'app:1', appSecret: secret };
	await credentials.store('c1', 'Probe account', type, data);
});

afterEach(async () => await service.close());
afterAll(() => created.remove());

describe('the host', () => {
	it('loads a package with n8n’s loader', () => {
		expect(host.packageName).toBe('n8n-nodes-probe');
		expect(host.loaded).toEqual({ nodes: ['probe'], credentials: [type] });
		expect(host.credentialTypes.getParentTypes(type)).toEqual(['oAuth2Api']);
		expect(host.descriptions[0]?.communityNodePackageVersion).toBe('1.2.3');
	});

	it('lets a restricted credential be used by the package’s nodes and their tools only', () => {
		const usable = (node: string) => credentials.isCredentialUsableByNode(type, node);
		expect(usable('n8n-nodes-probe.probe')).toBe(true);
		expect(usable('n8n-nodes-probe.probeTool')).toBe(true);
		expect(usable('n8n-nodes-base.httpRequest')).toBe(false);
	});
});

describe('a credential', () => {
	it('connects by the code grant, with what its hidden expressions derive', async () => {
		const consent = new URL(await authorizationUri(credentials, 'c1'));
		expect(consent.origin + consent.pathname).toBe(`${service.url}/authorize`);
		expect(Object.fromEntries(consent.searchParams)).toMatchObject({
			client_id: 'app%3A1',
			response_type: 'code',
			redirect_uri: defaultRedirectUri,
			scope: 'read offline_access',
		});

		await connectAccount();
		const [request] = service.received;
		const basic = Buffer.from(`app%3A1:${encodeURIComponent(secret)}`).toString('base64');
		expect(request?.headers.authorization).toBe(`Basic ${basic}`);
		expect(Object.fromEntries(new URLSearchParams(request?.body))).toMatchObject({
			grant_type: 'authorization_code',
			code: 'a-code',
			redirect_uri: defaultRedirectUri,
		});
		expect(await credentials.stored('c1')).toEqual({
			baseUrl: service.url,
			appId: 'app:1',
			appSecret: secret,
			oauthTokenData: expect.objectContaining({ access_token: 'access-1' }),
		});
	});

	it('refuses a callback whose state was not handed out', async () => {
		await authorizationUri(credentials, 'c1');
		const forged = { token: 'AAAA', createdAt: Date.now(), cid: 'c1' };
		const state = Buffer.from(JSON.stringify(forged)).toString('base64');
		const callback = `${defaultRedirectUri}?code=x&state=${encodeURIComponent(state)}`;
		await expect(exchangeCode(credentials, callback)).rejects.toThrow('state is invalid');
		expect(service.received).toEqual([]);
	});

	it('gives copies, and shares its storage with a second process', async () => {
		const other = new EngineCredentials(host.credentialTypes, credentials.storage);
		const copy = await other.stored('c1');
		copy.appId = 'changed';
		expect((await credentials.stored('c1')).appId).toBe('app:1');
		await other.patch('c1', { appId: 'changed' });
		expect((await credentials.stored('c1')).appId).toBe('changed');
		expect(credentials.storage.updates).toBe(1);
	});
});

describe('a workflow', () => {
	it('sends the token and resolves expressions per item, paired with their inputs', async () => {
		await connectAccount();
		const drawing = chain([{ path: '/a' }, { path: '/b' }], probe(), collect());
		const result = await run(drawing);
		expect(result.error).toBeUndefined();
		expect(result.status).toBe('success');
		// The options object handed to n8n's helper carries the signed token afterwards.
		const signed = 'Bearer access-1';
		expect(result.json('Collect')).toEqual([
			{ path: '/a', signed },
			{ path: '/b', signed },
		]);
		expect(result.items('Probe').map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
	});

	it('fails if the credential is not connected', async () => {
		const result = await run(chain([{ path: '/a' }], probe()));
		expect(result.status).toBe('error');
		expect(result.errorOf('Probe')?.message).toBe('Unable to sign without access token');
	});

	it('refreshes through n8n’s helper and stores nothing but the token', async () => {
		await connectAccount();
		const before = await credentials.stored('c1');
		const drawing = chain([{ path: '/a' }], probe({ refresh: true }));
		const result = await run(drawing);
		expect(result.json('Probe')).toEqual([{ path: '/a', signed: 'Bearer access-2' }]);
		expect(await storedToken()).toMatchObject({ refresh_token: 'refresh-2' });
		const { oauthTokenData: _, ...rest } = await credentials.stored('c1');
		const { oauthTokenData: __, ...unchanged } = before;
		expect(rest).toEqual(unchanged);
	});

	it('never refreshes by itself when statuses are ignored', async () => {
		await connectAccount();
		await credentials.patch('c1', { oauthTokenData: { access_token: 'old', refresh_token: 'r' } });
		const result = await run(chain([{ path: '/a' }], probe()));
		expect(result.errorOf('Probe')?.message).toBe('HTTP 401');
		expect(service.received.filter(({ path }) => path === '/token')).toHaveLength(1);
	});

	it('uses the token another process has stored', async () => {
		await connectAccount();
		const stale = await credentials.stored('c1');
		const other = new EngineCredentials(host.credentialTypes, credentials.storage);
		const drawing = chain([{ path: '/a' }], probe({ refresh: true }));
		await runWorkflow({ ...drawing, host, credentials: other });
		const data = await credentials.stored('c1');
		expect(data.oauthTokenData).not.toEqual(stale.oauthTokenData);
		const result = await run(chain([{ path: '/a' }], probe()));
		expect(result.json('Probe')).toEqual([{ path: '/a', signed: 'Bearer access-2' }]);
	});

	it('runs beside another one on the same credentials', async () => {
		await connectAccount();
		const one = chain([{ path: '/1' }], probe());
		const two = chain([{ path: '/2' }], probe());
		const results = await Promise.all([run(one), run(two)]);
		expect(results.flatMap((result) => result.json('Probe'))).toEqual([
			expect.objectContaining({ path: '/1' }),
			expect.objectContaining({ path: '/2' }),
		]);
	});
});

it('runs a node as the tool of an agent, with the model’s arguments', async () => {
	await connectAccount();
	const calls = [{ tool: 'Probe', input: { where: '/asked' } }];
	const tool = probe({ path: "={{ $fromAI('where', 'a path', 'string') }}" });
	tool.type += 'Tool';
	const drawing = addTool(chain([{}], agent(calls), collect()), 'Agent', tool);
	const result = await run(drawing);
	expect(result.error).toBeUndefined();
	expect(result.json('Collect')).toEqual([
		{ tool: 'Probe', items: [{ path: '/asked', signed: 'Bearer access-1' }] },
	]);
});

describe('a failing node', () => {
	const input = [
		{ path: '/a', key: 1 },
		{ path: '/bad', key: 2 },
	];

	beforeEach(connectAccount);

	it('stops the workflow', async () => {
		const drawing = chain(input, probe({}, { onError: 'stopWorkflow' }), collect());
		const result = await run(drawing);
		expect(result.status).toBe('error');
		expect(result.errorOf('Probe')).toMatchObject({ name: 'NodeApiError', message: 'HTTP 500' });
		expect(result.items('Collect')).toEqual([]);
	});

	it('continues on the regular output with the item as the node made it', async () => {
		const drawing = chain(input, probe({}, { onError: 'continueRegularOutput' }), collect());
		const result = await run(drawing);
		expect(result.json('Collect')).toEqual([
			expect.objectContaining({ path: '/a' }),
			{ error: 'HTTP 500' },
		]);
	});

	it('routes to the error output and carries the input along', async () => {
		let drawing = chain(input, probe({}, { onError: 'continueErrorOutput' }), collect('Good'));
		drawing = connect(drawing, 'Probe', collect('Bad'), 1);
		const result = await run(drawing);
		expect(result.json('Good')).toEqual([expect.objectContaining({ path: '/a' })]);
		expect(result.json('Bad')).toEqual([{ path: '/bad', key: 2, error: 'HTTP 500' }]);
	});

	it('loses the input on the error output when the item has an error of its own', async () => {
		const failing = probe({ rawError: true }, { onError: 'continueErrorOutput' });
		const drawing = connect(chain(input, failing, collect('Good')), 'Probe', collect('Bad'), 1);
		const result = await run(drawing);
		expect(result.json('Bad')).toEqual([{ error: 'HTTP 500' }]);
	});
});

describe('a request', () => {
	beforeEach(connectAccount);

	/** The error a node ends with when it asks for this path. */
	async function failure(path: string, parameters: IDataObject = {}) {
		const drawing = chain([{ path }], probe(parameters));
		const result = await run(drawing);
		return { result, error: result.errorOf('Probe') };
	}

	it('is rejected with n8n’s API error when the connection fails', async () => {
		const refused = await failure('http://127.0.0.1:1/');
		expect(refused.error).toMatchObject({
			name: 'NodeApiError',
			message: 'The service refused the connection - perhaps it is offline',
		});
		const reset = await failure('/reset');
		expect(reset.error?.message).toMatch('The connection to the server was closed unexpectedly');
	});

	it('is stopped by a cancellation of the run', async () => {
		const hanging = service.hanging();
		const running = startWorkflow({ ...chain([{ path: '/hang' }], probe()), host, credentials });
		await hanging;
		running.cancel();
		const result = await running.done;
		expect(result.status).toBe('canceled');
		expect(result.errorOf('Probe')?.message).toBe('canceled');
	});

	it('takes the signal of a context derived from the node’s', async () => {
		const { result } = await failure('/hang', { ownSignal: 1000 });
		expect(result.errorOf('Probe')).toMatchObject({ name: 'NodeApiError' });
		expect(service.received.at(-1)?.path).toBe('/hang');
	});
});

it('refuses a workflow that has issues', () => {
	const drawing = chain([{}], { name: 'X', type: 'unknown.node' });
	const start = () => startWorkflow({ ...drawing, host, credentials });
	expect(start).toThrow(workflow.UserError);
});
