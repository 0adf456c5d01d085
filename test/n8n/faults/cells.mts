/** Creates the workflows of the table of faults in a real n8n. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { connect as drawLine, sequence } from '../../../dev/drawing.mts';
import type { Answer } from '../../faults/message.mts';
import type { Fault } from '../../faults/fault.mts';
import type { FaultServer } from '../../faults/server.mts';
import type { Target } from '../../faults/targets.mts';
import { connect, type Tokens } from '../../../dev/sandbox/oauth.mts';
import { credentialData, CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import type { Stage } from '../../../dev/n8n/stage.mts';
import { manualTrigger, payrollNode, type NodeDraft } from '../../../dev/n8n/workflow.mts';
import { onErrorOf, type Plan } from './plans.mts';

/** n8n stores everything of an execution, also while it runs. */
const keepEverything = {
	saveExecutionProgress: true,
	saveManualExecutions: true,
	saveDataErrorExecution: 'all',
	saveDataSuccessExecution: 'all',
} as const;

/** One of the variants of a fault: the answer that is cut in the middle. */
function serviceOf(fault: Fault): Fault['service'] {
	const some: Answer = { status: 200, headers: {}, body: Buffer.alloc(1024) };
	const variants = fault.variants?.(some) ?? [];
	return variants[Math.floor(variants.length / 2)] ?? fault.service;
}

/** Whether a call under this fault renews its token, so that it needs tokens of its own. */
function renews({ identity, renewal, renewals }: Fault): boolean {
	return identity !== undefined || renewal !== undefined || renewals !== undefined;
}

/** The cells of the table: each node has a credential that leads to a fault. */
export class Cells {
	/** All tokens of the credentials. */
	readonly granted = new Set<string>();
	/** How many credentials were created. */
	count = 0;
	#shared: Tokens | undefined;
	readonly #expired: Tokens[] = [];

	constructor(
		private readonly stage: Stage,
		private readonly server: FaultServer,
	) {}

	/** Gets tokens that will have expired when these plans are run. */
	async prepare(plans: readonly Plan[]): Promise<void> {
		const { sandbox } = this.stage;
		const expiring = plans.filter(({ fault }) => fault.renewal === 'expired');
		await sandbox.configure({ accessTokenSeconds: 1 });
		const count = expiring.flatMap(({ targets }) => targets).length;
		while (this.#expired.length < count) this.#expired.push(await this.grant());
		await sandbox.configure({ accessTokenSeconds: 3600 });
	}

	/** Creates the workflow of a plan; gives its id. */
	async make(plan: Plan): Promise<string> {
		let drawing = sequence(manualTrigger);
		for (const target of plan.targets) {
			const input = inputOf(target);
			drawing = drawLine(drawing, manualTrigger.name, input);
			drawing = drawLine(drawing, input.name, await this.node(plan, target));
		}
		const draft = { name: plan.fault.name, ...drawing, settings: keepEverything };
		return await this.stage.api.createWorkflow(draft);
	}

	private async node(plan: Plan, target: Target): Promise<NodeDraft> {
		const { options, settings } = plan.fault;
		const id = await this.credential(plan.fault, target);
		return payrollNode(
			target.node,
			{ ...target.parameters, ...(options && { options }) },
			{
				name: target.name,
				onError: onErrorOf(plan, target),
				...settings,
				credentials: { [CREDENTIAL_TYPE]: { id, name: 'Payroll' } },
			},
		);
	}

	/** A credential whose addresses lead to a cell of its own; gives its id. */
	private async credential(fault: Fault, target: Target): Promise<string> {
		const { api, sandbox } = this.stage;
		const cell = this.server.open(fault, target, serviceOf(fault));
		const tokens = await this.tokens(fault, target);
		if (fault.renewal === 'rejected') cell.rejected.add(tokens.access_token);
		const data = credentialData(sandbox, {
			...cell.addresses(this.server.endpoints),
			soapVersion: target.soapVersion,
			oauthTokenData: { ...tokens },
			...fault.credential?.(this.server.endpoints, tokens),
		} as ICredentialDataDecryptedObject);
		this.count += 1;
		return await api.createCredential(CREDENTIAL_TYPE, data, cell.name);
	}

	private async tokens(fault: Fault, { kind }: Target): Promise<Tokens> {
		// Revoked tokens cannot be shared.
		if (kind === 'revoke') return await this.grant();
		if (!renews(fault)) return (this.#shared ??= await this.grant());
		if (fault.renewal !== 'expired') return await this.grant();
		const tokens = this.#expired.pop();
		if (tokens === undefined) throw new Error('No expired tokens are left');
		return tokens;
	}

	private async grant(): Promise<Tokens> {
		const tokens = await connect(this.stage.sandbox);
		if (tokens.refresh_token === undefined) throw new Error('The sandbox gave no refresh token');
		this.granted.add(tokens.access_token).add(tokens.refresh_token);
		return tokens;
	}
}

/** A node that gives a target its input item. */
function inputOf(target: Target): NodeDraft {
	return {
		name: `${target.name} (Input)`,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify(target.input), options: {} },
	};
}
