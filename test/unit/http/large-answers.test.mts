/** Large answers are received one at a time in a process, so that many of them do not fill its memory. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { send } from '../../../nodes/shared/http/send.ts';
import { inNode } from '../../../dev/package/node-context.mts';
import { connectedTo } from '../../support/credential.mts';
import { requestTo } from '../../support/exchange.mts';
import { hostOf } from '../../support/host.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';

const MIB = 2 ** 20;
const server = useScriptedServer();
const payroll = usePackage();
let credential: string;
beforeAll(async () => (credential = await payroll.store(connectedTo(server.url))));

/** The answers that the server has begun, by path. */
const begun = new Map<string, ServerResponse>();

/** Sends a request in a node; resolves to the size of the answer, or to the message of its error. */
async function sizeOf(path: string, timeoutMs = 60_000): Promise<number | string> {
	return await inNode(payroll, credential, async (context) => {
		const limits = { timeoutMs, maxBytes: 64 * MIB };
		const sent = await send(hostOf(context), requestTo(server.url + path), limits);
		return sent instanceof ServiceError ? sent.message : sent.response.body.length;
	});
}

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await wait(10);
}

beforeEach(() => {
	begun.clear();
	server.play((response, _, { path }) => {
		begun.set(path, response);
		response.write(Buffer.alloc(5 * MIB));
	});
});

it('wait for each other, longer than their timeout, and all arrive', async () => {
	const first = sizeOf('/first');
	await until(() => begun.has('/first'));
	await wait(200);
	const done: string[] = [];
	const others = ['/second', '/third'].map(async (path) => {
		const size = await sizeOf(path, 1000);
		done.push(path);
		return size;
	});
	await until(() => begun.size === 3);
	begun.get('/second')?.end();
	begun.get('/third')?.end();
	await wait(1500);
	expect(done).toEqual([]);
	begun.get('/first')?.end();
	expect(await Promise.all([first, ...others])).toEqual([5 * MIB, 5 * MIB, 5 * MIB]);
});

it('that break off or are late end their turn', async () => {
	const broken = sizeOf('/broken');
	await until(() => begun.has('/broken'));
	const late = sizeOf('/late', 500);
	const last = sizeOf('/last');
	await until(() => begun.size === 3);
	begun.get('/last')?.end();
	begun.get('/broken')?.destroy();
	expect(await broken).toMatch(/connection .* broke/);
	expect(await late).toMatch(/did not answer in time/);
	expect(await last).toBe(5 * MIB);
});

it('do not keep small ones waiting', async () => {
	const large = sizeOf('/large');
	await until(() => begun.has('/large'));
	await wait(100);
	server.play((response) => void response.end('small'));
	expect(await sizeOf('/small')).toBe(5);
	begun.get('/large')?.end();
	expect(await large).toBe(5 * MIB);
});
