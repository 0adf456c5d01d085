import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import {
	addTool,
	agent,
	authorizationUri,
	chain,
	collect,
	connect,
	defaultRedirectUri,
	EngineCredentials,
	exchangeCode,
	type Drawing,
	type NodeDraft,
	type Result,
	runWorkflow,
} from '../../../dev/engine/index.mts';
import { asTool } from '../../../dev/engine/tool.mts';
import { inNode } from '../../../dev/package/node-context.mts';
import { CREDENTIAL_TYPE, credentialData } from '../../../dev/package/payroll.mts';
import { useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();

const PROBE = 'test.probe';

/** How often the probe has run. */
let runs = 0;
beforeEach(() => (runs = 0));

/** A node that hands on its parameter 'Value' for each item; the value 'bad' fails in the first two runs. */
const probeType: INodeType = {
	description: {
		...{ name: 'probe', displayName: 'Probe', group: ['input'], version: 1, description: 'Probe' },
		...{ defaults: { name: 'Probe' }, inputs: ['main'], outputs: ['main'], usableAsTool: true },
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		runs += 1;
		const rows = this.getInputData().map((_, item): INodeExecutionData => {
			const value = this.getNodeParameter('value', item) as string;
			if (value !== 'bad' || runs > 2) return { json: { value }, pairedItem: { item } };
			if (!this.continueOnFail()) throw new Error('The value is bad');
			return { json: { error: 'The value is bad' }, pairedItem: { item } };
		});
		return [rows];
	},
};

const probe = (more: Partial<NodeDraft> = {}): NodeDraft => ({
	...{ name: 'Probe', type: PROBE, parameters: { value: '={{ $json.given }}' } },
	...more,
});

async function run(drawing: Drawing): Promise<Result> {
	const nodeTypes = payroll.host.nodeTypes
		.with(PROBE, probeType)
		.with(`${PROBE}Tool`, asTool(probeType));
	return await runWorkflow({ ...payroll.workflow(drawing), host: { nodeTypes } });
}

describe('a credential', () => {
	it('is connected by the code grant, and stores nothing but the token', async () => {
		const filledIn = credentialData(sandbox, { domain: '={{ "demo" }}' });
		const id = await payroll.connect(sandbox, filledIn);
		const oauthTokenData = expect.objectContaining({ refresh_token: expect.any(String) });
		expect(await payroll.credentials.stored(id)).toEqual({ ...filledIn, oauthTokenData });
	});

	it('refuses a callback whose state was not handed out', async () => {
		const { credentials } = payroll;
		const id = await payroll.store(credentialData(sandbox));
		await authorizationUri(credentials, id);
		const forged = { token: 'AAAA', cid: id };
		const state = Buffer.from(JSON.stringify(forged)).toString('base64');
		const callback = `${defaultRedirectUri}?code=x&state=${encodeURIComponent(state)}`;
		await expect(exchangeCode(credentials, callback)).rejects.toThrow('state is invalid');
		expect(await sandbox.requests()).toEqual([]);
	});

	it("is renewed by n8n's helper, and keeps its expressions", async () => {
		const id = await payroll.connect(sandbox, { domain: '={{ "demo" }}' });
		const before = await payroll.credentials.stored(id);
		await inNode(payroll, id, async (context) => {
			await context.helpers.refreshOAuth2Token.call(context, CREDENTIAL_TYPE);
		});
		const { oauthTokenData, ...rest } = await payroll.credentials.stored(id);
		const { oauthTokenData: old, ...unchanged } = before;
		expect(oauthTokenData).not.toEqual(old);
		expect(rest).toEqual(unchanged);
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1 });
	});

	it('is stored encrypted, given as a copy, and shared with a second process', async () => {
		const { credentials, storage } = payroll;
		const id = await payroll.store(credentialData(sandbox));
		expect((await storage.read(id)).data).not.toContain(sandbox.clientId);
		const other = new EngineCredentials(credentials.types, storage);
		(await other.stored(id)).domain = 'changed';
		expect(await credentials.stored(id)).toMatchObject({ domain: 'demo' });
		await other.patch(id, { domain: 'changed' });
		expect(await credentials.stored(id)).toMatchObject({ domain: 'changed' });
	});
});

describe('a failing node', () => {
	const input: IDataObject[] = [{ given: 'good' }, { given: 'bad', key: 2 }];

	it('is run again with Retry On Fail', async () => {
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const result = await run(chain(input, probe(retry)));
		expect(runs).toBe(3);
		expect(result.json('Probe')).toEqual([{ value: 'good' }, { value: 'bad' }]);
	});

	it('continues with its error as an item', async () => {
		const result = await run(chain(input, probe({ onError: 'continueRegularOutput' }), collect()));
		expect(result.json('Collect')).toEqual([{ value: 'good' }, { error: 'The value is bad' }]);
	});

	it('continues with its error and the input on the error output', async () => {
		const good = chain(input, probe({ onError: 'continueErrorOutput' }), collect('Good'));
		const result = await run(connect(good, 'Probe', collect('Bad'), 1));
		expect(result.json('Good')).toEqual([{ value: 'good' }]);
		expect(result.json('Bad')).toEqual([{ given: 'bad', key: 2, error: 'The value is bad' }]);
	});
});

it("an agent's tool takes the model's arguments", async () => {
	const parameters = { value: "={{ $fromAI('what', 'a value', 'string') }}" };
	const tool = probe({ type: `${PROBE}Tool`, parameters });
	const calls = ['one', 'two'].map((what) => ({ tool: 'Probe', input: { what } }));
	const result = await run(addTool(chain([{}], agent(calls), collect()), 'Agent', tool));
	expect(result.json('Collect')).toEqual([
		{ tool: 'Probe', items: [{ value: 'one' }] },
		{ tool: 'Probe', items: [{ value: 'two' }] },
	]);
});
