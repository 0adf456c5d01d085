/** Runs a function as a node on n8n's engine, for tests that need a node's context but no form. */
import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { chain, startWorkflow } from '../engine/index.mts';
import { CREDENTIAL_TYPE, type Payroll } from './payroll.mts';

/** A function that runs in a node. */
export interface Work<T> {
	/** Stops the run as n8n's stop button does. */
	cancel(): void;
	/** Resolves or rejects as the function does. */
	readonly done: Promise<T>;
}

/** Starts a function in a node that uses the credential, if one is given, on input items. */
export function startInNode<T>(
	payroll: Payroll,
	credential: string | undefined,
	work: (context: IExecuteFunctions) => Promise<T>,
	input: IDataObject[] = [{}],
): Work<T> {
	// Under the name of a node of the package, since only those may use the credential.
	const { credentials, ...bare } = payroll.node('payrollEmployee', credential ?? '', {});
	const draft = { ...bare, ...(credential !== undefined && { credentials }) };
	let outcome: Promise<T> | undefined;
	const type: INodeType = {
		description: {
			name: draft.type,
			displayName: draft.name,
			description: draft.name,
			group: ['transform'],
			version: 1,
			defaults: { name: draft.name },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: CREDENTIAL_TYPE }],
			properties: [],
		},
		async execute() {
			outcome = work(this);
			await outcome.catch(() => undefined);
			return [[]];
		},
	};
	const { cancel, done } = startWorkflow({
		...chain(input, draft),
		host: { nodeTypes: payroll.host.nodeTypes.with(draft.type, type) },
		credentials: payroll.credentials,
	});
	return {
		cancel,
		done: done.then(({ error }) => {
			if (outcome === undefined) throw error ?? new Error('The node was not run');
			return outcome;
		}),
	};
}

/** Runs a function in a node that uses the credential; returns or throws what the function does. */
export async function inNode<T>(
	payroll: Payroll,
	credential: string | undefined,
	work: (context: IExecuteFunctions) => Promise<T>,
	input?: IDataObject[],
): Promise<T> {
	return await startInNode(payroll, credential, work, input).done;
}
