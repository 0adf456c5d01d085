import { failureKinds, type FailureKind, type WriteOutcome } from './outcomes';

export interface ServiceErrorFields {
	/** What the builder can do about the failure. */
	readonly description?: string | undefined;
	/** HTTP status of the response, if there was one. */
	readonly httpStatus?: number | undefined;
	/** The service's own error code, for example `2011`. */
	readonly serviceCode?: string | undefined;
	/** Additional text from the service, for the error's details. */
	readonly details?: string | undefined;
	/** Whether the failure is transient: the same call may succeed later, unchanged. */
	readonly isTransient?: boolean;
}

/**
 * A call that failed at the payroll service, at the identity server or on the way to either. Its
 * texts are for the builder: they contain no header, token, key or address of the request.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly description: string | undefined;
	readonly httpStatus: number | undefined;
	readonly serviceCode: string | undefined;
	readonly details: string | undefined;
	readonly isTransient: boolean;

	/** @param kind the kind of failure; decides the outcome of a write, see {@link failureKinds} */
	constructor(
		readonly kind: FailureKind,
		message: string,
		fields: ServiceErrorFields = {},
	) {
		super(message);
		this.description = fields.description;
		this.httpStatus = fields.httpStatus;
		this.serviceCode = fields.serviceCode;
		this.details = fields.details;
		this.isTransient = fields.isTransient ?? false;
	}

	/** Whether a write that failed with this error was applied, as far as is known. */
	get outcome(): WriteOutcome {
		return failureKinds[this.kind].outcome;
	}
}

/** The user cancelled the run. Nothing further is sent. */
export class CancelledError extends Error {
	override readonly name = 'CancelledError';

	/** @param outcome whether a write in flight was applied; by default, no write was in flight */
	constructor(readonly outcome: WriteOutcome = 'notApplied') {
		super('The execution was cancelled');
	}
}
