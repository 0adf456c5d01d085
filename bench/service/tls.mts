/** A service of this machine as a client meets it on the Internet: over TLS, and some way off. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { listen } from '../../dev/listen.mts';
import { openDelayingProxy, type Traffic } from './delay.mts';

/** What passed a {@link TlsFront}. */
export interface TlsTraffic extends Traffic {
	/** Connections that resumed an earlier TLS session. */
	readonly resumed: number;
}

/** A TLS server in front of a service. */
export interface TlsFront {
	/** Origin of the service. */
	readonly url: string;
	/** What a client has to trust, in PEM: the server's certificate is its own authority. */
	readonly certificate: string;
	/** The traffic since the front was opened, or since the last call of `forget`. */
	traffic(): TlsTraffic;
	forget(): void;
	/** Closes all connections. */
	close(): Promise<void>;
}

/**
 * Starts a TLS server that passes connections on to a service, behind a network.
 *
 * @param origin the service, on 127.0.0.1
 * @param roundTripMs milliseconds that a round trip between client and TLS server takes
 * @param hosts names that the certificate is for, besides 127.0.0.1
 */
export async function openTlsFront(
	origin: string,
	roundTripMs: number,
	hosts: readonly string[] = [],
): Promise<TlsFront> {
	const names = hosts.map((value) => ({ type: 2 as const, value }));
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'Payroll' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }, ...names] }],
	});
	let resumed = 0;
	const server = createServer({ key, cert, noDelay: true }, (secure) => {
		if (secure.isSessionReused()) resumed += 1;
		const plain = connect({ host: '127.0.0.1', noDelay: true, port: Number(new URL(origin).port) });
		// A side that breaks off ends the other one as well.
		pipeline(secure, plain, () => undefined);
		pipeline(plain, secure, () => undefined);
	});
	const proxy = await openDelayingProxy(await listen(server), roundTripMs);
	return {
		url: `https://127.0.0.1:${proxy.port}`,
		certificate: cert,
		traffic: () => ({ ...proxy.traffic(), resumed }),
		forget() {
			proxy.forget();
			resumed = 0;
		},
		async close() {
			const closed = once(server, 'close');
			server.close();
			await proxy.close();
			await closed;
		},
	};
}
