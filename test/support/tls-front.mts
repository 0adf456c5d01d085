/** A TLS server in front of a service of this machine, with a certificate authority of its own. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import { createServer, type SecureVersion, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { listen } from '../../dev/listen.mts';

/** What is wrong with a front. */
export interface TlsFault {
	/** The only version of TLS that it speaks. */
	readonly version?: SecureVersion;
	/** What happens as soon as the service has answered a request. */
	readonly onAnswer?: 'corrupt record' | 'alert';
}

/** A TLS server on 127.0.0.1. */
export interface TlsFront {
	readonly port: number;
	/** What a client has to trust, in PEM: the server's certificate is its own authority. */
	readonly certificate: string;
	/** Closes all connections. */
	close(): Promise<void>;
}

/** A record of application data that no key fits. */
const UNREADABLE_RECORD = Buffer.concat([Buffer.from([0x17, 3, 3, 0, 32]), Buffer.alloc(32, 7)]);

const DAY_MS = 86_400_000;

async function certificateFor(hosts: readonly string[]) {
	const altNames = hosts.map((host) =>
		/^[\d.]+$/.test(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host },
	);
	// A client finds an authority by its name.
	return await generate([{ name: 'commonName', value: `Payroll ${randomUUID()}` }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [{ name: 'subjectAltName', altNames }],
		notBeforeDate: new Date(0),
		notAfterDate: new Date(Date.now() + DAY_MS),
	});
}

/** A byte of the content of a record, behind its header. */
const INSIDE = 20;

/** Passes connections on, and can damage what passes. */
class Relay {
	readonly server: Server;
	readonly sockets: Socket[] = [];
	#target: Socket | undefined;
	#isCorrupting = false;

	constructor(port: number) {
		this.server = createTcpServer((client) => {
			const target = connect(port, '127.0.0.1');
			this.#target = target;
			this.sockets.push(client, target);
			const answers = new Transform({
				transform: (chunk: Buffer, _, done) => {
					if (this.#isCorrupting) chunk.fill((chunk[INSIDE] ?? 0) ^ 1, INSIDE, INSIDE + 1);
					done(null, chunk);
				},
			});
			pipeline(client, target, () => undefined);
			pipeline(target, answers, client, () => undefined);
		});
	}

	/** Damages what the server sends from now on, or has it refuse the latest connection with an alert. */
	damage(fault: TlsFault['onAnswer']): void {
		if (fault === 'corrupt record') this.#isCorrupting = true;
		if (fault === 'alert') this.#target?.write(UNREADABLE_RECORD);
	}
}

/**
 * Starts a TLS server that passes connections on to a service.
 *
 * @param origin the service, on 127.0.0.1
 * @param hosts names or IPv4 addresses that the certificate is for
 */
export async function openTlsFront(
	origin: string,
	hosts: readonly string[],
	{ version, onAnswer }: TlsFault = {},
): Promise<TlsFront> {
	const { private: key, cert } = await certificateFor(hosts);
	const pass = (secure: TLSSocket): void => {
		const plain = connect(Number(new URL(origin).port), '127.0.0.1');
		relay.sockets.push(plain, secure);
		plain.once('data', () => relay.damage(onAnswer));
		// A side that breaks off ends the other one as well.
		pipeline(secure, plain, () => undefined);
		// An alert takes the place of the answer.
		if (onAnswer !== 'alert') pipeline(plain, secure, () => undefined);
	};
	const versions = version && { minVersion: version, maxVersion: version };
	const server = createServer({ key, cert, ...versions }, pass);
	// A client that does not trust the certificate ends the handshake.
	server.on('tlsClientError', () => undefined);
	const relay = new Relay(await listen(server));
	return {
		port: await listen(relay.server),
		certificate: cert,
		async close() {
			const closed = [server, relay.server].map(async (one) => await once(one, 'close'));
			for (const one of [server, relay.server]) one.close();
			for (const socket of relay.sockets) socket.destroy();
			await Promise.all(closed);
		},
	};
}
