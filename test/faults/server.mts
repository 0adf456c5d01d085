/**
 * A faulty payroll service: a server in front of the sandbox that writes its answers as bytes. What
 * is good in its answers is the sandbox's own, so that it is known for each call whether it was
 * executed.
 */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { generate } from 'selfsigned';
import { listen } from '../../dev/listen.mts';
import { forward } from '../support/forward.mts';
import { bytesOf, readRequest, type Answer, type Request } from './message.mts';
import type { Fault } from './fault.mts';
import type { Target } from './targets.mts';

/** A call that arrived, and what can be done with it. */
export interface Call {
	readonly cell: Cell;
	readonly endpoints: Endpoints;
	/** With the path behind the cell's prefix. */
	readonly request: Request;
	/** How many calls of this cell arrived so far, this one included. */
	readonly attempt: number;
	readonly socket: Socket;
	/** Has the sandbox execute it; gives the sandbox's answer. */
	forward(): Promise<Answer>;
	/** Sends an answer whole and ends the connection. */
	send(answer: Answer): void;
}

/** Addresses at which something is wrong before any request is read. */
export interface Endpoints {
	/** Where nothing listens. */
	readonly closed: string;
	/** A host name that does not exist. */
	readonly nowhere: string;
	/** Resets every connection. */
	readonly resetting: string;
	/** Speaks TLS with a self-signed certificate. */
	readonly selfSigned: string;
	/** The https address of a server that speaks no TLS. */
	readonly noTls: string;
	/** Another origin, to which nothing may be sent. */
	readonly other: string;
}

/** One run of a target under a fault, with a base address of its own. */
export class Cell {
	/** Requests for an operation that arrived. */
	received = 0;
	/** Requests that arrived to read what a write changes, before or after it. */
	looks = 0;
	tokenRequests = 0;
	/** Access tokens that the service rejects, although the sandbox accepts them. */
	readonly rejected = new Set<string>();
	/** The last answer to a call for an operation; `undefined` if the last call was not answered whole. */
	answered: Answer | undefined;
	/** The sandbox's last answer to a call for an operation. */
	answer: Answer | undefined;

	constructor(
		readonly name: string,
		readonly fault: Fault,
		readonly target: Target,
		/** The base address for all three addresses of a credential. */
		readonly url: string,
	) {}

	/** The addresses of a credential, with the fault's own endpoint for the service. */
	addresses(endpoints: Endpoints): { identityUrl: string; restUrl: string; soapUrl: string } {
		const endpoint = this.fault.endpoint?.(endpoints);
		const service = endpoint === undefined ? this.url : `${endpoint}/${this.name}`;
		return { identityUrl: this.url, restUrl: service, soapUrl: service };
	}
}

/** The header that names the cell in the sandbox's journal. */
export const CELL_HEADER = 'x-cell';

/** Whether a request reads before a write, or looks for one in doubt. It is answered without a fault. */
function isLook({ target }: Cell, { body }: Request): boolean {
	return target.effect === 'write' && !body.includes(`<${target.operation} `);
}

/** A running faulty server. */
export class FaultServer {
	/** Requests that belong to no cell, and connections to the other origin. */
	readonly unexpected: string[] = [];
	/** Every access and refresh token that was handed out, real or made up. */
	readonly issued = new Set<string>();
	private readonly cells = new Map<string, Cell>();
	private readonly sockets = new Set<Socket>();
	private readonly servers: Server[] = [];
	readonly #sandbox: string;
	#url = '';
	#endpoints: Endpoints | undefined;

	private constructor(sandbox: string) {
		this.#sandbox = sandbox;
	}

	/** Starts the server in front of the sandbox at this address. */
	static async start(sandbox: string): Promise<FaultServer> {
		const server = new FaultServer(sandbox);
		await server.listen();
		return server;
	}

	/** A new run of a target under a fault. */
	open(fault: Fault, target: Target): Cell {
		const name = `cell-${this.cells.size + 1}`;
		const cell = new Cell(name, fault, target, `${this.#url}/${name}`);
		this.cells.set(name, cell);
		return cell;
	}

