import { failureKinds, type FailureKind, type WriteOutcome } from './outcomes';

export interface ServiceErrorFields {
	/** What to do about it. */
	readonly description?: string | undefined;
	/** HTTP status of the answer, where there was one. */
	readonly httpStatus?: number | undefined;
	/** The service's own error code, for example `2011`. */
	readonly serviceCode?: string | undefined;
	/** Further text of the service, for the error's details. */
	readonly details?: string | undefined;
	/** Whether the same call may well succeed later, with nothing changed. */
	readonly passing?: boolean;
}

/**
 * A call that failed at the service, at the identity server or on the way there.
 * Carries text for the builder only: no header, token, key or address of the request.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly description: string | undefined;
	readonly httpStatus: number | undefined;
	readonly serviceCode: string | undefined;
	readonly details: string | undefined;
	readonly passing: boolean;

	/** @param kind what failed; it decides what is known of a write, see {@link failureKinds} */
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
		this.passing = fields.passing ?? false;
	}

	/** What is known of a write that failed with this error. */
	get outcome(): WriteOutcome {
		return failureKinds[this.kind].outcome;
	}
}

/** The run was cancelled by the user; nothing further is sent. */
export class CancelledError extends Error {
	override readonly name = 'CancelledError';

	/** @param outcome what is known of a write that was under way; none was while a call only waited */
	constructor(readonly outcome: WriteOutcome = 'notApplied') {
		super('The execution was cancelled');
	}
}
