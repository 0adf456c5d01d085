import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IExecuteFunctions } from 'n8n-workflow';
import { awaitRenewal } from '../../../nodes/shared/transport/renewal.ts';

/** The part of a node's context that a waiting call uses. */
function contextOf(cancel?: AbortSignal): IExecuteFunctions {
	return { getExecutionCancelSignal: () => cancel } as IExecuteFunctions;
}

const never = async () => await new Promise<void>(() => {});
const LATE = 'The identity server did not answer in time';

describe('a call that waits for a renewal', () => {
	it('ends when the renewal succeeds or fails', async () => {
		const limits = { timeoutMs: 60_000, maxBytes: 1 };
		await expect(awaitRenewal(contextOf(), limits, Promise.resolve())).resolves.toBeUndefined();
		const failure = Promise.reject(new Error('refused'));
		await expect(awaitRenewal(contextOf(), limits, failure)).rejects.toThrow('refused');
	});

	it('ends at a deadline with a fraction of a millisecond', async () => {
		const limits = { timeoutMs: 301.000_000_2, maxBytes: 1 };
		await expect(awaitRenewal(contextOf(), limits, never())).rejects.toThrow(LATE);
	});

	it('ends if its run is cancelled, before or while it waits', async () => {
		const limits = { timeoutMs: 60_000, maxBytes: 1 };
		const ended = contextOf(AbortSignal.abort());
		await expect(awaitRenewal(ended, limits, never())).rejects.toThrow(/cancel/);
		const run = new AbortController();
		const waiting = awaitRenewal(contextOf(run.signal), limits, never());
		run.abort();
		await expect(waiting).rejects.toThrow(/cancel/);
	});

	it('ends at its deadline, even if garbage is collected meanwhile', async () => {
		setFlagsFromString('--expose-gc');
		const gc = runInNewContext('gc') as () => void;
		const context = contextOf(new AbortController().signal);
		// Optimised code releases what it no longer needs: a timeout was once lost that way.
		for (let call = 0; call < 20_000; call += 1) {
			await awaitRenewal(context, { timeoutMs: 60_000, maxBytes: 1 }, Promise.resolve());
		}
		const waiting = Array.from({ length: 20 }, async () => {
			await awaitRenewal(context, { timeoutMs: 300, maxBytes: 1 }, never());
		});
		const collecting = setInterval(gc, 50);
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
