import { untilCancelled, withDeadline } from '../../../nodes/shared/http/deadline.ts';
import { awaitRenewal } from '../../../nodes/shared/session/renewal.ts';
import { shortenDeadlines } from '../../support/clock.mts';
import { collectGarbage, isCollectedAfter } from '../../support/garbage.mts';

afterEach(() => jest.restoreAllMocks());

const never = async () => await new Promise<void>(() => {});
const LATE = 'The identity server did not answer in time';

describe('a call that waits for a renewal', () => {
	it('ends when the renewal succeeds or fails', async () => {
		const limits = { timeoutMs: 60_000, maxBytes: 1 };
		await expect(awaitRenewal(undefined, limits, Promise.resolve())).resolves.toBeUndefined();
		const failure = Promise.reject(new Error('refused'));
		await expect(awaitRenewal(undefined, limits, failure)).rejects.toThrow('refused');
	});

	it('has a deadline of whole milliseconds', async () => {
		const timeout = jest.spyOn(AbortSignal, 'timeout');
		const limits = { timeoutMs: 301.000_000_2, maxBytes: 1 };
		await awaitRenewal(undefined, limits, Promise.resolve());
		expect(timeout).toHaveBeenLastCalledWith(2301);
	});

	it('ends if its run is cancelled, before or while it waits', async () => {
		const limits = { timeoutMs: 60_000, maxBytes: 1 };
		const ended = AbortSignal.abort();
		await expect(awaitRenewal(ended, limits, never())).rejects.toThrow(/cancel/);
		const run = new AbortController();
		const waiting = awaitRenewal(run.signal, limits, never());
		run.abort();
		await expect(waiting).rejects.toThrow(/cancel/);
	});

	it('ends at its deadline, even if garbage is collected meanwhile', async () => {
		const cancel = new AbortController().signal;
		// Optimised code releases what it no longer needs: a timeout was once lost that way.
		for (let call = 0; call < 3000; call += 1) {
			await awaitRenewal(cancel, { timeoutMs: 60_000, maxBytes: 1 }, Promise.resolve());
		}
		shortenDeadlines();
		const waiting = Array.from({ length: 20 }, async () => {
			await awaitRenewal(cancel, { timeoutMs: 300, maxBytes: 1 }, never());
		});
		const collecting = setInterval(collectGarbage, 50);
		const given = new Promise((resolve) => setTimeout(resolve, 10_000, 'never').unref());
		const ends = Promise.allSettled(waiting);
		const outcome = await Promise.race([ends, given]);
		clearInterval(collecting);
		expect(outcome).toEqual(
			Array.from({ length: 20 }, () => ({
				status: 'rejected',
				reason: expect.objectContaining({ message: LATE }),
			})),
		);
	}, 30_000);
});

describe('a wait that is over is forgotten', () => {
	const cancel = new AbortController().signal;

	it('before its deadline, although its run goes on', async () => {
		const isForgotten = isCollectedAfter(async () => {
			const onLate = (): void => undefined;
			await withDeadline(cancel, 60_000, Promise.resolve(), onLate);
			return [onLate];
		});
		expect(await isForgotten).toBe(true);
	});

	it('with the result of shared work, although the run goes on', async () => {
		const isForgotten = isCollectedAfter(async () => [
			await untilCancelled(cancel, Promise.resolve({})),
		]);
		expect(await isForgotten).toBe(true);
	});
});
