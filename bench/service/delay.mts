/** A proxy that puts a server of this machine at the far end of a network. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../dev/listen.mts';

/** What passed the proxy. */
export interface Traffic {
	readonly connections: number;
	/** How often clients waited for the server: once to connect, and once for each of its turns to send. */
	readonly roundTrips: number;
}

/** A proxy on 127.0.0.1. */
export interface DelayingProxy {
	readonly port: number;
	/** The traffic since the proxy was opened, or since the last call of `forget`. */
	traffic(): Traffic;
	forget(): void;
	/** Closes all connections. */
	close(): Promise<void>;
}

/** Runs actions in their order, each when it is due. */
class Timetable {
	#last: Promise<void> = Promise.resolve();

	/** @param due time as `performance.now()` gives it */
	add(due: number, action: () => void): void {
		this.#last = this.#last.then(async () => {
			// A timer may fire early: it counts from when the event loop last looked at the clock.
			for (let left; (left = due - performance.now()) > 0; ) await sleep(Math.ceil(left));
			action();
		});
	}
}

/** Passes on what one socket receives, its end or reset included, when `dueNow` says on arrival. */
function passOn(from: Socket, to: Socket, dueNow: () => number): void {
	const timetable = new Timetable();
	from.on('data', (chunk: Buffer) => timetable.add(dueNow(), () => to.write(chunk)));
	from.on('end', () => timetable.add(dueNow(), () => to.end()));
	from.on('error', () => timetable.add(dueNow(), () => to.resetAndDestroy()));
}

/**
 * Starts a proxy that passes TCP connections on. Each direction takes half a round trip, and opening
 * a connection takes a whole one; the throughput is not limited.
 *
 * @param port where the server listens on 127.0.0.1
 * @param roundTripMs milliseconds
 */
export async function openDelayingProxy(port: number, roundTripMs: number): Promise<DelayingProxy> {
	const none: Traffic = { connections: 0, roundTrips: 0 };
	let traffic = none;
	const add = ({ connections = 0, roundTrips = 0 }: Partial<Traffic>): void => {
		traffic = {
			connections: traffic.connections + connections,
			roundTrips: traffic.roundTrips + roundTrips,
		};
	};
	const open = new Set<Socket>();
	const track = (socket: Socket): void => {
		open.add(socket.on('close', () => open.delete(socket)));
	};
	// A side that has sent everything may still receive.
	const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
		// The client is connected at once, to the proxy. Over a network it would have to wait.
		const connected = performance.now() + roundTripMs;
		const target = connect({ allowHalfOpen: true, host: '127.0.0.1', noDelay: true, port });
		[client, target].forEach(track);
		add({ connections: 1, roundTrips: 1 });
		let isServersTurn = false;
		client.on('data', () => (isServersTurn = true));
		target.on('data', () => {
			if (isServersTurn) add({ roundTrips: 1 });
			isServersTurn = false;
		});
		const arrival = (): number => Math.max(performance.now(), connected) + roundTripMs / 2;
		passOn(client, target, arrival);
		passOn(target, client, arrival);
	});
	return {
		port: await listen(server),
		traffic: () => traffic,
		forget: () => void (traffic = none),
		async close() {
			const closed = once(server, 'close');
			server.close();
			for (const socket of open) socket.destroy();
			await closed;
		},
	};
}
