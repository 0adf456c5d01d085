/* Gateways that limit calls and say when they may be sent again, in a header or only as text. */
import { createAddress, getAddresses, getHourCodes } from '../../../dev/package/calls.mts';
import { statusError } from '../../../nodes/shared/http/failures.ts';
import type { Script } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { soapAnswer, soapList, XML } from '../../package/soap.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const credential = useCredential(payroll, sandbox, () => ({
	restUrl: server.url,
	soapUrl: server.url,
}));

const quota = (time: string) =>
	JSON.stringify({
		statusCode: 403,
		message: `Out of call volume quota. Quota will be replenished in ${time}.`,
	});

/** Refuses the first request with this status and text, and answers the others. */
const refusing =
	(status: number, text: string, good: string, type: string): Script =>
	(response, index) => {
		if (index > 0) return void response.writeHead(200, { 'Content-Type': type }).end(good);
		response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
	};

const inserted = soapAnswer('Address_Insert', '<Address_InsertResult>5</Address_InsertResult>');
const calls = {
	'a list': [
		() => credential.hourCodes({ ...getHourCodes, options: { firstPage: 1 } }),
		'{"items":[{"id":1}],"totalCount":1,"totalPages":1}',
		'application/json',
	],
	'a read': [() => credential.employee(getAddresses), soapList('Address_GetListCurrent', ''), XML],
	'a write': [() => credential.employee(createAddress), inserted, XML],
} as const;

describe.each(Object.entries(calls))('%s', (_, [node, good, type]) => {
	it.each([
		[403, quota('00:00:02')],
		[403, 'Rate limit is exceeded. Try again in 2 seconds.'],
		[429, quota('00:00:02')],
	])('waits as long as HTTP %d with %s asks', async (status, text) => {
		server.play(refusing(status, text, good, type));
		expect((await payroll.run([{ id: 1001 }], node())).error).toBeUndefined();
		expect(server.received).toHaveLength(2);
	});

	it('fails if it would have to wait longer than a minute, and says when to try again', async () => {
		server.play(refusing(403, quota('00:12:34'), good, type));
		const { error } = await payroll.run([{ id: 1001 }], node());
		expect(server.received).toHaveLength(1);
		expect(error).toMatchObject({
			httpCode: '403',
			description: expect.stringMatching(
				/limits the number of calls.*called again in 12 minutes 34 seconds\./,
			),
			context: { data: { code: 'RATE_LIMITED', details: expect.stringContaining('quota') } },
		});
		expect(error?.description).not.toMatch(/Scopes/);
	});
});

describe('the text of a quota', () => {
	const answer = (status: number, text: string, headers: Record<string, unknown> = {}) =>
		statusError({ status, headers, body: Buffer.from(text) }, 'REST Address');

	it.each([
		['Quota will be replenished in 00:01:01', '1 minute 1 second'],
		['quota will be replenished in 6.23:59:59.1234567', '6 days 23 hours'],
		['Try again in 3600 seconds.', '1 hour'],
	])('%s means a wait of %s', (text, wait) => {
		for (const status of [403, 429]) {
			const { description, isTransient } = answer(status, text);
			expect(description).toMatch(new RegExp(`can be called again in ${wait}\\.$`));
			expect(isTransient).toBe(true);
		}
	});

	it.each([
		[403, 'Quota will be replenished'],
		[403, `${' '.repeat(70_000)}${quota('00:02:00')}`],
		[400, quota('00:02:00')],
		[500, quota('00:02:00')],
		[503, quota('00:02:00')],
	])('with HTTP %d is none if it is another: %#', (status, text) => {
		const { description, outcome } = answer(status, text);
		expect(description).not.toMatch(/called again/);
		expect(outcome).toBe(answer(status, '').outcome);
	});
});
