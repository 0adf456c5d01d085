/* Which credential values the items of a run use; test/package/nodes/per-item.test.mts has the option Domain. */
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { tokenPath } from '../../../nodes/shared/contract/identity.ts';
import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import { Targets } from '../../../nodes/shared/run/targets.ts';
import { Tally } from '../../../nodes/shared/session/tally.ts';
import { inNode, startInNode } from '../../../dev/package/node-context.mts';
import { createAddress } from '../../../dev/package/calls.mts';
import { connectedTo } from '../../support/credential.mts';
import { inputItems } from '../../support/items.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';

const limits = { timeoutMs: 1000, maxBytes: 1000, isAdaptive: false };

const payroll = usePackage();
const server = useScriptedServer();

/** A connected credential of a service that receives no request. */
async function connected(changes: ICredentialDataDecryptedObject = {}): Promise<string> {
	return await payroll.store(connectedTo('http://localhost:1', changes));
}

/** Uses the targets of input items. */
async function withTargets<T>(
	changes: ICredentialDataDecryptedObject,
	input: IDataObject[],
	work: (targets: Targets) => T,
): Promise<T> {
	return await inNode(
		payroll,
		await connected(changes),
		async (context) => work(await Targets.read(context, false, limits, new Tally())),
		input,
	);
}

const itemAt = (index: number) => inputItems({}, [index])[0];

/** Two items in one Domain, one in another, and one whose Domain is empty. */
const perItem = { domain: '={{ $json.dom }}' };
const domains = ['first', 'second', 'first', '', ''].map((dom) => ({ dom }));

it('items with the same credential values share a target, others do not', async () => {
	const [first, second, third] = await withTargets(perItem, domains, (targets) =>
		[0, 1, 2].map((item) => targets.of(itemAt(item))),
	);
	expect(third).toBe(first);
	expect(second?.key).not.toBe(first?.key);
	expect([first, second].map((target) => target?.connection.domain)).toEqual(['first', 'second']);
});

it('Domains that are sent alike share a target', async () => {
	const [first, second] = await withTargets(perItem, [{ dom: 100 }, { dom: '100 ' }], (targets) =>
		[0, 1].map((item) => targets.of(itemAt(item))),
	);
	expect(second).toBe(first);
});

it('a variable written with an escape is evaluated for each item, too', async () => {
	const escaped = { domain: '={{ \\u0024json.dom }}' };
	const found = await withTargets(escaped, domains.slice(0, 2), (targets) =>
		[0, 1].map((item) => targets.of(itemAt(item)).connection.domain),
	);
	expect(found).toEqual(['first', 'second']);
});

it.each<[string, ICredentialDataDecryptedObject, INodeParameters, string]>([
	[
		'a credential that depends on the item',
		perItem,
		{},
		'The credential depends on the item, which an AI model writes here',
	],
	[
		'an expression as the option Domain',
		{},
		{ options: { domain: '={{ $json.dom }}' } },
		"'Domain' in the node's options is an expression, which may depend on what an AI model writes",
	],
])('a tool of an AI agent refuses %s', async (_, changes, parameters, message) => {
	const reading = inNode(
		payroll,
		await connected(changes),
		async (context) => {
			const { type, ...own } = context.getNode();
			const node = { ...own, type: `${type}Tool`, parameters };
			const tool = Object.create(context, { getNode: { value: () => node } }) as typeof context;
			return (await Targets.read(tool, true, limits, new Tally())).of(inputItems(tool, [0])[0]);
		},
		domains,
	);
	await expect(reading).rejects.toMatchObject({ message });
});

it('Read Only is not lifted by an expression that yields nothing', async () => {
	const [target] = await withTargets({ readOnly: '={{ $json.none }}' }, [{}], (targets) =>
		[0].map((item) => {
			try {
				return targets.of(itemAt(item)).connection.readOnly;
			} catch (error) {
				return error;
			}
		}),
	);
	expect(target).toMatchObject({ message: "The credential's Read Only is not usable" });
});

it('a credential that is unusable for every item is an error', async () => {
	await expect(withTargets({ domain: '' }, [{}, {}], () => undefined)).rejects.toMatchObject({
		kind: 'credential',
		message: "The credential's Domain is not usable",
	});
});

it('groups of items are split by target, in the order of their items', async () => {
	const groups = [[0, 1, 2], [4], [1, 3, 4, 1]];
	const split = (targets: Targets) =>
		targets
			.splitByTarget(groups.map((indexes) => inputItems({}, indexes)))
			.map((items) => items.map(({ index }) => index));
	expect(await withTargets(perItem, domains, split)).toEqual([
		...[[0, 2], [1]],
		...[[4]],
		// Each item without a target is a call of its own, so that its error names it alone.
		...[[1, 1], [3], [4]],
	]);
	expect(await withTargets({}, domains, split)).toEqual(groups);
});

it('the secrets are those of all items, each once', async () => {
	const secrets = await withTargets(perItem, domains, (targets) => targets.secrets);
	expect(secrets.filter(Boolean).sort()).toEqual(
		['first', 'key', 'refresh', 'second', 'secret', 'token'].sort(),
	);
	expect(new Set(secrets).size).toBe(secrets.length);
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

it('an item without a credential is a bug of the package, and is named', async () => {
	const asked = withTargets(perItem, domains, (targets) => targets.of(itemAt(5)));
	await expect(asked).rejects.toThrow(new TypeError('No credential was read for item 5'));
});

it('a run that was cancelled reads no credential', async () => {
	const credential = await connected();
	const before = payroll.storage.reads;
	const running = startInNode(payroll, credential, async (context) => {
		running.cancel();
		return await Targets.read(context, false, limits, new Tally());
	});
	const thrown: unknown = await running.done.catch((error: unknown) => error);
	expect(thrown).toBeInstanceOf(CancelledError);
	expect(thrown).toMatchObject({ outcome: 'notApplied' });
	expect(payroll.storage.reads).toBe(before);
});
