/** One worker is killed alone, in the middle of a batch: n8n gives the execution up, and the same input again sends what is missing. */
import { newestN8n } from '../../../dev/n8n/install.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { chain, manualTrigger } from '../../../dev/n8n/workflow.mts';
import { employees, insert } from '../nodes.mts';
import { useFront } from '../reruns/front.mts';
import { PATIENCE, until, versions } from '../setUp.mts';
import { useCluster } from './setUp.mts';

jest.setTimeout(10 * 60_000);

// n8n 1 gives the execution to another worker, unless it is told not to: docs/when-something-failed.md.
describe.each(versions.filter((one) => one === newestN8n))('n8n %s in queue mode', (version) => {
	const cluster = useCluster(version, {});
	const front = useFront(cluster);

	it('gives up an execution whose worker was killed; a new one inserts the missing addresses alone', async () => {
		const { api, credential, workers } = cluster;
		const ids = [1001, 1002, 1003, 1004];
		const node = insert({}, { skipIfExists: true });
		const draft = chain('Batch', manualTrigger, ...employees(...ids), node);
		const workflow = await api.createWorkflow(draft, { [CREDENTIAL_TYPE]: credential });
		const inserted = () => front.inserted.map(({ employee }) => employee).sort();
		front.lost.add(1003);
		front.held.add(1003);
		const id = await api.start(workflow);
		await until('the third is under way', () => front.holding.has(1003));
		const [first, second] = workers;
		const [isFirst = 0] = cluster.perWorker([id]);
		await (isFirst > 0 ? first : second)?.kill();
		front.held.clear();
		front.lost.clear();
		await api.endedSummaries(workflow, 1, PATIENCE);
		const { error } = await api.execution(id);
		expect(error?.message).toMatch(/^This execution failed to be processed too many times/);
		const before = inserted();
		await api.retry(id, 'original').catch(() => undefined);
		expect(inserted()).toEqual(before);
		const again = await api.run(workflow);
		expect(again.error).toBeUndefined();
		expect(inserted()).toEqual(ids);
	});
});
