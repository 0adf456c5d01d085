import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { ServiceError, UnreadableError } from '../../../nodes/shared/errors/ServiceError.ts';
import { shownError } from '../shown.mts';
import type { Outcome } from './kind.mts';

/** Does what may fail with an error of the package, which becomes what the builder sees. */
export async function attempt(work: () => unknown): Promise<Outcome> {
	try {
		return { isRead: true, kept: await work() };
	} catch (error) {
		if (error instanceof UnreadableError) return { isRead: false, kept: error.message };
		if (!(error instanceof InputError || error instanceof ServiceError)) throw error;
		return { isRead: false, kept: shownError(error) };
	}
}
