/* The connection of a run, and the Domain of each of its items; test/package/nodes/per-item.test.mts has what is sent. */
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { tokenPath } from '../../../nodes/shared/contract/operations.ts';
import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import { InputItem, type InputItems } from '../../../nodes/shared/form/inputItem.ts';
import { type Target, Targets } from '../../../nodes/shared/run/targets.ts';
import { Vault } from '../../../nodes/shared/run/vault.ts';
import { inNode, startInNode } from '../../../dev/package/node-context.mts';
import { createAddress } from '../../../dev/package/calls.mts';
import { connectedTo } from '../../support/credential.mts';
import { hostOf } from '../../support/host.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';

const limits = { timeoutMs: 1000, maxBytes: 1000, isAdaptive: false };

const payroll = usePackage();
const server = useScriptedServer();

/** A connected credential of a service that receives no request. */
async function connected(changes: ICredentialDataDecryptedObject = {}): Promise<string> {
	return await payroll.store(connectedTo('http://localhost:1', changes));
}

interface Setting {
	readonly changes?: ICredentialDataDecryptedObject;
	readonly takesDomain?: boolean;
	readonly isTool?: boolean;
	/** The node's options; without, each item has its own Domain. */
	readonly options?: IDataObject;
}

/** Uses the targets of items in these Domains. */
async function withTargets<T>(
	work: (targets: Targets, itemAt: (index: number) => InputItem) => T | Promise<T>,
	{ changes, takesDomain = true, isTool = false, options }: Setting = {},
): Promise<T> {
	const domains = ['first', 'second', 'first ', '', ''].map((dom) => ({ dom }));
	const reading = async (context: Parameters<Parameters<typeof inNode>[2]>[0]) => {
		const { type, ...own } = context.getNode();
		const parameters = { options: options ?? { domain: '={{ $json.dom }}' } };
		const node = { ...own, type: `${type}${isTool ? 'Tool' : ''}`, parameters };
		const inOption = (_: string, item: number) => options?.domain ?? domains[item]?.dom;
		const changed = Object.create(context, {
			getNode: { value: () => node },
			getNodeParameter: { value: inOption },
		}) as typeof context;
		const first = new InputItem(changed, 0);
		const targets = await Targets.read(hostOf(changed), first, takesDomain, limits);
		return await work(targets, (index) => new InputItem(changed, index));
	};
	return await inNode(payroll, await connected(changes), reading, domains);
}

const domainOf = ({ connection }: Target) => connection.domain;

it('items in the same Domain share a target, others do not', async () => {
	const [first, second, third] = await withTargets((targets, itemAt) =>
		[0, 1, 2].map((item) => targets.of(itemAt(item))),
	);
	expect([first, second].map((target) => target && domainOf(target))).toEqual(['first', 'second']);
	expect(third).toBe(first);
	expect(second?.session).toBe(first?.session);
});

it('without the option, and for an operation without it, the Domain is that of the credential', async () => {
	const domains = (targets: Targets, itemAt: (index: number) => InputItem) =>
		[0, 1].map((item) => domainOf(targets.of(itemAt(item))));
	for (const setting of [{ options: {} }, { takesDomain: false }]) {
		expect(await withTargets(domains, setting)).toEqual(['demo', 'demo']);
	}
});

it.each([
	['client secret', 'secret', {}],
	['subscription key, without one', 'key', { appSecret: '' }],
])('what is recorded of calls is encrypted with the %s', async (_, secret, changes) => {
	const sealed = await withTargets(
		(targets, itemAt) => targets.of(itemAt(0)).vault.seal('text', 'here'),
		{
			changes,
		},
	);
	expect(new Vault(secret).open(sealed, 'here')).toBe('text');
});

describe('a tool of an AI agent', () => {
	const expression = { domain: '={{ $json.dom }}' };
	const read = async (setting: Setting) =>
		await withTargets((targets, itemAt) => domainOf(targets.of(itemAt(0))), {
			isTool: true,
			...setting,
		});

	it('refuses an expression as the option Domain', async () => {
		await expect(read({ options: expression })).rejects.toMatchObject({
			message:
				"'Domain' in the node's options is an expression, which may depend on what an AI model writes",
		});
	});

	it('takes another option, and ignores one that its operation does not have', async () => {
		expect(await read({ options: { domain: 'mine' } })).toBe('mine');
		expect(await read({ options: expression, takesDomain: false })).toBe('demo');
	});
});

it.each<[string, ICredentialDataDecryptedObject]>([
	['Read Only', { readOnly: '={{ $vars.none }}' }],
	['Domain', { domain: '' }],
])('a credential whose %s is not usable is an error', async (field, changes) => {
	await expect(withTargets(() => undefined, { changes })).rejects.toMatchObject({
		kind: 'credential',
		message: `The credential's ${field} is not usable`,
	});
});

it('groups of items are split by Domain, in the order of their items', async () => {
	const groups = [[0, 1, 2], [4], [1, 3, 4, 1]];
	const split = async (targets: Targets, itemAt: (index: number) => InputItem) => {
		const all = groups.map(([first = 0, ...others]): InputItems => {
			return [itemAt(first), ...others.map(itemAt)];
		});
		const calls = await targets.splitByDomain(all);
		return calls.map((items) => items.map(({ index }) => index));
	};
	expect(await withTargets(split)).toEqual([
		...[[0, 2], [1]],
		...[[4]],
		// Each item without a Domain is a call of its own, so that its error names it alone.
		...[[1, 1], [3], [4]],
	]);
	expect(await withTargets(split, { options: {} })).toEqual(groups);
});

it('a token that is renewed during the run is masked, also if it is opaque', async () => {
	const renewed = 'f47ac10b58cc4372a5670e02b2c3d479';
	const tokens = { access_token: renewed, refresh_token: 'next', token_type: 'Bearer' };
	server.play((response, _, { path, headers }) => {
		const [, token] = headers.authorization?.split(' ') ?? [];
		if (path === tokenPath) {
			response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(tokens));
		} else if (token === 'token') response.writeHead(401).end();
		else response.writeHead(500).end(`Got ${token}`);
	});
	const credential = await payroll.store(connectedTo(server.url));
	const node = payroll.node('payrollEmployee', credential, createAddress);
	const { error, run } = await payroll.run([{ id: 1001 }], node);
	expect(error?.context.data).toMatchObject({ httpStatus: 500, details: 'Got ***' });
	expect(JSON.stringify(run)).not.toContain(renewed);
});

it('a run that was cancelled reads no credential', async () => {
	const credential = await connected();
	const before = payroll.storage.reads;
	const running = startInNode(payroll, credential, async (context) => {
		running.cancel();
		return await Targets.read(hostOf(context), new InputItem(context, 0), false, limits);
	});
	const thrown: unknown = await running.done.catch((error: unknown) => error);
	expect(thrown).toBeInstanceOf(CancelledError);
	expect(thrown).toMatchObject({ outcome: 'notApplied' });
	expect(payroll.storage.reads).toBe(before);
});
