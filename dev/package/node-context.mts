/** Runs a function as a node on n8n's engine, for tests that need a node's context but no form. */
import type { IDataObject, IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { chain, startWorkflow, type Drawing } from '../engine/index.mts';
import { describe } from '../engine/describe.mts';
import { CREDENTIAL_TYPE, type Payroll } from './payroll.mts';

/** A function that runs in a node. */
export interface Work<T> {
	/** Stops the run as n8n's stop button does. */
	cancel(): void;
	/** Resolves or rejects as the function does. */
	readonly done: Promise<T>;
}

/** Starts a workflow in which a function runs as the node of this type. */
export function startAsNode<T>(
	{ host, credentials }: Payroll,
	type: string,
	description: INodeTypeDescription,
	drawing: Drawing,
	work: (context: IExecuteFunctions) => Promise<T>,
): Work<T> {
	let outcome: Promise<T> | undefined;
	const node: INodeType = {
		description,
		async execute() {
			outcome = work(this);
			await outcome.catch(() => undefined);
			return [[]];
		},
	};
	const nodeTypes = host.nodeTypes.with(type, node);
	const { cancel, done } = startWorkflow({ ...drawing, host: { nodeTypes }, credentials });
	return {
		cancel,
		done: done.then(({ error }) => {
			if (outcome === undefined) throw error ?? new Error('The node was not run');
			return outcome;
		}),
	};
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
	const description = describe(draft.type, draft.name, []);
	const using = { ...description, credentials: [{ name: CREDENTIAL_TYPE }] };
	return startAsNode(payroll, draft.type, using, chain(input, draft), work);
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
