/** A service with files in its requests and answers, and nodes that call it. */
import type { INodeParameters } from 'n8n-workflow';
import { keepFilesIn, type NodeDraft } from '../../../dev/engine/index.mts';
import { callFromList } from '../../../dev/package/calls.mts';
import { calledIn, FILES_ROOT } from '../../support/file-service.mts';
import { Connected, useSandbox, useScriptedServer } from '../../support/setUp.mts';

/** Each test has a credential of its own, and begins with an n8n that keeps files in memory. */
export function useFiles() {
	const { sandbox, payroll } = useSandbox();
	const service = useScriptedServer();
	let credential: Connected;
	beforeEach(async () => {
		const changes = { soapUrl: service.url, soapNamespace: FILES_ROOT };
		credential = new Connected(payroll, await payroll.connect(sandbox, changes));
	});
	afterEach(async () => await keepFilesIn('default'));

	/** Calls an operation from the list. */
	const calling = (name: string, more: INodeParameters = {}, draft?: Partial<NodeDraft>) =>
		credential.employee(callFromList(name, more), draft);

	/** The requests of calls that arrived. */
	const sent = (): string[] =>
		service.received.filter(({ method }) => method === 'POST').map(({ body }) => body);
	const calls = (): string[] => sent().map(calledIn);

	return { sandbox, payroll, service, calling, sent, calls };
}
