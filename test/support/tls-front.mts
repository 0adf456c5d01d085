/** A TLS server in front of a service of this machine, with a certificate authority of its own. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { listen } from '../../dev/listen.mts';

/** A TLS server on 127.0.0.1. */
export interface TlsFront {
	readonly port: number;
	/** What a client has to trust, in PEM: the server's certificate is its own authority. */
	readonly certificate: string;
	/** Closes all connections. */
	close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Starts a TLS server that passes connections on to a service on 127.0.0.1, with a certificate for these names. */
export async function openTlsFront(origin: string, hosts: readonly string[]): Promise<TlsFront> {
	const altNames = hosts.map((value) => ({ type: 2 as const, value }));
	// A client finds an authority by its name.
	const { private: key, cert } = await generate(
		[{ name: 'commonName', value: `Payroll ${randomUUID()}` }],
		{
			keyType: 'ec',
			algorithm: 'sha256',
			extensions: [{ name: 'subjectAltName', altNames }],
			notBeforeDate: new Date(0),
			notAfterDate: new Date(Date.now() + DAY_MS),
		},
	);
	const sockets: Socket[] = [];
	const server = createServer({ key, cert }, (secure) => {
		const plain = connect(Number(new URL(origin).port), '127.0.0.1');
		sockets.push(plain, secure);
		// A side that breaks off ends the other one as well.
		pipeline(secure, plain, secure, () => undefined);
	});
	// A client that does not trust the certificate ends the handshake.
	server.on('tlsClientError', () => undefined);
	return {
		port: await listen(server),
		certificate: cert,
		async close() {
			const closed = once(server, 'close');
			server.close();
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}
