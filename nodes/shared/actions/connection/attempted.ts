import { ServiceError } from '../../errors/ServiceError';

/** The result of one part of a connection check: a value or a failure. */
type Attempted<T> =
	| { readonly value: T; readonly failure?: never }
	| { readonly value?: never; readonly failure: ServiceError };

/** Returns a failure of the service or the identity server. Any other error is rethrown. */
function serviceErrorOf(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

/**
 * Runs work and returns its value, or its failure if the service or the identity server failed. Any
 * other error is rethrown.
 *
 * @throws {CancelledError} if the user cancelled the run
 */
export async function attempted<T>(work: () => Promise<T>): Promise<Attempted<T>> {
	try {
		return { value: await work() };
	} catch (error) {
		return { failure: serviceErrorOf(error) };
	}
}
