import type { DescribedOperation } from '../../contract/schemaFields';
import { ListedError } from '../../errors/catalogue';

/** An operation in the list of a service's operations. */
export interface OperationSummary {
	readonly name: string;
	/** What the service says about the operation. */
	readonly documentation?: string;
	/** Why the operation cannot be called with typed parameters, as a sentence. */
	readonly unsupported?: string;
}

/** What a service's own description (WSDL 1.1) says. */
export interface ServiceDescription {
	/** Target namespace of the description. */
	readonly namespace: string;
	/** All operations, in alphabetical order. */
	readonly operations: readonly OperationSummary[];
	/**
	 * Returns an operation with its types, which are read on first use.
	 *
	 * @throws {DescriptionError} if the description has no such operation, or it cannot be called with
	 * typed parameters
	 */
	operation(name: string): DescribedOperation;
}

/** A description that cannot be read, or an operation that it does not define. */
export class DescriptionError<N extends string = string> extends ListedError<N> {
	override readonly name = 'DescriptionError';
}
