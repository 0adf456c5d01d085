import type { Fields } from '../../contract/fields';
import { soapOperations } from '../../contract/operations';
import { keysOf } from '../../contract/soapOperation';
import type { ServiceAccess } from '../../exchange/exchange';
import type { Plan } from '../../run/action';
import type { SoapCall } from '../../soap/call';
import type { Values } from '../../values/values';

/** The request elements that the known operations use as keys (employee or company, and period). */
export const KEYS: Fields = Object.assign(
	{},
	...soapOperations.map(({ request }) => keysOf(request)),
);

/** The parameters of a call, as one of the two forms gives them. */
export interface GivenParameters {
	/** By the names of the elements, as far as they are known before the call is planned. */
	readonly values: Values;
	/** Decides what to send, see `WriteCall`. */
	plan(access: ServiceAccess, target: SoapCall): Promise<Plan>;
}
