import { withDeadline } from '../../../nodes/shared/http/wait.ts';
import { atNight } from '../../support/runs.mts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects garbage. */
const collectGarbage = runInNewContext('gc') as () => void;

afterEach(() => jest.restoreAllMocks());

const never = async () => await new Promise<void>(() => {});
/** Waits for work at most so many milliseconds. */
const within = async (cancel: AbortSignal | undefined, milliseconds: number, work: Promise<void>) =>
	await withDeadline(cancel, milliseconds, work, () => {
		throw new Error('late');
	});

describe('a wait with a deadline', () => {
	it('ends when the work succeeds or fails', async () => {
		await expect(within(undefined, 60_000, Promise.resolve())).resolves.toBeUndefined();
		const failure = Promise.reject(new Error('refused'));
		await expect(within(undefined, 60_000, failure)).rejects.toThrow('refused');
	});

	it('ends if its run is cancelled, before or while it waits', async () => {
		const ended = AbortSignal.abort();
		await expect(within(ended, 60_000, never())).rejects.toThrow(/cancel/);
		const run = new AbortController();
		const waiting = within(run.signal, 60_000, never());
		run.abort();
		await expect(waiting).rejects.toThrow(/cancel/);
	});

	atNight(
		'ends at its deadline, even if garbage is collected meanwhile',
		async () => {
			const cancel = new AbortController().signal;
			// Optimised code releases what it no longer needs: a timeout was once lost that way.
			for (let call = 0; call < 3000; call += 1) {
				await within(cancel, 60_000, Promise.resolve());
			}
			const waiting = Array.from({ length: 20 }, async () => {
				await within(cancel, 300, never());
			});
			const collecting = setInterval(collectGarbage, 50);
			const given = new Promise((resolve) => setTimeout(resolve, 10_000, 'never').unref());
			const ends = Promise.allSettled(waiting);
			const outcome = await Promise.race([ends, given]);
			clearInterval(collecting);
			expect(outcome).toEqual(
				Array.from({ length: 20 }, () => ({
					status: 'rejected',
					reason: expect.objectContaining({ message: 'late' }),
				})),
			);
		},
		30_000,
	);
});
