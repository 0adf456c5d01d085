/**
 * The payroll service that this package is developed and tested against: the identity provider,
 * SOAP services and REST API of docs/dev/interface.md on one origin, with its controls under /sandbox.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { close, listen } from '../listen.mts';
import { admit, expired } from './gate.mts';
import { Hold } from './hold.mts';
import { copyBody, delay, json, send } from './http.mts';
import type { Reply } from './http.mts';
import { createIdentity } from './identity.mts';
import type { Identity } from './identity.mts';
import { Journal } from './journal.mts';
import type { RequestEntry } from './journal.mts';
import { listPage } from './lists.mts';
import { checkedModes, settings } from './options.mts';
import type { Connection, Modes, SandboxOptions } from './options.mts';
import { services } from './schemas.mts';
import { handleSoap } from './soap.mts';
import { sampleState } from './state.mts';
import type { State } from './state.mts';
import { SchemaValidator } from './validator.mts';

/** What the parts of a running sandbox share. */
export interface Parts {
	readonly connection: Connection;
	readonly modes: Modes;
	readonly journal: Journal;
	readonly validator: SchemaValidator;
	readonly identity: Identity;
	/** The sample data, with what was written since the last reset. */
	state: State;
	/** Takes the time that a call takes. */
	pace(): Promise<void>;
}

/** What a control does with the body of its request; what it gives is the answer. */
type Controls = Readonly<Record<string, (body: string) => unknown>>;

/** Takes start options; gives a running sandbox on 127.0.0.1: how to connect to it, and how to end it. */
export async function startSandbox(
	options: SandboxOptions = {},
): Promise<{ connection: Connection; close(): Promise<void> }> {
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
	const samples = () => sampleState(modes.employees, connection.namespace);
	const parts: Parts = {
		...{ connection, modes, journal, validator, identity },
		state: samples(),
		async pace() {
			await hold.pass(modes.holdUntilOpen);
			await delay(modes.latencyMs);
		},
	};
	// Each is documented in client.mts.
	const controls: Controls = {
		'GET requests': () => journal.requests,
		'GET stats': () => journal.stats,
		'POST reset'() {
			journal.reset();
			hold.reset();
			parts.state = samples();
		},
		'POST configure'(body) {
			const { employees } = modes;
			Object.assign(modes, checkedModes(JSON.parse(body)));
			if (modes.employees !== employees) parts.state = samples();
		},
		'POST expire-access-tokens': () => identity.expireAccessTokens(),
		...Object.fromEntries(
			services.map((service) => [
				`POST validate/${service}`,
				async (xml: string) => await validator.validate(service, xml),
			]),
		),
	};
	server.on('request', (req, res) => {
		route(req, res, parts, controls).catch((error: unknown) => {
			// A client that goes away in the middle is no fault of the sandbox.
			if (res.destroyed) return;
			console.error(error);
			if (res.headersSent) res.destroy();
			else send(res, json(500, { statusCode: 500, message: String(error) }));
		});
	});
	return {
		connection,
		async close() {
			hold.reset();
			await close(server);
			await validator.close();
		},
	};
}

const soapPaths = new Map(services.map((service) => [`/soap/v3/${service}.asmx`, service]));

async function route(
	req: IncomingMessage,
	res: ServerResponse,
	parts: Parts,
	controls: Controls,
): Promise<void> {
	const { journal, identity } = parts;
	const { pathname } = new URL(req.url ?? '/', parts.connection.url);
	if (pathname.startsWith('/sandbox/')) {
		const act = controls[`${req.method} ${pathname.slice('/sandbox/'.length)}`];
		send(res, await control(act, await text(req)));
		return;
	}
	const entry = journal.enter(req, res);
	if (pathname.startsWith('/soap/') || pathname.startsWith('/api/')) {
		journal.open(res);
		entry.body = String(await buffer(req));
		send(res, await business(req, entry, pathname, parts));
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
	parts: Parts,
): Promise<Reply> {
	const service = soapPaths.get(pathname);
	if (service) return await handleSoap(req, entry, service, parts);
	if (pathname.startsWith('/api/')) parts.journal.stats.restCalls += 1;
	await parts.pace();
	const refusal = await admit(req, parts);
	if (refusal) return refusal === 'expired' ? expired() : refusal;
	if (req.method !== 'GET') return json(405, { statusCode: 405, message: 'Method not allowed.' });
	const page = listPage(new URL(req.url ?? '/', parts.connection.url), parts.state, parts.modes);
	return page ?? json(404, { statusCode: 404, message: 'Resource not found' });
}

/** The sandbox's own methods over HTTP, for clients in another process. */
async function control(act: Controls[string] | undefined, body: string): Promise<Reply> {
	if (act === undefined) return json(404, { message: 'The sandbox has no such control' });
	try {
		return json(200, (await act(body)) ?? {});
	} catch (error) {
		return json(400, { message: error instanceof Error ? error.message : String(error) });
	}
}
