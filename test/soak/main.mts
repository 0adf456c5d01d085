/** The measured process: n8n's engine and the package, without the service and the tests. */
import { setTimeout as delay } from 'node:timers/promises';
import { chain, collect, runWorkflow, type NodeDraft } from '../../dev/engine/index.mts';
import { Payroll } from '../../dev/package/payroll.mts';
import { handleOrders } from '../../dev/worker.mts';
import { watchLoop } from '../support/eventLoop.mts';
import { loads, type Done, type Load, type Order } from './protocol.mts';

/** How long to wait until idle sockets of n8n's HTTP layer are closed, in milliseconds. */
const IDLE_MS = 20_000;

/** The timeout of a call, in seconds: less than a late answer takes. */
const TIMEOUT = 2;

const payroll = await Payroll.load();
let credential = '';
let atStart: readonly string[] = [];

/** The pipes to the parent and the standard streams; an immediate; module files that are still being read. */
const NOT_OURS = ['PipeWrap', 'Immediate', 'FSReqCallback', 'FSReqPromise'];

/** What keeps the process alive, by kind. */
function resources(): string[] {
	const kinds = process.getActiveResourcesInfo();
	return kinds.filter((kind) => !NOT_OURS.includes(kind)).sort();
}

function payrollNode({ node, parameters, concurrency }: Load): NodeDraft {
	const options = { timeout: TIMEOUT, ...(concurrency !== undefined && { concurrency }) };
	const settings = { onError: 'continueRegularOutput' } as const;
	return payroll.node(node, credential, { ...parameters, options }, settings);
}

async function run({ load: name, items }: Extract<Order, { kind: 'run' }>): Promise<Done> {
	const input = [...items];
	const load = name === undefined ? undefined : loads[name];
	const node = load === undefined ? collect('Payroll') : payrollNode(load);
	const { credentials, host } = payroll;
	const held = watchLoop();
	const { items: out, error } = await runWorkflow({ ...chain(input, node), host, credentials });
	const heldMs = held();
	if (error !== undefined) throw error;
	const outputs = input.map((): Array<(typeof input)[number]> => []);
	out('Payroll').forEach(({ json, pairedItem }, i) => {
		// The engine itself pairs nothing for a node that hands its items on.
		const index = load === undefined ? i : (pairedItem as { item: number }).item;
		outputs[index]?.push(json);
	});
	return { outputs, heldMs };
}

async function measure(): Promise<Done> {
	for (let i = 0; i < 3; i += 1) {
		global.gc?.();
		await delay(20);
	}
	const { heapUsed, external } = process.memoryUsage();
	return { memory: { heapUsed, external } };
}

async function end(): Promise<Done> {
	const began = performance.now();
	while (resources().join() !== atStart.join() && performance.now() - began < IDLE_MS) {
		// The timer of this pause has ended when the resources are read.
		await delay(100);
	}
	return { resources: resources() };
}

async function handle(order: Order): Promise<Done> {
	switch (order.kind) {
		case 'connect':
			atStart = resources();
			credential = await payroll.connect(order.sandbox, {
				soapUrl: order.serviceUrl,
				restUrl: order.serviceUrl,
			});
			return { resources: atStart };
		case 'run':
			return await run(order);
		case 'measure':
			return await measure();
		case 'end':
			return await end();
	}
}

handleOrders(handle, ({ kind }) => kind === 'end');
