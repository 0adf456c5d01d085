import type { ServiceAccess } from '../../exchange/exchange';
import type { Plan } from '../../run/action';
import type { SoapCall } from '../../soap/call';
import type { UntypedElements } from '../../values/untyped';

/** The parameters of a call, as one of the two forms gives them. */
export interface GivenParameters {
	/** Their names and values. */
	readonly elements: UntypedElements;
	/** Everything that the builder asks to write, as text. */
	readonly content: string;
	/** Decides what to send, see `WriteCall`. */
	plan(access: ServiceAccess, target: SoapCall): Promise<Plan>;
}
