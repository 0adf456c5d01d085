/**
 * What an item says of a failed write, and how often the write is sent, against a service of plain `node:http`.
 *
 * @jest-environment-options {"timeFactor": 100}
 */
import type { IDataObject } from 'n8n-workflow';
import {
	callByName,
	createAddress,
	updateCostCenters,
	type Chosen,
} from '../../../dev/package/calls.mts';
import {
	lost,
	serverFault,
	unavailable,
	type Answer,
	type Behaviour,
} from '../../support/plain-service.mts';
import { usePlainService } from '../../support/setUp.mts';

const { service, payroll, credential } = usePlainService();

const TRIES = 3;
const node = { retryOnFail: true, maxTries: TRIES, waitBetweenTries: 1 };

/** The error of an operation with Retry On Fail, of a service that cannot be read after a write. */
async function failure(
	answer: Answer,
	parameters: Chosen,
	behaviour: Behaviour = { reads: unavailable },
): Promise<IDataObject> {
	service.behaviour = { ...behaviour, answer };
	const onward = { ...node, onError: 'continueRegularOutput' } as const;
	const { json } = await payroll.run([{ id: 1001 }], credential.employee(parameters, onward));
	return json('Payroll')[0]?.error as IDataObject;
}

/** The same, of a service that carries out no write. */
async function rejection(answer: Answer, parameters: Chosen): Promise<IDataObject> {
	return await failure(answer, parameters, { applies: 'never' });
}

function status(code: number, headers: Record<string, string> = {}): Answer {
	return (response) => void response.writeHead(code, headers).end('No');
}

const trace = (at: string) => `\n${at} TWK.Payroll.Data.UnitOfWork.Commit() in D:\\u.cs:line 3`;

/** Statuses of an insert; an update, which is sent and judged by the same code, has some of them. */
const unclear = [
	204, 302, 303, 307, 308, 400, 402, 406, 408, 409, 410, 422, 425, 499, 500, 501, 503,
];

describe.each([
	['Address: Create', createAddress, unclear],
	['Cost Center: Update', updateCostCenters, [204, 302, 409, 500]],
] as const)('%s', (_name, parameters, doubtful) => {
	it.each([
		'1205: Transaction was deadlocked after the address was inserted',
		`System.Exception: 2627: Violation of PRIMARY KEY${trace('  at')}`,
		'Server was unable to process request. ---> 9999: Unknown',
	])('that the service refuses with a code is sent once: %j', async (text) => {
		const error = await failure(serverFault(text), parameters);
		expect(service.writes()).toBe(1);
		expect(error).toMatchObject({
			outcome: 'refused',
			message: expect.stringMatching(/^(1205|2627|9999): \w/),
			description: expect.stringContaining(
				'The service gave a code; usually nothing was written then.',
			),
		});
		// n8n offers no retry of an execution that goes on.
		expect(error.description).not.toContain('retry of this execution');
	});

	it.each([
		`Timeout expired while committing${trace('   at')}`,
		'connection to TWK-DB-01 was lost',
		'TWK',
		'TWK exceptions were logged',
		`TWK exception: not saved ---> System.Exception: Lost${trace('   at')}`,
		'A: Two ---> B: Lost\n---> (Inner Exception #0) B: Lost<---\n---> (Inner Exception #1) C: TWK exception: 2011: No<---',
	])('may have been applied, and is sent once, after the fault %j', async (text) => {
		const error = await failure(serverFault(text), parameters);
		expect(service.writes()).toBe(1);
		expect(error).toMatchObject({ code: 'FAULT_UNCLEAR', outcome: 'unknown' });
		expect(error.message).not.toMatch(/Commit/);
		expect(error.description).not.toMatch(/Unprotected Mode|not applied/);
	});

	it.each(doubtful)('may have been applied, and is sent once, after HTTP %d', async (code) => {
		const error = await failure(status(code, { Location: '/other' }), parameters);
		expect(service.writes()).toBe(1);
		expect(error).toMatchObject({ outcome: 'unknown', httpStatus: code });
	});

	it.each([403, 404, 405, 407, 413, 415])('was not applied after HTTP %d', async (code) => {
		const error = await rejection(status(code), parameters);
		expect(service.writes()).toBe(TRIES);
		expect(error).toMatchObject({ outcome: 'notApplied', httpStatus: code });
	});

	it.each([403, 429, 503])('was not applied after HTTP %d with Retry-After', async (code) => {
		const error = await rejection(status(code, { 'Retry-After': '0' }), parameters);
		expect(service.writes()).toBe(TRIES * 4);
		expect(error).toMatchObject({ outcome: 'notApplied', httpStatus: code });
	});

	it.each([200, 299, 400, 403, 404, 413, 429, 503])(
		'that the service refuses with a code and HTTP %d is sent once',
		async (code) => {
			const answer = serverFault('1205: Deadlock', code, { 'Retry-After': '0' });
			const error = await failure(answer, parameters);
			expect(service.writes()).toBe(1);
			expect(error).toMatchObject({ outcome: 'refused', httpStatus: code });
		},
	);

	it('that the service refuses with a code, HTTP 403 and a word about a token is sent once', async () => {
		const error = await failure(serverFault('2011: The token is invalid', 403), parameters);
		expect(service.writes()).toBe(1);
		expect(error).toMatchObject({ outcome: 'refused', httpStatus: 403 });
	});

	it.each([403, 413, 429, 503])('was not applied after a fault with HTTP %d', async (code) => {
		const answer = serverFault('Too busy', code, { 'Retry-After': '0' });
		const error = await rejection(answer, parameters);
		expect(service.writes()).toBe(code === 413 ? TRIES : TRIES * 4);
		expect(error).toMatchObject({ message: 'Too busy', outcome: 'notApplied' });
	});

	it.each([
		['Employee 1999 does not exist', 6, false],
		['Employee 1999 does not exist', 5, true],
		['The period is closed', 6, true],
	])(
		'is told of Unprotected Mode by a TWK exception only if a period may be meant: %s, %d',
		async (...row) => {
			const [text, period, isOffered] = row;
			const answer = serverFault(`TWK exception: ${text}`);
			service.behaviour = { applies: 'never', answer };
			const chosen = { ...createAddress, verify: false, period };
			const { error } = await payroll.run([{ id: 1001 }], credential.employee(chosen));
			expect(error?.description?.includes("turn on 'Unprotected Mode'")).toBe(isOffered);
		},
	);

	it('was not applied after a TWK exception', async () => {
		const text = `System.Exception: TWK exception: 2011: No.${trace('   at')}`;
		const error = await rejection(serverFault(text), parameters);
		expect(service.writes()).toBe(TRIES);
		expect(error).toMatchObject({ message: 'TWK exception: No.', outcome: 'notApplied' });
	});
});

it('a call that only reads leaves no change of the employee in doubt', async () => {
	service.behaviour = (_who, index) => ({ answer: index < 4 ? lost : undefined });
	const options = { onlyReads: true };
	const reading = callByName('Employee_Get', { EmployeeId: 1001 }, { options });
	const onward = credential.employee(reading, { onError: 'continueRegularOutput' });
	const { json } = await payroll.run([{}, {}], onward);
	expect(json('Payroll')).toMatchObject([
		{ error: { code: 'CONNECTION_LOST' } },
		{ success: true },
	]);
});
