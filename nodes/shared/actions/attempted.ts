import { ServiceError } from '../errors/ServiceError';

/** What came of one part of a check of the connection. */
type Attempted<T> = { readonly value: T; readonly failure?: never } | Failed;
interface Failed {
	readonly value?: never;
	readonly failure: ServiceError;
}

/** What a check looks for, a failure of the service or the identity server; others end it. */
function expected(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

/**
 * Gives a failure of the service or the identity server as a value.
 *
 * @throws {CancelledError} where the user cancelled the run
 */
export async function attempted<T>(work: () => Promise<T>): Promise<Attempted<T>> {
	try {
		return { value: await work() };
	} catch (error) {
		return { failure: expected(error) };
	}
}
