/** A service with files in its requests and answers, and nodes that call it. */
import type { INodeParameters } from 'n8n-workflow';
import { keepFilesIn, type NodeDraft } from '../../../dev/engine/index.mts';
import { callFromList } from '../../../dev/package/calls.mts';
import { calledIn, FILES_ROOT } from '../../support/file-service.mts';
import { useConnected, usePackage, useScriptedServer } from '../../support/setUp.mts';

/** Each test begins with an n8n that keeps files in memory. */
export function useFiles() {
	const payroll = usePackage();
	const service = useScriptedServer();
	const credential = useConnected(payroll, service, { soapNamespace: FILES_ROOT });
	afterEach(async () => await keepFilesIn('default'));

	/** Calls an operation from the list. */
	const calling = (name: string, more: INodeParameters = {}, draft?: Partial<NodeDraft>) =>
		credential.employee(callFromList(name, more), draft);

	/** The requests of calls that arrived. */
	const sent = (): string[] =>
		service.received.filter(({ method }) => method === 'POST').map(({ body }) => body);
	const calls = (): string[] => sent().map(calledIn);

	return { payroll, service, calling, sent, calls };
}
