/* To which addresses an exchange sends, and what it waits for. */
import { type ICredentialDataDecryptedObject, sleep } from 'n8n-workflow';
import { credentialStateOf } from '../../../nodes/shared/exchange/account.ts';
import { toConnection } from '../../../nodes/shared/credential/connection.ts';
import { createAccess, inReadingTurn } from '../../../nodes/shared/exchange/exchange.ts';
import { RequestHost } from '../../../nodes/shared/host/requests.ts';
import { startInNode, type Work } from '../../../dev/package/node-context.mts';
import { connectedTo } from '../../support/credential.mts';
import { requestTo } from '../../support/exchange.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';

const server = useScriptedServer();
const payroll = usePackage();
let credential: string;
beforeEach(async () => (credential = await connect()));

async function connect(changes: ICredentialDataDecryptedObject = {}): Promise<string> {
	return await payroll.store(connectedTo(server.url, changes));
}

/** Starts a write to a path, where the REST Address is `/base`; its value is the status of the answer. */
function start(path: string, of = credential, url = server.url): Work<number> {
	return startInNode(payroll, of, async (context) => {
		const host = new RequestHost(context, context.getExecutionCancelSignal());
		const stored = toConnection(await host.readCredential());
		const connection = { ...stored, restUrl: `${server.url}/base` };
		const limits = { timeoutMs: 30_000, maxBytes: 10_000, isAdaptive: false };
		const { exchange } = createAccess(host, connection, limits);
		const request = requestTo(url + path, { effect: 'write' });
		return await exchange(request, ({ status }) => status);
	});
}

it('a request never goes to another host than that of its address, nor above or beside it', async () => {
	const other = server.url.replace('127.0.0.1', 'localhost');
	const paths = ['/api', '/base/../api', '/base/%2e%2e/api', '/base/..%2Fapi', '/base-evil'];
	const all = paths.map((path) => [path, server.url] as const);
	for (const [path, url] of [['/base/api', other] as const, ...all]) {
		await expect(start(path, credential, url).done).rejects.toThrow(
			"A request to an address that is not below 'REST Address'",
		);
	}
	expect(server.received).toHaveLength(0);
});

let paces = 0;
const newPace = () => credentialStateOf(`pace ${(paces += 1)}`).pace;
const ready = async () => {};

/** An answer that asks for a pause. */
const asking = (status: number, retryAfter: string) => ({
	status,
	headers: { 'retry-after': retryAfter },
	body: Buffer.alloc(0),
});

/** Ensures that a turn comes without a timer. */
async function atOnce(turn: Promise<void>): Promise<void> {
	const sent = turn.then(() => 'at once');
	const later = new Promise((resolve) => setImmediate(resolve, 'later'));
	expect(await Promise.race([sent, later])).toBe('at once');
}

describe('a pause that the service asks for', () => {
	it.each([429, 503])('with HTTP %d holds for all calls of the credential', async (status) => {
		const asked = new Promise((resolve) => {
			server.play((response, index) => {
				if (index > 0) return void response.end();
				response.writeHead(status, { 'Retry-After': '10' }).end();
				response.on('close', resolve);
			});
		});
		const first = start('/base/asking');
		await asked;
		const other = await connect();
		// The answer has to be read first.
		await sleep(500);
		const later = [start('/base/later'), start('/base/later')];
		expect(await start('/base/other', other).done).toBe(200);
		expect(await Promise.all([first, ...later].map(async ({ done }) => await done))).toEqual(
			Array(3).fill(200),
		);
		const [asks, free, ...held] = server.received;
		expect([asks?.path, free?.path]).toEqual(['/base/asking', '/base/other']);
		expect(held).toHaveLength(3);
		for (const { at } of held) expect(at - (asks?.at ?? Number.NaN)).toBeGreaterThan(9980);
	});

	it.each([
		['too long to wait', 429, '61'],
		['in words', 503, 'soon'],
	])('%s delays no other call', async (_, status, retryAfter) => {
		const pace = newPace();
		pace.applyRetryAfter(asking(status, retryAfter));
		await atOnce(pace.turn(undefined, undefined, ready));
	});
});

it('a credential with Requests per Second waits for a pause, too, and keeps its pace after that', async () => {
	const pace = newPace();
	pace.applyRetryAfter(asking(429, '5'));
	const begun = performance.now();
	await pace.turn(undefined, 5, ready);
	const first = performance.now();
	await pace.turn(undefined, 5, ready);
	expect(first - begun).toBeGreaterThanOrEqual(4900);
	expect(performance.now() - first).toBeGreaterThanOrEqual(100);
});

/** Counts the rounds of the event loop. */
function countRounds(): { readonly count: () => number; readonly end: () => void } {
	let rounds = 0;
	let next = setImmediate(function again() {
		rounds += 1;
		next = setImmediate(again);
	});
	return { count: () => rounds, end: () => clearImmediate(next) };
}

/** In which round each of five answers of this size is read that arrive at once. */
async function roundsOf(bytes: number): Promise<number[]> {
	const { count, end } = countRounds();
	const answers = Array.from({ length: 5 }, () => Buffer.alloc(bytes));
	const rounds = answers.map(async (answer) => await inReadingTurn(answer, count));
	try {
		return await Promise.all(rounds);
	} finally {
		end();
	}
}

it('large answers that arrive at once are read in rounds of the event loop of their own', async () => {
	expect(new Set(await roundsOf(2 ** 19)).size).toBe(5);
});
