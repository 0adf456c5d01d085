import { failureKinds, kindOfStatus } from '../../nodes/shared/errors/outcomes.ts';

/** What is known of a write that was answered with a status and without a fault. */
const outcomeOf = (status: number, hasRetryAfter = false) =>
	failureKinds[kindOfStatus(status, hasRetryAfter)].outcome;

describe('a write that was answered with a status', () => {
	it.each([307, 308, 400, 401, 403, 404, 405, 409, 415, 422, 429, 499])(
		'%d was not applied',
		(status) => expect(outcomeOf(status)).toBe('notApplied'),
	);

	it.each([
		200, 201, 202, 204, 299, 300, 302, 303, 304, 306, 309, 399, 500, 501, 502, 503, 504, 599,
	])('%d may have been applied', (status) => expect(outcomeOf(status)).toBe('unknown'));

	it.each([
		[503, 'notApplied'],
		[500, 'unknown'],
		[502, 'unknown'],
		[504, 'unknown'],
	])('%d with Retry-After: %s', (status, outcome) => expect(outcomeOf(status, true)).toBe(outcome));
});
