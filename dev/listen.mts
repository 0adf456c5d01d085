/** Opens and closes servers of tests and programs on this machine. */
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * Makes a server listen on 127.0.0.1; returns its port.
 *
 * @param port a free one if not given
 * @throws {Error} if the server cannot listen there
 */
export async function listen(server: Server, port = 0): Promise<number> {
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

/** Closes a server and all of its connections, also those with an open request. */
export async function close(server: HttpServer): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}

/** Returns a port of 127.0.0.1 that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
	const server = createServer();
	const port = await listen(server);
	server.close();
	await once(server, 'close');
	return port;
}
