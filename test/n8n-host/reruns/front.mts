/** Something in front of the payroll service that refuses calls, or carries them out and loses their answers. */
import type { SandboxClient } from '../../sandbox/client.mts';
import { scriptedServer } from '../../support/scripted.mts';

/** An address that was inserted at the service. */
export interface Inserted {
	readonly domain: string;
	readonly employee: number;
}

/** A running front. */
export interface Front {
	/** The address to give to n8n as that of the SOAP web services. */
	readonly url: string;
	/** Employees whose calls the service refuses, for now. */
	readonly locked: Set<number>;
	/** Employees whose calls are carried out, and whose answers are lost. */
	readonly lost: Set<number>;
	/** How many calls have arrived. */
	calls(): number;
	/** The addresses that were inserted, in order. */
	inserted(): Inserted[];
	/** Lifts every lock, finds every answer, forgets what was inserted. */
	reset(): void;
	close(): Promise<void>;
}

const domainElement = /(<(?:\w+:)?Domain>)([^<]*)(?=<)/;

function fault(text: string): string {
	return (
		'<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault>' +
		`<faultcode>soap:Client</faultcode><faultstring>${text}</faultstring>` +
		'</soap:Fault></soap:Body></soap:Envelope>'
	);
}

/** Starts a front of a sandbox. The sandbox has one Domain; this lets every Domain in. */
export async function startFront(sandbox: SandboxClient): Promise<Front> {
	const locked = new Set<number>();
	const lost = new Set<number>();
	let inserted: Inserted[] = [];
	let calls = 0;
	const server = await scriptedServer();
	server.play(async (response, _, { path, headers, body }) => {
		calls += 1;
		const employee = Number(/EmployeeId>(\d+)</.exec(body)?.[1]);
		const domain = domainElement.exec(body)?.[2] ?? '';
		const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
		if (locked.has(employee)) {
			return void response.writeHead(500, xml).end(fault(`Employee ${employee} is locked.`));
		}
		const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
		const answer = await fetch(`${sandbox.url}${path}`, {
			method: 'POST',
			headers: rest as Record<string, string>,
			body: body.replace(domainElement, `$1${sandbox.domain}`),
		});
		const text = await answer.text();
		if (answer.ok && body.includes('Address_Insert')) inserted.push({ domain, employee });
		if (lost.has(employee)) return void response.destroy();
		response.writeHead(answer.status, xml).end(text);
	});
	return {
		url: server.url,
		locked,
		lost,
		calls: () => calls,
		inserted: () => [...inserted],
		reset() {
			locked.clear();
			lost.clear();
			inserted = [];
			calls = 0;
		},
		close: async () => await server.close(),
	};
}
