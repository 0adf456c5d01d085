/**
 * Writes, from the records before them to what their items say: the service applies, loses, delays and normalises them.
 * Judged is what stands there afterwards, by what stood there before.
 *
 * @jest-environment-options {"timeFactor": 100}
 */
import type { INodeParameters } from 'n8n-workflow';
import { callByName, updateCompany } from '../../../dev/package/calls.mts';
import { shortenDeadlines } from '../../support/clock.mts';
import {
	answerOf,
	hangs,
	lost,
	normalisations,
	serverFault,
	unavailable,
	type Answer,
	type Behaviour,
	type NormalisationName,
} from '../../support/plain-service.mts';
import {
	about,
	applied,
	continues,
	EMPLOYEE,
	HELD,
	home,
	insert,
	KEY,
	refused,
	tries,
	unknown,
	update,
	upstairs,
	NOT_THERE,
	type Kind,
	useWrites,
} from './writes.mts';

const { service, payroll, credential, putShares, shares, run, updating, inserting } = useWrites();

const kinds = [updating, inserting];

/** What the service does, what is said of the item, by which words, and how often it is read afterwards. */
type Judged = readonly [name: string, Behaviour, said: object, words: string, reads: number];

const otherwise = { code: 'WRITTEN_OTHERWISE', outcome: 'applied' };
const notChanged = { code: 'NOT_CHANGED', outcome: 'unknown' };
const doubt = { code: 'CONNECTION_LOST', outcome: 'unknown' };
const [verified, notVerified] = [{ verified: true }, { verified: false }];
const judgedAlike: readonly Judged[] = [
	['answered, and as wanted', {}, verified, '', 1],
	['answered, and as wanted 2 seconds later', { applies: 1 }, verified, '', 2],
	['answered, and half of it', { applies: 'half' }, otherwise, '', 2],
	['answered, and not readable', { reads: unavailable }, notVerified, 'not verified', 2],
	['in doubt, and as wanted', { answer: lost }, applied, '', 1],
	['in doubt, and so 2 s later', { answer: lost, applies: 1 }, applied, '', 2],
	['in doubt, and as before', { answer: lost, applies: 'never' }, doubt, NOT_THERE, 2],
	['in doubt, and half of it', { answer: lost, applies: 'half' }, doubt, '', 2],
	['in doubt, not readable', { answer: lost, reads: unavailable }, doubt, 'could not be read', 2],
];
const judged: ReadonlyArray<readonly [Kind, Judged]> = [
	...kinds.flatMap((kind) => judgedAlike.map((one) => [kind, one] as const)),
	[updating, ['answered, and as before', { applies: 'never' }, notChanged, '', 2]],
	// The service lists the addresses of today, which one of another period may not be.
	[inserting, ['answered, and as before', { applies: 'never' }, notVerified, 'not verified', 2]],
];

describe.each(
	judged.map(([kind, [name, ...rest]]) => [`${kind.name}: ${name}`, kind, ...rest] as const),
)('%s', (_, { seed, fix, parameters, read, write }, behaviour, said, words, reads) => {
	beforeEach(() => {
		seed();
		service.behaviour = (who) => {
			return who === KEY ? behaviour : { applies: 'never', answer: refused };
		};
	});
	const calls = [read, write, ...Array.from({ length: reads }, () => read)];
	const isError = 'code' in said;

	it('is what the item says', async () => {
		const result = await run(parameters);
		const item = about(result);
		expect(item).toMatchObject(said);
		expect(item).toHaveProperty(isError ? 'code' : 'EmployeeId');
		expect(isError ? item.description : result.hints).toContain(words);
		if (!isError && words === '') expect(result.hints).not.toMatch(/verified|lost/);
		// Says what differs.
		if (behaviour.applies === 'half') expect(item.description).toMatch(/4200|Amsterdam/);
		expect(service.called()).toEqual(calls);
	});

	it('is sent once by Retry On Fail, which another item makes necessary', async () => {
		const input = [{ id: 1002 }, { id: EMPLOYEE }];
		const result = await run(parameters, { ...continues, ...tries }, input);
		expect(about(result)).toMatchObject({ outcome: 'notApplied' });
		expect(about(result, 1)).toMatchObject(said);
		expect([service.writes('1002'), service.writes(KEY)]).toEqual([2, 1]);
	});

	if (!isError) return;

	it('is read again by a retry of the execution, which succeeds once the service has it', async () => {
		const failed = await run(parameters);
		const again = await failed.retry();
		expect(about(again)).toMatchObject(said);
		expect(service.called().slice(calls.length)).toEqual([read]);
		fix();
		service.recover();
		const done = await again.retry();
		expect(done.error).toBeUndefined();
		expect(done.items).toMatchObject([{ EmployeeId: EMPLOYEE, ...applied }]);
		expect(service.writes()).toBe(1);
	});
});

