import { untilCancelled, withDeadline } from '../../../nodes/shared/http/deadline.ts';
import { collectGarbage, isCollectedAfter } from '../../support/garbage.mts';

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

	it('takes whole milliseconds', async () => {
		const timeout = jest.spyOn(AbortSignal, 'timeout');
		await within(undefined, 301.000_000_2, Promise.resolve());
		expect(timeout).toHaveBeenLastCalledWith(301);
	});

	it('ends if its run is cancelled, before or while it waits', async () => {
		const ended = AbortSignal.abort();
		await expect(within(ended, 60_000, never())).rejects.toThrow(/cancel/);
		const run = new AbortController();
		const waiting = within(run.signal, 60_000, never());
		run.abort();
		await expect(waiting).rejects.toThrow(/cancel/);
	});

	it('ends at its deadline, even if garbage is collected meanwhile', async () => {
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
