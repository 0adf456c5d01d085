/* What a run of many items keeps and blocks. */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { missing } from '../../../nodes/shared/errors/InputError.ts';
import type { ReadAction, ReadCall } from '../../../nodes/shared/run/action.ts';
import { runNode } from '../../../nodes/shared/run/node.ts';
import { chain, startWorkflow, type Running } from '../../../dev/engine/index.mts';
import { describe as describeNode } from '../../../dev/engine/describe.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { connectedTo } from '../../support/credential.mts';
import { usePackage } from '../../support/setUp.mts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const payroll = usePackage();

const upTo = (end: number) => Array.from({ length: end }, (_, id) => ({ id }));

/** Starts a node whose calls are prepared as given, with so many items; failed items continue. */
async function start(
	count: number,
	prepare: (item: number) => ReadCall,
	keysInItems = (keys: IDataObject): IDataObject => keys,
): Promise<Running> {
	const texts = { name: 'Test', action: 'Test', description: 'Test' };
	const test: ReadAction = {
		...texts,
		kind: 'read',
		effect: 'read',
		operation: 'Test',
		properties: [],
		request: {},
		takesDomain: false,
		keysInItems: (_, keys) => keysInItems(keys),
		outputSchema: () => ({}),
		prepare: ([{ index }]) => prepare(index),
	};
	const type: INodeType = {
		description: {
			...describeNode('test', 'Test', []),
			credentials: [{ name: CREDENTIAL_TYPE, required: true }],
			properties: ['resource', 'operation'].map((name) => {
				return { displayName: name, name, type: 'string', default: 'test' };
			}),
		},
		async execute(this: IExecuteFunctions) {
			return await runNode(this, { test: { name: 'Test', operations: { test } } });
		},
	};
	const node = payroll.node(
		'payrollEmployee',
		await payroll.store(connectedTo('http://localhost:1')),
		{},
	);
	return startWorkflow({
		...payroll.workflow(chain(upTo(count), { ...node, onError: 'continueRegularOutput' })),
		host: { nodeTypes: payroll.host.nodeTypes.with(node.type, type) },
	});
}

it('nothing of a call but its result and keys is kept until the run ends', async () => {
	const contents: Array<WeakRef<object>> = [];
	let kept = Infinity;
	const running = await start(200, (item) => {
		const content = { item };
		contents.push(new WeakRef(content));
		return {
			subject: String(item),
			keys: {},
			effect: 'read',
			async read() {
				await turn();
				if (item === 199) {
					collectGarbage();
					kept = contents.filter((one) => one.deref() !== undefined).length;
				}
				return { records: [{ id: content.item }], notices: [] };
			},
		};
	});
	const { json } = await running.done;
	expect(json('Payroll')).toEqual(upTo(200));
	// Ten calls at a time, and as many that have just ended.
	expect(kept).toBeLessThanOrEqual(20);
});

/** Work that waits for nothing, and takes longer than it may in one piece. */
function work(): void {
	const end = performance.now() + 20;
	while (performance.now() < end);
}

/** A call whose preparation, reading or error takes long, by the step that does. */
function slowCall(item: number, step: string, slow: () => void): ReadCall {
	if (step === 'preparing') slow();
	return {
		...{ subject: 'same', keys: { item }, effect: 'read' },
		async read() {
			// Meanwhile, the other calls are prepared, and wait for this one.
			if (item === 0) await turn();
			if (step === 'reading') slow();
			if (step === 'output') throw missing();
			return await Promise.resolve({ records: [{}], notices: [] });
		},
	};
}

it.each(['preparing', 'reading', 'output'])(
	'items that wait for nothing leave room for other work: %s',
	async (step) => {
		let turns = 0;
		let ended = false;
		// A pause may last several turns: only those with work count.
		const turnsOfWork = new Set<number>();
		const slow = (): void => {
			turnsOfWork.add(turns);
			work();
		};
		const running = await start(
			50,
			(item) => slowCall(item, step, slow),
			(keys) => {
				if (step === 'output') slow();
				return keys;
			},
		);
		void (async () => {
			for (; !ended; turns += 1) await turn();
		})();
		const { items } = await running.done;
		ended = true;
		expect(items('Payroll')).toHaveLength(50);
		expect(turnsOfWork.size).toBeGreaterThanOrEqual(48);
	},
);

it('a cancelled run prepares no further items, even if all of them fail at once', async () => {
	let prepared = 0;
	const running = await start(1000, () => {
		prepared += 1;
		if (prepared === 150) running.cancel();
		throw missing();
	});
	await running.done;
	expect(prepared).toBe(150);
});