const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
const html = { 'Content-Type': 'text/html' };
const replies =
	(status: number, headers = {}, body = ''): Answer =>
	(response) =>
		void response.writeHead(status, headers).end(body);

describe.each(kinds)('$name', ({ seed, parameters, read, write }) => {
	beforeEach(seed);

	it.each<[string, Answer]>([
		['a web page with HTTP 500', replies(500, html, '<h1>Error</h1>')],
		['HTTP 200 with a web page', replies(200, html, '<p>')],
		['HTTP 202', replies(202)],
		['an unclear fault', serverFault('Out of memory')],
		['another answer', replies(200, xml, '<a/>')],
	])('is read after %s', async (_, answer) => {
		service.behaviour = { answer };
		expect((await run(parameters)).items).toMatchObject([applied]);
		expect(service.called()).toEqual([read, write, read]);
	});

	it('is not read again after a refusal, in a dry run, or with Verify off', async () => {
		expect((await run({ ...parameters, dryRun: true })).error).toBeUndefined();
		expect(service.writes()).toBe(0);
		service.calls = [];
		service.behaviour = { applies: 'never', answer: refused };
		expect(about(await run(parameters))).toMatchObject({ outcome: 'notApplied' });
		expect(service.called()).toEqual([read, write]);
		service.behaviour = {};
		const { items } = await run({ ...parameters, verify: false });
		expect(items).toMatchObject([{ EmployeeId: EMPLOYEE }]);
		expect(items[0]).not.toHaveProperty('verified');
		expect(service.called().at(-1)).toBe(write);
	});

	it.each([
		['once', 'applied', 1],
		['never', 'refused', 2],
		// When the retry looks, it is not there yet; it is when the records are read to plan the write.
		[3, 'refused', 1],
	] as const)(
		'that the service refused with a code is read at once, and before a person sends it again: applied %s',
		async (applies, outcome, writes) => {
			service.behaviour = { applies, answer: serverFault('1205: Deadlock') };
			const failed = await run(parameters, tries);
			expect(about(failed)).toMatchObject({ outcome });
			expect(about(failed).description ?? '').not.toContain('2 seconds later');
			expect(service.writes()).toBe(1);
			service.behaviour = {};
			const { items } = await failed.retry();
			expect(items).toMatchObject([{ verified: true }]);
			expect(service.writes()).toBe(writes);
		},
	);

	const isInsert = write === 'Address_Insert';
	it.each(
		isInsert
			? [
					'<Address_InsertResult>0</Address_InsertResult>',
					'<Address_InsertResult>-1</Address_InsertResult>',
				]
			: [
					'<CostCenter_UpdateResult>false</CostCenter_UpdateResult>',
					'<Errors><Error>No</Error></Errors>',
					'<Success>false</Success><Message>No</Message>',
				],
	)('that the service answers with %s is read', async (content) => {
		service.behaviour = { applies: 'never', answer: answerOf(content) };
		expect(about(await run(parameters))).toMatchObject({ code: 'WRITE_UNCONFIRMED', ...unknown });
		expect(service.called()).toEqual([read, write, read, read]);
		service.behaviour = { answer: answerOf(content) };
		const { items } = await run(parameters);
		expect(items).toMatchObject([applied]);
	});

	it('with Continue is not sent after a doubt about the same employee', async () => {
		service.behaviour = (who, index) =>
			who === KEY && index === 0 ? { applies: HELD, answer: lost } : {};
		const varied = isInsert
			? { street: '={{ $json.text }}' }
			: { costCenteren: { row: [{ costCenterCode: '={{ $json.text }}', percentage: 10 }] } };
		const input = [
			{ id: EMPLOYEE, text: 'A', period: 6 },
			{ id: 1002, text: 'A', period: 6 },
			{ id: EMPLOYEE, text: 'B', period: 7 },
			{ id: 1002, text: 'B', period: 6 },
		];
		const more = { ...varied, period: '={{ $json.period }}', totalMustBe100: false };
		const said = await run({ ...parameters, ...more }, continues, input);
		expect(input.map((_, index) => about(said, index))).toMatchObject([
			unknown,
			{ verified: true },
			{ code: 'EARLIER_CHANGE_IN_DOUBT', outcome: 'notApplied' },
			{ verified: true },
		]);
		expect([service.writes(KEY), service.writes('1002')]).toEqual([1, 2]);
	});

	it('is not sent by Retry On Fail before one in doubt about the same employee', async () => {
		const held = { applies: HELD, answer: lost };
		service.behaviour = (_who, index) => (index > 0 ? held : { applies: 'never', answer: refused });
		const input = [{ id: EMPLOYEE }, { id: EMPLOYEE }];
		const said = await run(parameters, { ...continues, ...tries }, input);
		expect(about(said)).toMatchObject({ code: 'EARLIER_CHANGE_IN_DOUBT' });
		expect(about(said, 1)).toMatchObject(unknown);
		expect(service.writes()).toBe(2);
	});
});

