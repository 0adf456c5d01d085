/** In queue mode, a worker calls tools: what their callers are told, and that no write is sent twice. */
import { fromAi } from '../../../dev/package/from-ai.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { manualTrigger, withAgent } from '../../../dev/n8n/workflow.mts';
import { insert } from '../nodes.mts';
import { useFront } from '../reruns/front.mts';
import { succeeded, versions, withModel } from '../setUp.mts';
import { useCluster } from './setUp.mts';

jest.setTimeout(5 * 60_000);

describe.each(versions)('n8n %s in queue mode', (version) => {
	const cluster = useCluster(version, {}, 1);
	const front = useFront(cluster);
	beforeEach(() => front.reset());

	const tool = insert(
		{ retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
		{ employeeId: fromAi('Employee_ID', 'string') },
	);
	const agents = version === newestN8n ? [2.2, 3, 3.1] : [2.2, 3];

	it.each(agents)(
		'a write whose answer is lost is sent once by an agent %s',
		async (typeVersion) => {
			front.lost.add(1001);
			const draft = withAgent('Agent', manualTrigger, tool, { typeVersion });
			await withModel(cluster, draft, { Employee_ID: '1001' }, async (id, model) => {
				succeeded(await cluster.api.run(id));
				const answer = model.requests.at(-1)?.messages.find(({ role }) => role === 'tool')?.content;
				expect(answer).toMatch(/^\[\{"error":".* The change may have been applied: look in /);
			});
			expect(front.inserted).toHaveLength(1);
		},
	);
});
