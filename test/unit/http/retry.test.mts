import { kindOfStatus } from '../../../nodes/shared/errors/outcomes.ts';
import {
	asksToRetry,
	parseRetryAfter,
	retryDelay,
	type RetryableFailure,
} from '../../../nodes/shared/http/retry.ts';

const unreached: RetryableFailure = { kind: 'unreached' };
const broken: RetryableFailure = { kind: 'broken' };
const answered = (status: number, retryAfterMs?: number): RetryableFailure => ({
	kind: kindOfStatus(status, retryAfterMs !== undefined),
	retryAfterMs,
});

describe('an answer asks for a retry', () => {
	it.each([429, 502, 503, 504])('with HTTP %d', (status) => {
		expect(asksToRetry(status)).toBe(true);
	});

	it.each([200, 301, 400, 401, 403, 404, 408, 500, 501, 505])('not with HTTP %d', (status) => {
		expect(asksToRetry(status)).toBe(false);
	});
});

describe('a write is repeated, since it was certainly not applied,', () => {
	it.each<[string, RetryableFailure]>([
		['could not be reached', unreached],
		['asked to slow down', answered(429)],
		['was unavailable and said when to come back', answered(503, 0)],
	])('if the service %s', (_, failure) => {
		expect(retryDelay(failure, 'write', 1, 0)).toBeDefined();
	});

	it.each<[string, RetryableFailure]>([
		['the connection broke', broken],
		['the service was unavailable and did not say when to come back', answered(503)],
		['a gateway answered instead of the service', answered(502, 0)],
		['a gateway got no answer in time', answered(504, 0)],
		['the service failed', answered(500, 0)],
	])('but not if %s', (_, failure) => {
		expect(retryDelay(failure, 'write', 1, 0)).toBeUndefined();
	});
});

describe('the wait before the next attempt', () => {
	it.each([
		[1, 250, 500],
		[2, 500, 1000],
		[3, 1000, 2000],
	])('after attempt %d is a random time from %d to %d ms', (attempt, shortest, longest) => {
		expect(retryDelay(broken, 'read', attempt, 0)).toBe(shortest);
		expect(retryDelay(broken, 'read', attempt, 0.5)).toBe((shortest + longest) / 2);
		expect(retryDelay(broken, 'read', attempt, 1)).toBe(longest);
	});

	it('is an integer', () => {
		expect(retryDelay(broken, 'read', 1, 0.001)).toBe(250);
		expect(retryDelay(broken, 'read', 1, 0.003)).toBe(251);
	});

	it.each([0, 1, 999, 60_000])('is the time that the service asks for: %d ms', (asked) => {
		expect(retryDelay(answered(503, asked), 'read', 1, 0.5)).toBe(asked);
		expect(retryDelay(answered(429, asked), 'write', 3, 0.5)).toBe(asked);
	});

	it('does not exist if the service asks for more than a minute: the call fails', () => {
		expect(retryDelay(answered(429, 60_001), 'read', 1, 0)).toBeUndefined();
	});

	it('does not exist after the fourth attempt', () => {
		expect(retryDelay(unreached, 'read', 4, 0)).toBeUndefined();
		expect(retryDelay(answered(429, 0), 'write', 4, 0)).toBeUndefined();
	});

	it('of a write exists only if it was certainly not applied', () => {
		expect(retryDelay(broken, 'read', 1, 0)).toBe(250);
		expect(retryDelay(broken, 'write', 1, 0)).toBeUndefined();
	});

	it('of a write that was not received is as long as that of a read', () => {
		expect(retryDelay(unreached, 'write', 1, 1)).toBe(500);
		expect(retryDelay(answered(429), 'write', 2, 0)).toBe(500);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-06-01T12:00:00Z');

	it.each([
		['0', 0],
		['1', 1000],
		['120', 120_000],
		[' 7 ', 7000],
	])('%j is a number of seconds', (header, milliseconds) => {
		expect(parseRetryAfter(header, now)).toBe(milliseconds);
	});

	it('may be a date', () => {
		expect(parseRetryAfter('Mon, 01 Jun 2026 12:00:30 GMT', now)).toBe(30_000);
		expect(parseRetryAfter('MON, 01 JUN 2026 12:01:00 GMT', now)).toBe(60_000);
	});

	it('with a past date asks for no wait', () => {
		expect(parseRetryAfter('Mon, 01 Jun 2026 11:59:00 GMT', now)).toBe(0);
	});

	it.each([undefined, ['1'], 5, '', ' ', '-5', '1.5', '5s', 's5', '2026-06-01', 'soon'])(
		'%j is ignored',
		(header) => {
			expect(parseRetryAfter(header, now)).toBeUndefined();
		},
	);
});
