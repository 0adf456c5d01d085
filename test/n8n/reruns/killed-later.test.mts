/**
 * n8n is killed in a retry of a failed execution, and in a round of a loop that has waited. A user retries the crashed
 * executions; what is sent again is in the table of docs/when-something-failed.md.
 */
import type { Execution } from '../../../dev/n8n/api.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { chain, manualTrigger } from '../../../dev/n8n/workflow.mts';
import { employees, inRounds, insert, resumeUrl, waitForCall } from '../nodes.mts';
import { killAndRestart, PATIENCE, until, useStage, versions } from '../setUp.mts';
import { useFront } from './front.mts';

jest.setTimeout(5 * 60_000);

const ids = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

describe.each(versions)('n8n %s, killed', (version) => {
	const stage = useStage({ version });
	const front = useFront(stage);
	let retried: string;
	let rounds: string;

	const crashed = async (workflow: string, count: number): Promise<Execution> => {
		const [newest] = await stage.api.endedSummaries(workflow, count, PATIENCE);
		expect(newest?.status).toBe('crashed');
		return await stage.api.execution(newest?.id ?? '');
	};

	/** How many addresses each of these employees got. */
	const addresses = (...some: number[]): number[] =>
		some.map((id) => front.inserted.filter(({ employee }) => employee === id).length);

	beforeAll(async () => {
		const { api } = stage;
		retried = await stage.create(
			chain('Retried', manualTrigger, ...employees(...ids(1001, 5)), insert()),
		);
		front.locked.add(1002);
		const failed = await api.run(retried);
		expect(addresses(...ids(1001, 5))).toEqual([1, 0, 0, 0, 0]);
		front.locked.clear();
		front.held.add(1004).add(1014);
		void api.retry(failed.id, 'original').catch(() => undefined);

		rounds = await stage.create(
			inRounds('Rounds', [manualTrigger, ...employees(...ids(1011, 6))], 2, [
				insert(),
				resumeUrl,
				waitForCall,
			]),
		);
		const execution = await api.start(rounds);
		const waiting = async () => (await api.execution(execution)).status === 'waiting';
		await until('the first round waits', waiting);
		const [item] = (await api.execution(execution)).items('Url');
		await fetch(String(item?.url));
		await until('both are under way', () => front.holding.has(1004) && front.holding.has(1014));
		await killAndRestart(stage);
		front.held.clear();
	});

	const tells = version === newestN8n;

	it(`in a retry: a retry of that one sends ${tells ? 'nothing' : 'again what it had written'}`, async () => {
		expect(addresses(...ids(1001, 5))).toEqual([1, 1, 1, 1, 0]);
		const { id } = await crashed(retried, 2);
		const { error } = await stage.api.retry(id, 'original');
		expect(addresses(...ids(1001, 5))).toEqual(tells ? [1, 1, 1, 1, 0] : [1, 2, 2, 2, 1]);
		expect(error?.message).toBe(tells ? 'n8n stopped in the middle of this run' : undefined);
	});

	it('in a round after a wait: a retry sends again what that round had written', async () => {
		expect(addresses(...ids(1011, 6))).toEqual([1, 1, 1, 1, 0, 0]);
		const { id } = await crashed(rounds, 1);
		// It waits again after that round.
		void stage.api.retry(id, 'original').catch(() => undefined);
		await until('the round is over', () => addresses(1014)[0] === 2);
		expect(addresses(...ids(1011, 6))).toEqual([1, 1, 2, 2, 0, 0]);
	});
});
