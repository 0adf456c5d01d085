import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../errors/ServiceError';

/**
 * The result of a part of a connection check: what its item states, with secrets not masked yet,
 * and what is wrong. The values hold `ok` only if it is not what follows from that.
 */
export type Part = readonly [values: IDataObject, failure?: ServiceError | undefined];

/**
 * Waits for a call, and returns its value, or its failure if the service or the identity server
 * failed.
 *
 * @throws {CancelledError} if the user cancelled the run
 */
export async function trial<T>(
	call: Promise<T>,
): Promise<{ value: T; failure?: never } | { value?: never; failure: ServiceError }> {
	return await call.then(
		(value) => ({ value }),
		(failure: unknown) => {
			if (failure instanceof ServiceError) return { failure };
			throw failure;
		},
	);
}
