/** What cells run on: the package on n8n's engine, the sandbox, and the faulty server between them. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { chain, collect, connect, runWorkflow, type Result } from '../../dev/engine/index.mts';
import { launchSandbox, type SandboxClient } from '../../dev/sandbox/client.mts';
import { connect as grant, type Tokens } from '../../dev/sandbox/oauth.mts';
import { credentialData, Payroll } from '../../dev/package/payroll.mts';
import type { Fault } from './fault.mts';
import { CELL_HEADER, FaultServer, type Cell } from './server.mts';
import type { Target } from './targets.mts';

/** What came out of a cell's run. */
export interface Run {
	readonly cell: Cell;
	readonly result: Result;
	/** The items of the node's outputs: its own, and those that failed where the run goes on. */
	readonly items: IDataObject[];
	/** The run as n8n's database would hold it, or why it cannot be stored. */
	readonly stored: { readonly text: string; readonly error: string };
	/** How often the client sent the request, as Node's HTTP client counts it. */
	readonly sent: number;
}

function store(result: Result): Run['stored'] {
	try {
		return { text: JSON.stringify(result.run.data), error: '' };
	} catch (error) {
		return { text: '', error: String(error) };
	}
}

/** A running bench. */
export class Bench {
	private readonly sent = new Map<string, number>();
	private readonly count = (message: unknown): void => {
		const { path } = (message as { request: { path: string } }).request;
		const [, cell = ''] = /^\/(cell-\d+)\//.exec(path) ?? [];
		if (cell === '' || path.endsWith('/connect/token')) return;
		this.sent.set(cell, (this.sent.get(cell) ?? 0) + 1);
	};

	private constructor(
		readonly sandbox: SandboxClient,
		readonly server: FaultServer,
		readonly payroll: Payroll,
	) {
		// Also counts requests that never reach any server.
		subscribe('http.client.request.start', this.count);
	}

	/** Starts the sandbox and the faulty server, and loads the package. */
	static async start(): Promise<Bench> {
		const [sandbox, payroll] = await Promise.all([
			// The page names its number of records, so that the list is read with one call.
			launchSandbox({
				...{ hourCodeBody: 'metadata', schemaValidation: true },
				// Cells that update one employee at the same time add to the list.
				costCenterUpdate: 'change',
			}),
			Payroll.load(),
		]);
		return new Bench(sandbox, await FaultServer.start(sandbox.url), payroll);
	}

	/** Ends everything that `start` began. */
	async close(): Promise<void> {
		unsubscribe('http.client.request.start', this.count);
		await this.server.close();
		await this.sandbox.stop();
	}

	/** Connects an account; gives its tokens. */
	async grant(): Promise<Tokens> {
		const tokens = await grant(this.sandbox);
		this.server.issued.add(tokens.access_token).add(tokens.refresh_token ?? '');
		return tokens;
	}

	/** Connects accounts whose access tokens have expired. */
	async expiredGrants(count: number): Promise<Tokens[]> {
		await this.sandbox.configure({ accessTokenSeconds: 1 });
		const tokens: Tokens[] = [];
		for (let index = 0; index < count; index += 1) tokens.push(await this.grant());
		await this.sandbox.configure({ accessTokenSeconds: 3600 });
		await sleep(1500);
		return tokens;
	}

	/** Runs a target under a fault, with a credential of its own. */
	async run(fault: Fault, target: Target, tokens: Tokens): Promise<Run> {
		const { payroll, sandbox, server } = this;
		const cell = server.open(fault, target);
		if (fault.renewal === 'rejected') cell.rejected.add(tokens.access_token);
		const credential = await payroll.store(
			credentialData(sandbox, {
				...cell.addresses(server.endpoints),
				soapVersion: target.soapVersion,
				oauthTokenData: { ...tokens },
				...fault.credential?.(server.endpoints, tokens),
			} as ICredentialDataDecryptedObject),
		);
		const parameters = {
			...target.parameters(cell.name),
			...(fault.options && { options: fault.options }),
		};
		const { onError } = target;
		const node = payroll.node(target.node, credential, parameters, { onError });
		let drawing = chain([target.input], node, collect('Good'));
		if (onError === 'continueErrorOutput') {
			drawing = connect(drawing, 'Payroll', collect('Bad'), 1);
		}
		const { host, credentials } = payroll;
		const options = { ...drawing, host, credentials };
		const result = await runWorkflow(options);
		const items = [...result.json('Good'), ...result.json('Bad')];
		return { cell, result, items, stored: store(result), sent: this.sent.get(cell.name) ?? 0 };
	}

	/** How often the sandbox executed the operation of each cell, by its own journal. */
	async executed(): Promise<Map<string, number>> {
		const counts = new Map<string, number>();
		for (const { headers, path, status } of await this.sandbox.requests()) {
			const cell = headers[CELL_HEADER];
			if (cell === undefined || path === '/connect/token' || status !== 200) continue;
			counts.set(cell, (counts.get(cell) ?? 0) + 1);
		}
		return counts;
	}
}
