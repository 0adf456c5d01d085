import type { Fields } from '../../contract/fields';
import { soapOperations } from '../../contract/operations';
import { keysOf, type Operation } from '../../contract/operation';
import type { ServiceAccess } from '../../exchange/exchange';
import type { Plan } from '../../run/action';
import type { Values } from '../../values/values';

/** The request elements that the known operations use as keys (employee or company, and period). */
export const KEYS: Fields = Object.assign(
	{},
	...soapOperations.map(({ request }) => keysOf(request.fields)),
);

/** The parameters of a call, as one of the two forms gives them. */
export interface GivenParameters {
	/** By the names of the elements, as far as they are known before the call is planned. */
	readonly values: Values;
	/**
	 * Decides what to send, see `WriteCall`.
	 *
	 * @param operation of which the request and the response may be anything
	 */
	plan(access: ServiceAccess, operation: Operation): Promise<Plan>;
}