	/** The addresses of the servers that are wrong in other ways. */
	get endpoints(): Endpoints {
		if (this.#endpoints === undefined) throw new Error('The faulty server is not started');
		return this.#endpoints;
	}

	/** Ends the server and all connections. */
	async close(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await Promise.all(this.servers.map((server) => new Promise((closed) => server.close(closed))));
	}

	private async listen(): Promise<void> {
		const port = await this.start(createHttpServer((message) => void this.serve(message)));
		const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
			keyType: 'ec',
		});
		const secure = createTlsServer({ key, cert });
		const reset = createServer((socket) => void socket.resetAndDestroy());
		const other = createServer((socket) => {
			this.unexpected.push('a connection to the other origin');
			socket.destroy();
		});
		const closed = createServer();
		this.#url = `http://127.0.0.1:${port}`;
		this.#endpoints = {
			closed: `http://127.0.0.1:${await this.start(closed)}`,
			nowhere: 'https://nowhere.invalid',
			resetting: `http://127.0.0.1:${await this.start(reset)}`,
			selfSigned: `https://127.0.0.1:${await this.start(secure)}`,
			noTls: `https://127.0.0.1:${port}`,
			other: `http://127.0.0.1:${await this.start(other)}`,
		};
		await new Promise((done) => closed.close(done));
		this.servers.splice(this.servers.indexOf(closed), 1);
	}

	private async start(server: Server): Promise<number> {
		server.on('connection', (socket: Socket) => {
			this.sockets.add(socket);
			socket.on('error', () => socket.destroy());
			socket.on('close', () => this.sockets.delete(socket));
		});
		// A client that does not trust the certificate ends the handshake.
		server.on('tlsClientError', () => undefined);
		const port = await listen(server);
		this.servers.push(server);
		return port;
	}

	private async serve(message: IncomingMessage): Promise<void> {
		const { socket } = message;
		try {
			await this.handle(await readRequest(message), socket);
		} catch (error) {
			if (!socket.destroyed)
				this.unexpected.push(`an error of the faulty server: ${String(error)}`);
			socket.destroy();
		}
	}

	private async handle(request: Request, socket: Socket): Promise<void> {
		const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.path) ?? [];
		const cell = this.cells.get(name);
		if (cell === undefined) {
			this.unexpected.push(`${request.method} ${request.path}`);
			socket.destroy();
			return;
		}
		const isToken = path === '/connect/token';
		const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
		const isRejected = !isToken && cell.rejected.has(bearer);
		const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
		const rejection: Answer = { status: 401, headers, body: Buffer.alloc(0) };
		if (!isToken && isLook(cell, request)) {
			cell.looks += 1;
			socket.end(bytesOf(await this.passOn({ ...request, path })));
			return;
		}
		if (isToken) cell.tokenRequests += 1;
		else {
			cell.received += 1;
			cell.answered = undefined;
		}
		const call: Call = {
			cell,
			endpoints: this.endpoints,
			request: { ...request, path },
			attempt: isToken ? cell.tokenRequests : cell.received,
			socket,
			forward: async () => await this.forward(cell, { ...request, path }),
			send: (answer) => {
				if (isToken) this.note(answer);
				else cell.answered = answer;
				socket.end(bytesOf(answer));
			},
		};
		if (isRejected) {
			call.send(rejection);
			return;
		}
		const act = isToken ? cell.fault.identity : cell.fault.service;
		if (act === undefined) call.send(await call.forward());
		else await act(call);
	}

	/** Sends a request to the sandbox. */
	private async passOn(request: Request): Promise<Answer> {
		return await forward(this.#sandbox, { ...request, body: new Uint8Array(request.body) });
	}

	/** Forwards a call to the sandbox, whose journal names the cell. */
	private async forward(cell: Cell, request: Request): Promise<Answer> {
		const headers = { ...request.headers, [CELL_HEADER]: cell.name };
		const answer = await this.passOn({ ...request, headers });
		if (request.path === '/connect/token') this.note(answer);
		else cell.answer = answer;
		return answer;
	}

	private note({ body }: Answer): void {
		for (const [, token = ''] of String(body).matchAll(
			/"(?:access|refresh)_token"\s*:\s*"([^"]+)"/g,
		)) {
			this.issued.add(token);
		}
	}
}
