import { type ICredentialDataDecryptedObject, sleep } from 'n8n-workflow';
import { Pace } from '../../../nodes/shared/exchange/pace.ts';
import { startInNode, type Work } from '../../../dev/package/node-context.mts';
import { connectedTo } from '../../support/credential.mts';
import { requestTo } from '../../support/exchange.mts';
import { exchangeIn } from '../../support/host.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';

const server = useScriptedServer();
const payroll = usePackage();
let credential: string;
beforeEach(async () => (credential = await connect()));

async function connect(changes: ICredentialDataDecryptedObject = {}): Promise<string> {
	return await payroll.store(connectedTo(server.url, changes));
}

/** Starts a write to a path; its value is the status of the answer. */
function start(path: string, of = credential): Work<number> {
	return startInNode(payroll, of, async (context) => {
		const exchange = await exchangeIn(context, server.url);
		const request = requestTo(`${server.url}/${path}`, { effect: 'write' });
		return await exchange(request, ({ status }) => ({ value: status }));
	});
}

const paths = () => server.received.map(({ path }) => path);
const at = (path: string, index = 0) =>
	server.received.filter((request) => request.path === path)[index]?.at ?? Number.NaN;

/** Answers the first request with a status and Retry-After, all others with 200; resolves after the first. */
function askOnce(status: number, retryAfter: string): Promise<void> {
	return new Promise((asked) => {
		server.play((response, index) => {
			if (index > 0) return void response.end();
			response.writeHead(status, { 'Retry-After': retryAfter }).end();
			response.on('close', asked);
		});
	});
}

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
		const asked = askOnce(status, '10');
		const first = start('asking');
		await asked;
		const other = await connect();
		// The answer has to be read first.
		await sleep(500);
		const later = [start('later'), start('later')];
		expect(await start('other', other).done).toBe(200);
		expect(await Promise.all([first, ...later].map(async ({ done }) => await done))).toEqual(
			Array(3).fill(200),
		);
		expect(paths().slice(0, 2)).toEqual(['/asking', '/other']);
		for (const index of [0, 1]) expect(at('/later', index) - at('/asking')).toBeGreaterThan(9980);
	});

	it.each([
		['too long to wait', 429, '61'],
		['in words', 503, 'soon'],
	])('%s delays no other call', async (_, status, retryAfter) => {
		const pace = new Pace();
		pace.applyRetryAfter(asking(status, retryAfter));
		await atOnce(pace.turn(undefined, undefined));
	});
});

describe('a credential with Requests per Second', () => {
	it('waits for a pause, too, and keeps its pace after that', async () => {
		const pace = new Pace();
		pace.applyRetryAfter(asking(429, '5'));
		const begun = performance.now();
		await pace.turn(undefined, 5);
		const first = performance.now();
		await pace.turn(undefined, 5);
		expect(first - begun).toBeGreaterThanOrEqual(4900);
		expect(performance.now() - first).toBeGreaterThanOrEqual(100);
	});
});

it('a credential without Requests per Second waits for nothing but a pause', async () => {
	const pace = new Pace();
	await atOnce(pace.turn(undefined, undefined));
	pace.applyRetryAfter(asking(503, '0'));
	await pace.turn(undefined, undefined);
	await atOnce(pace.turn(undefined, undefined));
});
