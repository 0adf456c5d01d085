/**
 * Every kind of failure, with its condition, by whether a write that failed so was applied: not, which
 * takes proof; probably not, by the service's word; possibly; or certainly. There is no default: each
 * {@link ServiceError} names its kind.
 */
export const failureKinds = {
	notApplied: {
		reading: 'The call or the step that failed only reads.',
		credential: 'The credential is not connected, or one of its fields is not usable.',
		renewal: `The access token could not be renewed: the call was not sent, or was refused with the previous token.`,
		notBegun: 'A step before the write failed, so the write was not sent.',
		readOnly: 'The credential is read-only.',
		unreached: 'The connection was refused, or the host was not found.',
		insecure: 'The certificate of the service was not accepted, so no request was sent.',
		tokenRejected:
			'HTTP 401, or a SOAP fault that names a token and blames the sender by its code (`Client`, `Sender`, those of WS-Security), or that comes with HTTP 403.',
		busy: 'HTTP 429: too many requests.',
		statusRefusal:
			'HTTP 403, 404, 405, 407, 413 or 415: the request was turned away before it was carried out.',
		unavailable: `HTTP 503 with \`Retry-After\`: the service says when to retry.`,
		faultRefused: `A SOAP fault that is a refusal: its innermost message mentions a TWK exception, or its code says that the sender is at fault (\`Client\`, \`Sender\`) or that the envelope was not processed (\`VersionMismatch\`, \`MustUnderstand\`, \`DataEncodingUnknown\`).`,
	},
	refused: {
		faultCoded: `Any other SOAP fault whose innermost message begins with a number: the service's own code.`,
	},
	unknown: {
		faultUnclear: `Any other SOAP fault, unless its HTTP status is one of the above: the service failed, and it is not known how far it got.`,
		notSuccess: 'Any HTTP 2xx other than 200.',
		redirect: 'HTTP 3xx: a service may act and then redirect.',
		clientError: 'Any other HTTP 4xx: a service may act before it answers so, as with 408 or 409.',
		serverError: 'Any other HTTP 5xx.',
		broken: 'The connection broke, or the answer was not complete in time.',
		tooLarge: 'The answer is larger than allowed.',
		notCarriedOut: `The request failed within n8n, for a reason that does not say whether it was sent.`,
		interrupted: 'n8n stopped the run during the call, or was killed during it.',
		unexpected: 'Anything else during the call: a bug of the package.',
		unreadable: `HTTP 200 with an answer that cannot be read, or that contains something other than expected. Also one whose file n8n cannot store.`,
		unconfirmed:
			'The service answered, and its answer or the records that it has do not confirm the write.',
		revokedInPart: 'Only some of the tokens were revoked.',
	},
	applied: {
		differs: 'The write was applied, and the service has other values when they are read again.',
	},
} as const;

/** Whether a write whose call failed was applied, as far as is known. */
export type WriteOutcome = keyof typeof failureKinds;

/** What is known of a write that an earlier try or run of the node sent. */
export type EarlierOutcome = Exclude<WriteOutcome, 'notApplied'>;

export type FailureKind = {
	[O in WriteOutcome]: keyof (typeof failureKinds)[O];
}[WriteOutcome];

/** Whether a write that failed in this way was applied, as far as is known. */
export const outcomes = Object.fromEntries(
	Object.entries(failureKinds).flatMap(([outcome, kinds]) =>
		Object.keys(kinds).map((kind) => [kind, outcome]),
	),
) as Readonly<Record<FailureKind, WriteOutcome>>;

/** The kinds of failure that may pass: the same call may succeed later, unchanged. */
export const transientKinds = new Set<FailureKind>([
	...(['unreached', 'broken', 'busy', 'unavailable', 'serverError', 'faultUnclear'] as const),
]);

/** The kinds of failure that a SOAP fault reports in its own words. */
export const faultKinds = new Set<FailureKind>(['faultCoded', 'faultRefused', 'faultUnclear']);

/** The statuses of HTTP for a request that is turned away before it is carried out. */
const REFUSALS = new Set([403, 404, 405, 407, 413, 415]);

/**
 * Returns the kind of failure for the HTTP status of a response. The rules are those of HTTP:
 * docs/dev/interface.md, section 7 specifies no status.
 *
 * @param hasRetryAfter whether the response has a `Retry-After` header
 */
export function kindOfStatus(status: number, hasRetryAfter: boolean): FailureKind {
	if (status === 200) return 'unreadable';
	if (status < 300) return 'notSuccess';
	if (status < 400) return 'redirect';
	if (status === 401) return 'tokenRejected';
	if (status === 429) return 'busy';
	if (REFUSALS.has(status)) return 'statusRefusal';
	if (status < 500) return 'clientError';
	return status === 503 && hasRetryAfter ? 'unavailable' : 'serverError';
}
