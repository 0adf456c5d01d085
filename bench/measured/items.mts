/** The measured process: runs a node with many items, and reports the time or the memory of it. */
import { subscribe } from 'node:diagnostics_channel';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
	chain,
	runWorkflow,
	trigger,
	type NodeDraft,
	type Result,
} from '../../dev/engine/index.mts';
import { describe, parameter } from '../../dev/engine/describe.mts';
import { getCostCenters, updateCostCenters } from '../../dev/package/calls.mts';
import { Payroll } from '../../dev/package/payroll.mts';
import type { Connection } from '../../dev/sandbox/options.mts';
import { handleOrders } from '../../dev/worker.mts';
import { collect, collectFully, keepCompiledCode, watchCollections } from './memory.mts';

/** What to measure; one process measures once. */
export interface Order {
	/** Reads or writes one employee for each item; only a write is recorded. */
	readonly operation: 'read' | 'write';
	/** The time of few and of many items in turns, or the memory of many. */
	readonly quantity: 'time' | 'memory';
	readonly few: number;
	readonly many: number;
	readonly sandbox: Connection;
	readonly serviceUrl: string;
}

/** The cost of one run, in microseconds per item. */
export interface Cost {
	readonly wall: number;
	readonly cpu: number;
}

/** The result of a measurement; what was not measured is empty. */
export interface Measured {
	readonly few: readonly Cost[];
	readonly many: readonly Cost[];
	readonly memory: Memory | undefined;
}

/** Memory in bytes. */
export interface Memory {
	/** The input and output items alone. */
	readonly items: number;
	/** The most in use after a full collection, minus what was in use before the run. */
	readonly live: number;
}

/** Runs of few items, so that all code is loaded and compiled before the measurement. */
const WARM_UPS = 5;
/** Runs of few items, before and after the run of many. */
const FEW_RUNS = 5;
/** Requests between two samples of the memory in use. */
const SAMPLE_EVERY = 5_000;
/** The last requests of a run, during which every collection is a sample. */
const LAST = 500;

const parameters: Readonly<Record<Order['operation'], INodeParameters>> = {
	read: getCostCenters,
	write: { ...updateCostCenters, options: { concurrency: 10 } },
};

/** The ID of the first employee. */
const FIRST = 1001;

const payroll = await Payroll.load();

/** A node that returns as many employees as its parameter says. */
const employees: NodeDraft = { name: 'Employees', type: 'bench.employees' };
const host = {
	nodeTypes: payroll.host.nodeTypes.with(employees.type, {
		description: describe('employees', 'Employees', [parameter('count', 'number', 0)]),
		async execute() {
			const count = this.getNodeParameter('count', 0) as number;
			return [Array.from({ length: count }, (_, index) => ({ json: { id: FIRST + index } }))];
		},
	}),
};

/** Runs the node; returns everything that n8n keeps of the run. */
async function runItems(node: NodeDraft, count: number): Promise<Result> {
	const drawing = chain(trigger(), { ...employees, parameters: { count } }, node);
	const result = await runWorkflow({ ...payroll.workflow(drawing), host });
	if (result.error !== undefined) throw new Error(result.error.message);
	const last = result.items(node.name).at(-1)?.json.EmployeeId;
	if (last !== FIRST + count - 1) throw new Error(`The last item is of ${String(last)}`);
	return result;
}

async function timeOf(node: NodeDraft, count: number): Promise<Cost> {
	await collect();
	const [start, before] = [performance.now(), process.cpuUsage()];
	await runItems(node, count);
	const { user, system } = process.cpuUsage(before);
	return { wall: ((performance.now() - start) * 1000) / count, cpu: (user + system) / count };
}

async function times(node: NodeDraft, { few, many }: Order): Promise<Omit<Measured, 'memory'>> {
	const fewRuns = async (): Promise<Cost[]> => {
		const costs: Cost[] = [];
		for (let i = 0; i < FEW_RUNS; i += 1) costs.push(await timeOf(node, few));
		return costs;
	};
	const before = await fewRuns();
	const of = await timeOf(node, many);
	return { few: [...before, ...(await fewRuns())], many: [of] };
}

/**
 * Samples the bytes in use during a run: from time to time, and from the last requests on, when most
 * is in use, after every collection. Returns a function that ends this and returns the samples.
 */
function sampleDuring(requests: number): () => number[] {
	const samples: number[] = [];
	let ofEnd = (): number[] => [];
	let begun = 0;
	subscribe('http.client.request.start', () => {
		begun += 1;
		const isLast = begun === requests - LAST;
		if (!isLast && begun % SAMPLE_EVERY !== 0) return;
		void collect().then((bytes) => {
			samples.push(bytes);
			if (!isLast) return;
			collectFully();
			ofEnd = watchCollections();
		});
	});
	return () => [...samples, ...ofEnd()];
}

async function memoryOf(node: NodeDraft, { many }: Order): Promise<Memory> {
	const before = await collect();
	const samples = sampleDuring(many);
	const result = await runItems(node, many);
	const peaks = samples();
	const held = await collect();
	const items: INodeExecutionData[][] = structuredClone([
		result.items(employees.name),
		result.items(node.name),
	]);
	const alone = (await collect()) - held;
	if (items.length !== 2) throw new Error('The items were not held');
	return { items: alone, live: Math.max(held, ...peaks) - before };
}

keepCompiledCode();

handleOrders(async (order: Order): Promise<Measured> => {
	const { sandbox, serviceUrl, operation } = order;
	const credential = await payroll.connect(sandbox, { soapUrl: serviceUrl });
	const node = payroll.node('payrollEmployee', credential, parameters[operation]);
	for (let i = 0; i < WARM_UPS; i += 1) await runItems(node, order.few);
	if (order.quantity === 'time') return { ...(await times(node, order)), memory: undefined };
	return { few: [], many: [], memory: await memoryOf(node, order) };
});
