/**
 * In queue mode, the main process and its worker are killed in a round of a loop that has waited. As without a queue, a
 * retry sends again what that round had written: docs/when-something-failed.md says so.
 */
import { createAddress } from '../../../dev/package/calls.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { employees, inRounds, resumeUrl, waitForCall } from '../nodes.mts';
import { PATIENCE, until, versions } from '../setUp.mts';
import { useFront } from '../reruns/front.mts';
import { useCluster } from './setUp.mts';

jest.setTimeout(10 * 60_000);

describe.each(versions)('n8n %s in queue mode', (version) => {
	const cluster = useCluster(version, {}, 1);
	const front = useFront(cluster);

	const inserted = (): number[] => front.inserted.map(({ employee }) => employee);

	it('killed with its worker in a round after a wait: a retry sends that round again', async () => {
		const { api, credential, main, workers } = cluster;
		const body = [payrollNode('payrollEmployee', createAddress), resumeUrl, waitForCall];
		const draft = inRounds(
			'Rounds',
			[manualTrigger, ...employees(1001, 1002, 1003, 1004)],
			2,
			body,
		);
		const workflow = await api.createWorkflow(draft, { [CREDENTIAL_TYPE]: credential });
		front.held.add(1004);
		const id = await api.start(workflow);
		await until('it waits', async () => (await api.execution(id)).status === 'waiting');
		// The worker names its own port.
		const { pathname, search } = new URL(String((await api.execution(id)).items('Url')[0]?.url));
		await fetch(new URL(pathname + search, main.url));
		await until('the second round is under way', () => front.holding.has(1004));
		await Promise.all([main, ...workers].map(async (one) => await one.kill()));
		front.held.clear();
		expect(inserted()).toEqual([1001, 1002, 1003, 1004]);

		const restarted = [await main.restart()];
		try {
			for (const worker of workers) restarted.push(await worker.restart());
			const [crashed] = await api.endedSummaries(workflow, 1, PATIENCE);
			expect(crashed?.status).toBe('crashed');
			void api.retry(id, 'original').catch(() => undefined);
			await until('the round is over', () => inserted().length === 6);
			expect(inserted().slice(4)).toEqual([1003, 1004]);
		} finally {
			for (const one of restarted) await one.stop();
		}
	});
});
