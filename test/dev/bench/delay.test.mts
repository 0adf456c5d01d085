import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { openDelayingProxy, type DelayingProxy } from '../../../bench/service/delay.mts';
import { listen } from '../../../dev/listen.mts';

const ROUND_TRIP_MS = 40;

let server: Server;
let proxy: DelayingProxy;

/** Starts a server, and a proxy in front of it. */
async function start(serve: (socket: Socket) => void): Promise<void> {
	server = createServer({ allowHalfOpen: true }, serve);
	proxy = await openDelayingProxy(await listen(server), ROUND_TRIP_MS);
}

const client = (): Socket => connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });

/** Answers each message with a message. */
const echo = (socket: Socket): void => void socket.pipe(socket);

async function answerTo(socket: Socket, message: string): Promise<string> {
	socket.write(message);
	const [answer] = (await once(socket, 'data')) as [Buffer];
	return answer.toString();
}

/** Everything up to the end of the other side; the socket can still send. */
async function receive(socket: Socket): Promise<string> {
	const chunks: Buffer[] = [];
	await once(
		socket.on('data', (chunk: Buffer) => chunks.push(chunk)),
		'end',
	);
	return Buffer.concat(chunks).toString();
}

afterEach(async () => {
	await proxy.close();
	server.close();
});

it('passes everything on in order in both directions, and each end by itself', async () => {
	const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n');
	let received: Promise<string> | undefined;
	await start((socket) => {
		received = receive(socket);
		void received.then(() => socket.end(long));
	});
	const socket = client();
	for (let index = 0; index < 100; index += 1) socket.write(`${index},`);
	socket.end();
	expect((await receive(socket)) === long).toBe(true);
	expect(await received).toBe(Array.from({ length: 100 }, (_, index) => `${index},`).join(''));
});

it('takes a round trip to connect, and half of one in each direction', async () => {
	let arrived = 0;
	await start((socket) => {
		socket.on('data', () => (arrived = performance.now()));
		echo(socket);
	});
	const socket = client();
	const times = [performance.now()];
	for (const message of ['first', 'second']) {
		expect(await answerTo(socket, message)).toBe(message);
		times.push(arrived, performance.now());
	}
	const [opened = 0, first = 0, answered = 0, second = 0, end = 0] = times;
	expect(first - opened).toBeGreaterThanOrEqual(1.5 * ROUND_TRIP_MS);
	expect(answered - first).toBeGreaterThanOrEqual(0.5 * ROUND_TRIP_MS);
	expect(second - answered).toBeGreaterThanOrEqual(0.5 * ROUND_TRIP_MS);
	expect(end - second).toBeGreaterThanOrEqual(0.5 * ROUND_TRIP_MS);
});

it('counts connections and round trips until it is told to forget them', async () => {
	await start(echo);
	const [first, second] = [client(), client()];
	for (const message of ['a', 'b', 'c']) await answerTo(first, message);
	await answerTo(second, 'd');
	expect(proxy.traffic()).toEqual({ connections: 2, roundTrips: 6 });
	proxy.forget();
	await answerTo(second, 'e');
	expect(proxy.traffic()).toEqual({ connections: 0, roundTrips: 1 });
});

it('passes a reset on', async () => {
	await start((socket) => void socket.once('data', () => socket.resetAndDestroy()));
	const socket = client();
	socket.write('hello');
	await expect(once(socket, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
});
