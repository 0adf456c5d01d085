/** A proxy of the payroll service that refuses calls, or forwards them and keeps back their answers. */
import type { SandboxClient } from '../../../dev/sandbox/client.mts';
import type { Stage } from '../../../dev/n8n/stage.mts';
import { forward } from '../../support/forward.mts';
import { Pending } from '../../support/setUp.mts';
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
	/** Employees whose calls are executed, and whose connections break before the answer. */
	readonly lost: Set<number>;
	/** Employees whose calls are executed, and never answered. */
	readonly held: Set<number>;
	/** How many calls have arrived. */
	calls(): number;
	/** The addresses that were inserted, in order. */
	inserted(): Inserted[];
	/** Whether a call about each of these employees waits for its answer in vain. */
	isHolding(...employees: number[]): boolean;
	/** Lifts every lock, loses and holds no more answers, forgets what was inserted. */
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
async function startFront(sandbox: SandboxClient): Promise<Front> {
	const locked = new Set<number>();
	const lost = new Set<number>();
	const held = new Set<number>();
	const holding = new Set<number>();
	let inserted: Inserted[] = [];
	let calls = 0;
	const server = await scriptedServer();
	server.play(async (response, _, request) => {
		const { body } = request;
		calls += 1;
		const employee = Number(/EmployeeId>(\d+)</.exec(body)?.[1]);
		const domain = domainElement.exec(body)?.[2] ?? '';
		if (locked.has(employee)) {
			response.writeHead(500, { 'Content-Type': 'text/xml; charset=utf-8' });
			return void response.end(fault(`Employee ${employee} is locked.`));
		}
		const answer = await forward(sandbox.url, {
			...request,
			body: body.replace(domainElement, `$1${sandbox.domain}`),
		});
		if (answer.status === 200 && body.includes('Address_Insert'))
			inserted.push({ domain, employee });
		if (held.has(employee)) return void holding.add(employee);
		if (lost.has(employee)) return void response.destroy();
		response.writeHead(answer.status, answer.headers).end(answer.body);
	});
	return {
		url: server.url,
		locked,
		lost,
		held,
		isHolding: (...employees) => employees.every((employee) => holding.has(employee)),
		calls: () => calls,
		inserted: () => [...inserted],
		reset() {
			for (const set of [locked, lost, held, holding]) set.clear();
			inserted = [];
			calls = 0;
		},
		close: async () => await server.close(),
	};
}

/** Puts a front between the n8n of a stage and its sandbox. */
export function useFront(stage: Stage): Front {
	const front = new Pending<Front>('front');
	let started: Front | undefined;
	beforeAll(async () => {
		front.is((started = await startFront(stage.sandbox)));
		await stage.api.updateCredential(stage.credential, { soapUrl: started.url });
	});
	afterAll(async () => await started?.close());
	return front.object;
}
