/** Executions that run a node again: by Retry On Fail, or by n8n's retry of a failed one. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chain, type NodeDraft, type RunOptions } from '../../../dev/engine/index.mts';
import { createAddress } from '../../../dev/package/calls.mts';
import { employeeIn } from '../../support/file-service.mts';
import { forwarding } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';

export const UNKNOWN_EMPLOYEE = 4711;
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

export const employees = (...ids: number[]): IDataObject[] => ids.map((id) => ({ id }));

const isWrite = (body: string) => /<\w+_(?:Insert|Update) /.test(body);

/** The sandbox, behind a proxy that loses answers. */
export function useReruns() {
	const { sandbox, payroll } = useSandbox();
	const proxy = useScriptedServer();
	const credential = useCredential(payroll, sandbox, () => ({ soapUrl: proxy.url }));
	/** Employees whose writes are executed, but whose answers are lost. Nor can they be read from then on. */
	const lost = new Set<number>();
	const unreadable = new Set<number>();

	beforeEach(() => {
		lost.clear();
		unreadable.clear();
		proxy.play(
			forwarding(sandbox.url, ({ body }) => {
				const id = employeeIn(body);
				if (isWrite(body) && lost.has(id)) unreadable.add(id);
				return isWrite(body) ? lost.has(id) : unreadable.has(id);
			}),
		);
	});

	const create = (parameters: INodeParameters = {}, more: Partial<NodeDraft> = {}): NodeDraft =>
		credential.employee({ ...createAddress, ...parameters }, more);
	const options = (input: IDataObject[], node: NodeDraft): RunOptions =>
		payroll.workflow(chain(input, node));
	/** How many writes reached the service. */
	const sent = (): number => proxy.received.filter(({ body }) => isWrite(body)).length;

	return { sandbox, payroll, credential, lost, unreadable, create, options, sent };
}
