/** The measured process: runs *Return All* once, and reports the time or the memory of it. */
import type { INodeExecutionData, INodeType } from 'n8n-workflow';
import { chain, runWorkflow, type Host, type NodeDraft } from '../../dev/engine/index.mts';
import { describe } from '../../dev/engine/describe.mts';
import type { Connection } from '../../dev/sandbox/options.mts';
import { inNode } from '../../dev/package/node-context.mts';
import { getHourCodes } from '../../dev/package/calls.mts';
import { CREDENTIAL_TYPE, Payroll } from '../../dev/package/payroll.mts';
import { handleOrders } from '../../dev/worker.mts';
import { collect, collectFully, keepCompiledCode, watchCollections } from './memory.mts';

/** What to measure; one process measures once. */
export interface Order {
	/**
	 * The package's node; n8n's request helper, which sends the same requests and drops the answers;
	 * a minimal node that returns the same items; or these items alone.
	 */
	readonly contender: 'node' | 'requests' | 'engine' | 'items';
	/** The time, or the peak of memory in use, which takes extra time to observe. */
	readonly quantity: 'time' | 'memory';
	readonly records: number;
	readonly sandbox: Connection;
	readonly serviceUrl: string;
}

/** The result of a measurement. */
export interface Measured {
	readonly milliseconds: number;
	/** Bytes in use at the end, results included, minus those in use before. */
	readonly held: number;
	/** The peak of bytes in use right after a full collection, minus those in use before. */
	readonly live: number;
	/** The peak of resident memory in bytes, minus that of before. */
	readonly resident: number;
}

/** A first list, so that all code is loaded and compiled before the measurement. */
const WARM_UP = { runs: 3, records: 10_000 };

/** The node's default. */
const PAGE_SIZE = 100;

const payroll = await Payroll.load();

function pagesOf(serviceUrl: string, records: number): string {
	return `${serviceUrl}/api/companies/${records}/hourcodes`;
}

/** Makes the items of hour codes with the least effort. */
async function readItems(serviceUrl: string, records: number): Promise<INodeExecutionData[]> {
	const url = pagesOf(serviceUrl, records);
	const items: INodeExecutionData[] = [];
	const keys = { companyId: String(records) };
	const pairedItem = { item: 0 };
	for (let page = 1; items.length < records; page += 1) {
		const response = await fetch(`${url}?pageNumber=${page}&pageSize=${PAGE_SIZE}`);
		for (const row of (await response.json()) as object[]) {
			items.push({ json: Object.assign({}, keys, row), pairedItem });
		}
	}
	return items;
}

/** Runs a workflow of one node; returns everything that n8n keeps of the run. */
async function runNode(
	nodeTypes: Host['nodeTypes'],
	node: NodeDraft,
	records: number,
): Promise<unknown> {
	const { credentials } = payroll;
	const drawing = chain([{ id: records }], node);
	const result = await runWorkflow({ ...drawing, host: { nodeTypes }, credentials });
	if (result.error !== undefined) throw result.error;
	const count = result.items(node.name).length;
	if (count !== records) throw new Error(`${count} items came of ${records} records`);
	return result;
}

type Run = (records: number) => Promise<unknown>;

const contenders: Readonly<Record<Order['contender'], (order: Order) => Promise<Run>>> = {
	async node({ sandbox, serviceUrl }) {
		const credential = await payroll.connect(sandbox, { restUrl: serviceUrl });
		const node = payroll.node('payrollHourCodes', credential, getHourCodes);
		return async (records) => await runNode(payroll.host.nodeTypes, node, records);
	},
	async requests({ sandbox, serviceUrl }) {
		const credential = await payroll.connect(sandbox, { restUrl: serviceUrl });
		return async (records) => {
			const pages = Array.from({ length: records / PAGE_SIZE }, (_, index) => index + 1);
			await inNode(payroll, credential, async (context) => {
				const { httpRequestWithAuthentication } = context.helpers;
				// The empty page after the last one, and the second reading of each page.
				for (const pageNumber of [...pages, pages.length + 1, ...pages]) {
					await httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, {
						url: pagesOf(serviceUrl, records),
						qs: { pageNumber, pageSize: PAGE_SIZE },
						encoding: 'arraybuffer',
					});
				}
			});
		};
	},
	async engine({ serviceUrl }) {
		const rows = (records: number): INodeType => ({
			description: describe('rows', 'Rows', []),
			execute: async () => [await readItems(serviceUrl, records)],
		});
		return async (records) => {
			const node = { name: 'Rows', type: 'bench.rows' };
			return await runNode(payroll.host.nodeTypes.with(node.type, rows(records)), node, records);
		};
	},
	items:
		async ({ serviceUrl }) =>
		async (records) =>
			await readItems(serviceUrl, records),
};

keepCompiledCode();

handleOrders(async (order: Order): Promise<Measured> => {
	const run = await contenders[order.contender](order);
	for (let i = 0; i < WARM_UP.runs; i += 1) await run(WARM_UP.records);
	const before = await collect();
	const { rss } = process.memoryUsage();
	const collections = watchCollections();
	if (order.quantity === 'memory') collectFully();
	const start = performance.now();
	const kept = [await run(order.records)];
	const milliseconds = performance.now() - start;
	const resident = process.resourceUsage().maxRSS * 1024 - rss;
	const peaks = collections();
	const held = await collect();
	kept.length = 0;
	const live = Math.max(held, ...peaks);
	return { milliseconds, resident, held: held - before, live: live - before };
});
