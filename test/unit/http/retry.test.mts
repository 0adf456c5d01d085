import { interpret } from '../../../nodes/shared/http/send.ts';
import { retryDelay } from '../../../nodes/shared/http/failures.ts';
import type { ExchangeResponse } from '../../../nodes/shared/http/answer.ts';

const failedWith = (code: string) => interpret({ code }, 'SOAP Address');
const unreached = failedWith('ECONNREFUSED');
const broken = failedWith('ECONNRESET');
const answered = (status: number, retryAfter?: unknown): ExchangeResponse => ({
	status,
	headers: { 'retry-after': typeof retryAfter === 'number' ? String(retryAfter) : retryAfter },
	body: Buffer.alloc(0),
});

it('a read is retried after HTTP 429, 502, 503 and 504', () => {
	const all = [200, 301, 400, 401, 403, 404, 408, 429, 500, 501, 502, 503, 504, 505];
	const retried = all.filter((status) => retryDelay(answered(status), 'read', 1) !== undefined);
	expect(retried).toEqual([429, 502, 503, 504]);
});

describe('a write is repeated if it was certainly not applied:', () => {
	it.each<[string, Parameters<typeof retryDelay>[0], boolean]>([
		['the service could not be reached', unreached, true],
		['it asked to slow down', answered(429), true],
		['it was unavailable and said when to come back', answered(503, 0), true],
		['it was unavailable and did not say when to come back', answered(503), false],
		['the connection broke', broken, false],
		['a gateway answered instead of the service', answered(502, 0), false],
		['a gateway got no answer in time', answered(504, 0), false],
		['the service failed', answered(500, 0), false],
	])('%s', (_, failure, isRepeated) => {
		expect(retryDelay(failure, 'write', 1, 0) !== undefined).toBe(isRepeated);
	});
});

describe('the wait before the next attempt', () => {
	it.each([
		[1, 500, 1000],
		[2, 1000, 2000],
		[3, 2000, 4000],
	])('after attempt %d is a random time from %d to %d ms', (attempt, shortest, longest) => {
		expect(retryDelay(broken, 'read', attempt, 0)).toBe(shortest);
		expect(retryDelay(broken, 'read', attempt, 0.5)).toBe((shortest + longest) / 2);
		expect(retryDelay(broken, 'read', attempt, 1)).toBe(longest);
	});

	it.each([0, 1, 60])('is the time that the service asks for: %d s', (asked) => {
		expect(retryDelay(answered(503, asked), 'read', 1, 0.5)).toBe(asked * 1000);
		expect(retryDelay(answered(429, asked), 'write', 3, 0.5)).toBe(asked * 1000);
	});

	it.each([403, 429])('is the time in the text of HTTP %d, without a header', (status) => {
		const said = (time: string): ExchangeResponse => ({
			status,
			headers: {},
			body: Buffer.from(`Quota will be replenished in ${time}.`),
		});
		for (const effect of ['read', 'write'] as const) {
			expect(retryDelay(said('00:00:07'), effect, 1, 0.5)).toBe(7000);
			expect(retryDelay(said('00:01:00'), effect, 3, 0.5)).toBe(60_000);
			expect(retryDelay(said('00:01:01'), effect, 1, 0.5)).toBeUndefined();
			expect(retryDelay(said('1.00:00:01'), effect, 1, 0.5)).toBeUndefined();
		}
		expect(retryDelay(said('00:00:07'), 'read', 4)).toBeUndefined();
	});

	it('does not exist after the fourth attempt', () => {
		expect(retryDelay(unreached, 'read', 4, 0)).toBeUndefined();
		expect(retryDelay(answered(429, 0), 'write', 4, 0)).toBeUndefined();
	});
});

describe('Retry-After', () => {
	afterEach(() => jest.restoreAllMocks());

	it.each<[unknown, number | undefined]>([
		['0', 0],
		['1', 1000],
		[' 7 ', 7000],
		['Mon, 01 Jun 2026 12:00:30 GMT', 30_000],
		['MON, 01 JUN 2026 12:01:00 GMT', 60_000],
		// It is too long to wait for.
		['61', undefined],
		['Mon, 01 Jun 2026 12:01:01 GMT', undefined],
	])('%j, of seconds or a date, is so many milliseconds: %j', (header, milliseconds) => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-06-01T12:00:00Z'));
		expect(retryDelay(answered(503, header), 'read', 1, 0)).toBe(milliseconds);
	});

	it.each([...[undefined, ['1'], '', ' ', '-5', '1.5', '5s', 's5', '2026-06-01', 'soon']])(
		'%j asks for no pause',
		(header) => {
			const usual = retryDelay(answered(503), 'read', 1, 0);
			expect(retryDelay(answered(503, header), 'read', 1, 0)).toBe(usual);
		},
	);
});