it('a write is read for 10 seconds, twice, but once after five in a row that the service did not show', async () => {
	const { seed, parameters, read } = updating;
	seed();
	const timeout = shortenDeadlines(40);
	service.behaviour = (who) => (who === '1007' ? {} : { reads: hangs });
	const ids = Array.from({ length: 14 }, (_, index) => 1001 + index);
	const input = ids.map((id) => ({ id }));
	const { items } = await run({ ...parameters, options: { concurrency: 1 } }, {}, input);
	expect(items.map(({ verified }) => verified)).toEqual(ids.map((id) => id === 1007));
	const reads = ids.map((id) => service.called(String(id)).filter((name) => name === read).length);
	// One before the write; after it two, or one once five in a row were not as wanted.
	expect(reads).toEqual([3, 3, 3, 3, 3, 2, 2, 3, 3, 3, 3, 3, 2, 2]);
	const [before, sent, first, second] = timeout.mock.calls.flat().filter((time) => time >= 1000);
	expect([before, sent, first]).toEqual([60_000, 60_000, 10_000]);
	expect(second).toBeLessThanOrEqual(10_000);
});

it.each<[string, Answer | undefined]>([
	['in doubt', lost],
	['answered', undefined],
])('a write that is read once is not said to be read 2 seconds later: %s', async (_, answer) => {
	service.behaviour = { applies: 'never', answer };
	const input = Array.from({ length: 6 }, (_, index) => ({ id: 1001 + index }));
	const parameters = update({ 4100: 100 }, { options: { concurrency: 1 } });
	const said = await run(parameters, continues, input);
	const texts = input.map((_, index) => String(about(said, index).description));
	const isLate = texts.map((text) => text.includes('2 seconds later'));
	expect(isLate).toEqual([true, true, true, true, true, false]);
	expect(texts[5]).toMatch(/was not there when the records were read again|read the records again/);
});

describe('a service that normalises', () => {
	const address = { street: ' Keizersgracht ', postalCode: '1016ea' };
	const addressFields = { type: 'HomeAddress', countryISOCode: 'nl' };
	const kindsOf: ReadonlyArray<[string, INodeParameters]> = [
		['cost centers', update({ 4100: 0, kp02: '33.333', 4300: '33.333', 4400: '33.334' })],
		['an address', insert({ ...address, addressFields })],
	];
	// test/fuzz/writes.test.mts has each of them alone, and any others.
	it.each(kindsOf)('in every way we know has %s as wanted', async (_, parameters) => {
		service.normalises = Object.keys(normalisations) as NormalisationName[];
		for (const answer of [undefined, lost]) {
			putShares({ 4100: 50, 4300: 50 });
			service.put(KEY, [upstairs]);
			service.behaviour = { answer };
			const { items, error } = await run(parameters);
			expect(error).toBeUndefined();
			expect(items).toMatchObject([answer ? applied : { verified: true }]);
		}
		expect(service.writes()).toBe(2);
	});
});

it.each(kinds)('$name that arrives late is found by Retry On Fail', async (kind) => {
	kind.seed();
	service.behaviour = { applies: 2, answer: lost };
	const { items, error } = await run(kind.parameters, tries);
	expect(error).toBeUndefined();
	expect(items).toMatchObject([applied]);
	expect(service.writes()).toBe(1);
});

