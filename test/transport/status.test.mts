import { statusError, unreadable } from '../../nodes/shared/transport/status.ts';

const answer = (status: number, headers: Record<string, unknown> = {}) => ({
	status,
	headers,
	body: Buffer.alloc(0),
});

describe('an answer whose status is an error', () => {
	it.each([
		[400, 'The service could not read the request.'],
		[403, /scopes/],
		[404, /Check the addresses in the credential, and the values given/],
		[405, /Check the addresses in the credential/],
		[415, /SOAP version/],
		[418, 'The service refused the call.'],
		[429, /Lower "Concurrency"/],
		[500, /error of its own\. Run again later/],
		[502, /not available at the moment\. Run again later/],
		[503, /not available at the moment\. Run again later/],
		[504, /not available at the moment\. Run again later/],
	])('(HTTP %d) says what to do: %s', (status, advice) => {
		const error = statusError(answer(status), 'Details of the service');
		expect(error).toMatchObject({
			message: `The payroll service answered with HTTP ${status}`,
			description: expect.stringMatching(advice),
			httpStatus: status,
			details: 'Details of the service',
		});
	});

	it.each([300, 302, 399])('(HTTP %d) is a redirect, which is not followed', (status) => {
		expect(statusError(answer(status))).toMatchObject({
			message: `The payroll service answered with a redirect (HTTP ${status})`,
			description: expect.stringMatching(/not followed.*Enter the final address/),
			httpStatus: status,
		});
	});
});

describe('a write that was answered', () => {
	it.each([
		[200, {}, 'unknown'],
		[299, {}, 'unknown'],
		[300, {}, 'unknown'],
		[303, {}, 'unknown'],
		[307, {}, 'notApplied'],
		[308, {}, 'notApplied'],
		[400, {}, 'notApplied'],
		[404, {}, 'notApplied'],
		[429, {}, 'notApplied'],
		[499, {}, 'notApplied'],
		[500, {}, 'unknown'],
		[500, { 'retry-after': '1' }, 'unknown'],
		[502, { 'retry-after': '1' }, 'unknown'],
		[503, {}, 'unknown'],
		[503, { 'retry-after': 'soon' }, 'unknown'],
		[503, { 'retry-after': '1' }, 'notApplied'],
		[504, {}, 'unknown'],
	])('with HTTP %d and %j is %s', (status, headers, outcome) => {
		expect(statusError(answer(status, headers)).outcome).toBe(outcome);
		expect(unreadable(answer(status, headers), 'Title', 'What to do').outcome).toBe(outcome);
	});
});

it('an answer that cannot be understood keeps its status beside the words given', () => {
	expect(unreadable(answer(200), 'Title', 'What to do')).toMatchObject({
		message: 'Title',
		description: 'What to do',
		httpStatus: 200,
	});
});
