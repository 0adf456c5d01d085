/** A proxy of the payroll service that refuses calls, or forwards them and keeps back their answers. */
import type { Stage } from '../../../dev/n8n/stage.mts';
import { forward, type ForwardedRequest } from '../../support/forward.mts';
import { useScriptedServer } from '../../support/setUp.mts';
import { faultAnswer, XML } from '../../support/soap.mts';

const domainElement = /(<(?:\w+:)?Domain>)([^<]*)(?=<)/;

/** What a front does with the calls for some employees, and what came of all calls. */
export class Front {
	/** Employees whose calls the service refuses, for now. */
	readonly locked = new Set<number>();
	/** Employees whose calls are executed, and whose connections break before the answer. */
	readonly lost = new Set<number>();
	/** Employees whose calls are executed, and never answered. */
	readonly held = new Set<number>();
	/** Employees with a call that waits for its answer in vain. */
	readonly holding = new Set<number>();
	/** The addresses that were inserted, in order. */
	inserted: Array<{ domain: string; employee: number }> = [];
	/** The requests that inserted them. */
	readonly inserting: ForwardedRequest[] = [];
	/** How many calls have arrived. */
	calls = 0;

	/** Lifts every lock, loses and holds no more answers, forgets what was inserted. */
	reset(): void {
		for (const set of [this.locked, this.lost, this.held, this.holding]) set.clear();
		this.inserted = [];
		this.calls = 0;
	}
}

/** Puts a front between the n8n of a stage and its sandbox, which has one Domain; every Domain is let in. */
export function useFront(stage: Pick<Stage, 'api' | 'credential' | 'sandbox'>): Front {
	const front = new Front();
	const server = useScriptedServer();
	beforeAll(async () => {
		const { api, credential, sandbox } = stage;
		server.play(async (response, _, request) => {
			front.calls += 1;
			const employee = Number(/EmployeeId>(\d+)</.exec(request.body)?.[1]);
			const domain = domainElement.exec(request.body)?.[2] ?? '';
			if (front.locked.has(employee)) {
				response.writeHead(500, { 'Content-Type': XML });
				return void response.end(faultAnswer(`Employee ${employee} is locked.`, 'Client'));
			}
			const body = request.body.replace(domainElement, `$1${sandbox.domain}`);
			const passedOn = { ...request, body };
			const answer = await forward(sandbox.url, passedOn);
			if (answer.status === 200 && body.includes('Address_Insert')) {
				front.inserted.push({ domain, employee });
				front.inserting.push(passedOn);
			}
			if (front.held.has(employee)) return void front.holding.add(employee);
			if (front.lost.has(employee)) return void response.destroy();
			response.writeHead(answer.status, answer.headers).end(answer.body);
		});
		await api.updateCredential(credential, { soapUrl: server.url });
	});
	return front;
}