it('a doubt stays one where nothing can be read', async () => {
	service.behaviour = { answer: lost };
	const node = credential.company(updateCompany);
	const { error } = await payroll.run([{ id: 100 }], node);
	expect(error?.context?.data).toMatchObject(unknown);
	service.behaviour = { answer: answerOf('<Address_UpdateResult>false</Address_UpdateResult>') };
	const unconfirmed = await payroll.run([{ id: 100 }], node);
	expect(unconfirmed.error?.context?.data).toMatchObject({ code: 'WRITE_UNCONFIRMED', ...unknown });
	service.behaviour = { answer: answerOf('<HasErrors>false</HasErrors><ErrorCode>0</ErrorCode>') };
	expect((await payroll.run([{ id: 100 }], node)).json('Payroll')).toMatchObject([
		{ success: true },
	]);
	expect(service.called()).toEqual(['Address_Update', 'Address_Update', 'Address_Update']);
});

it.each<['company' | 'employee', INodeParameters]>([
	['company', { ...updateCompany, companyId: EMPLOYEE }],
	[
		'employee',
		callByName('Address_Insert', { EmployeeId: EMPLOYEE, Address: home, Period: 6, Year: 2026 }),
	],
])(
	'a write of the %s that nothing can read is sent again after a code only if the builder says so',
	async (node, parameters) => {
		service.behaviour = { applies: 'once', answer: serverFault('1205: Deadlock') };
		const { type } = credential[node]({});
		const failed = await run(parameters, { ...tries, type });
		expect(failed.error?.description).toContain(
			"A retry of this execution sends it again only if the option 'Resend if Refused' is on.",
		);
		const again = await failed.retry();
		expect(again.error).toMatchObject({ code: 'FAULT_CODED', outcome: 'refused' });
		expect(service.writes()).toBe(1);
		service.behaviour = {};
		await again.retry({ ...parameters, options: { resendIfRefused: true } });
		expect(service.writes()).toBe(2);
	},
);

it.each([
	['one credential', async () => await Promise.resolve(credential.id)],
	[
		'a copy of it',
		async () => await payroll.store(await payroll.credentials.stored(credential.id)),
	],
])('two runs at one moment do not overtake each other with %s', async (_, second) => {
	const { credentials = {} } = payroll.node('payrollEmployee', await second(), {});
	const skips = insert({ skipIfExists: true });
	await Promise.all([run(skips), run(skips, { credentials })]);
	expect(service.writes()).toBe(1);
	const adds = update({ '={{ $json.code }}': 10 }, { totalMustBe100: false });
	const coded = (...codes: string[]) => codes.map((code) => ({ id: EMPLOYEE, code }));
	// Also while one reads what the other writes.
	await Promise.all([
		run(adds, {}, coded('A', 'B', 'C')),
		run(adds, { credentials }, coded('D', 'E', 'F')),
	]);
	expect(Object.keys(shares())).toHaveLength(6);
});

it.each([
	[{ concurrency: 1 }, '1001, 1002. 1 was'],
	[{}, '1001, 1002, 1003. 1 more were stored with other values: Employee ID 1003.'],
])('writes that are there otherwise stop a batch, which names them: %j', async (options, text) => {
	service.behaviour = (who) => ({ applies: who === KEY ? 'once' : 'half' });
	const parameters = update({ 4100: 50, 4200: 50 }, { options });
	const { error } = await run(parameters, {}, [{ id: 1001 }, { id: 1002 }, { id: 1003 }]);
	expect(error).toMatchObject({ code: 'WRITTEN_OTHERWISE', outcome: 'applied' });
	expect(error?.description).toContain(` of 3 items were applied: Employee ID ${text}`);
});

it('with Requests per Second, no more reads wait than their writes can follow within seconds', async () => {
	const id = await payroll.store(await payroll.credentials.stored(credential.id));
	await payroll.credentials.patch(id, { requestsPerSecond: 1 });
	const { credentials = {} } = payroll.node('payrollEmployee', id, {});
	const eight = Array.from({ length: 8 }, (_, index) => ({ id: EMPLOYEE + index }));
	await run(update({ 4100: 50, 4200: 50 }), { credentials, ...continues }, eight);
	expect(service.called().slice(0, 5)).toContain('CostCenter_Update');
});
