/**
 * The payroll service that this package is developed and tested against: the identity provider,
 * SOAP services and REST API of docs/dev/interface.md on one origin, with its controls under /sandbox.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { close, listen } from '../listen.mts';
import { admit, unauthorized, verify } from './gate.mts';
import { Hold } from './hold.mts';
import { hourCodes } from './hour-codes.mts';
import { copyBody, delay, json, send } from './http.mts';
import type { Reply } from './http.mts';
import { createIdentity } from './identity.mts';
import type { Identity } from './identity.mts';
import { Journal } from './journal.mts';
import type { RequestEntry, Stats } from './journal.mts';
import { otherLists } from './lists.mts';
import { checkedModes, settings } from './options.mts';
import type { Connection, Modes, SandboxOptions } from './options.mts';
import { services } from './schemas.mts';
import type { Service } from './schemas.mts';
import { handleSoap } from './soap.mts';
import { sampleState } from './state.mts';
import { SchemaValidator } from './validator.mts';

export interface Sandbox {
	connection: Connection;
	/** Every request since the last reset, in order of arrival. */
	requests(): readonly RequestEntry[];
	stats(): Readonly<Stats>;
	/** Forgets requests and counts, and restores the sample data; modes and tokens stay. */
	reset(): void;
	/** Changes modes from now on; throws if one has no such name or no such value. */
	configure(changes: Partial<Modes>): void;
	/** Treats every access token issued up to now as expired. */
	expireAccessTokens(): void;
	/** Checks a document of a service against the schemas; gives what is wrong with it. */
	validate(service: Service, xml: string): Promise<string[]>;
	close(): Promise<void>;
}

/** Takes start options; gives a running sandbox on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port, modes, connection: details } = settings(options);
	// Longer than any client is busy with other things: one that wakes up late would else send its next
	// request on a connection just closed.
	const server = createServer({ keepAliveTimeout: 120_000 });
	const url = `http://127.0.0.1:${await listen(server, port)}`;
	const connection: Connection = { url, ...details };
	const journal = new Journal();
	const validator = new SchemaValidator(connection.namespace);
	const hold = new Hold();
	const identity = await createIdentity({ connection, modes, journal });
	let state = sampleState(modes.employees, connection.namespace);

	const sandbox: Sandbox = {
		connection,
		requests: () => journal.requests,
		stats: () => journal.stats,
		reset() {
			journal.reset();
			hold.reset();
			state = sampleState(modes.employees, connection.namespace);
		},
		configure(changes) {
			const { employees } = modes;
			Object.assign(modes, checkedModes(changes));
			if (modes.employees !== employees) state = sampleState(modes.employees, connection.namespace);
		},
		expireAccessTokens: () => identity.expireAccessTokens(),
		validate: async (service, xml) => await validator.validate(service, xml),
		async close() {
			hold.reset();
			await close(server);
			await validator.close();
		},
	};
	const deps: Deps = {
		...{ sandbox, identity, journal, validator, modes },
		state: () => state,
		async pace() {
			await hold.pass(modes.holdUntilOpen);
			await delay(modes.latencyMs);
		},
	};
	server.on('request', (req, res) => {
		route(req, res, deps).catch((error: unknown) => {
			// A client that goes away in the middle is no fault of the sandbox.
			if (res.destroyed) return;
			console.error(error);
			if (res.headersSent) res.destroy();
			else send(res, json(500, { statusCode: 500, message: String(error) }));
		});
	});
	return sandbox;
}

interface Deps {
	sandbox: Sandbox;
	identity: Identity;
	journal: Journal;
	validator: SchemaValidator;
	modes: Readonly<Modes>;
	state(): ReturnType<typeof sampleState>;
	pace(): Promise<void>;
}

const soapPaths = new Map(services.map((service) => [`/soap/v3/${service}.asmx`, service]));

async function route(req: IncomingMessage, res: ServerResponse, deps: Deps): Promise<void> {
	const { journal, identity } = deps;
	const { pathname } = new URL(req.url ?? '/', deps.sandbox.connection.url);
	if (pathname.startsWith('/sandbox/')) {
		send(res, await control(req, pathname.slice('/sandbox/'.length), deps.sandbox));
		return;
	}
	const entry = journal.enter(req, res);
	if (pathname.startsWith('/soap/') || pathname.startsWith('/api/')) {
		const open = journal.open(res);
		entry.body = String(await buffer(req));
		if (open > (deps.modes.mostOpen ?? Infinity)) {
			journal.stats.refused += 1;
			send(res, json(429, { statusCode: 429, message: 'Too many calls at the same time.' }));
			return;
		}
		send(res, await business(req, entry, pathname, deps));
		return;
	}
	const body = copyBody(req);
	await identity.handle(req, res);
	entry.body = body();
}

async function business(
	req: IncomingMessage,
	entry: RequestEntry,
	pathname: string,
	deps: Deps,
): Promise<Reply> {
	const { identity, journal, modes, sandbox, validator } = deps;
	const { connection } = sandbox;
	const expired = unauthorized('The access token is expired.');
	const gate = async () => await admit(req, { connection, identity });
	const service = soapPaths.get(pathname);
	if (service) {
		return await handleSoap(req, entry, service, {
			...{ connection, modes, journal, validator },
			state: deps.state,
			pace: deps.pace,
			verify: async () => await verify(req, identity),
			admit: async () => {
				const refusal = await gate();
				return refusal === 'expired' && modes.expiryAs === 'status' ? expired : refusal;
			},
		});
	}
	if (pathname.startsWith('/api/')) journal.stats.restCalls += 1;
	await deps.pace();
	const refusal = await gate();
	if (refusal) return refusal === 'expired' ? expired : refusal;
	if (req.method !== 'GET') return json(405, { statusCode: 405, message: 'Method not allowed.' });
	const asked = [new URL(req.url ?? '/', connection.url), deps.state(), modes] as const;
	const page = hourCodes(...asked) ?? otherLists(...asked);
	return page ?? json(404, { statusCode: 404, message: 'Resource not found' });
}

/** The sandbox's own methods over HTTP, for clients in another process. */
async function control(req: IncomingMessage, name: string, sandbox: Sandbox): Promise<Reply> {
	switch (`${req.method} ${name}`) {
		case 'GET requests':
			return json(200, sandbox.requests());
		case 'GET stats':
			return json(200, sandbox.stats());
		case 'POST reset':
			sandbox.reset();
			return json(200, {});
		case 'POST configure':
			try {
				sandbox.configure(JSON.parse(await text(req)) as Partial<Modes>);
				return json(200, {});
			} catch (error) {
				return json(400, { message: error instanceof Error ? error.message : String(error) });
			}
		case 'POST expire-access-tokens':
			sandbox.expireAccessTokens();
			return json(200, {});
		default: {
			const service = services.find(
				(known) => `POST validate/${known}` === `${req.method} ${name}`,
			);
			if (service) return json(200, await sandbox.validate(service, await text(req)));
			return json(404, { message: `The sandbox cannot ${req.method} ${name}` });
		}
	}
}
