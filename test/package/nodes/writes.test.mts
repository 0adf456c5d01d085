/**
 * Writes, from the records before them to what their items say: the service applies, loses, delays and normalises them.
 * Judged is what stands there afterwards, by what stood there before.
 */
import { setTimeout } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	chain,
	editFields,
	retryWorkflow,
	runWorkflow,
	type NodeDraft,
	type Result,
} from '../../../dev/engine/index.mts';
import {
	createAddress,
	getCostCenters,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { clockAhead, shortenDeadlines } from '../../support/clock.mts';
import {
	answerOf,
	codeOf,
	costCentersOf,
	hangs,
	lost,
	normalisations,
	recordIn,
	serverFault,
	unavailable,
	type Answer,
	type Behaviour,
	type NormalisationName,
	type Row,
} from '../../support/plain-service.mts';
import { usePlainService } from '../../support/setUp.mts';

const { service, payroll, credential } = usePlainService();
afterEach(() => jest.restoreAllMocks());

const EMPLOYEE = 1001;
const KEY = String(EMPLOYEE);

type Shares = Readonly<Record<string, number | string>>;

/** Puts cost centers at the service. */
function putShares(shares: Shares, employee = EMPLOYEE): void {
	const rows = Object.entries(shares).map(([Code, share]) => {
		return { CostCenter: { Code }, Percentage: String(share) };
	});
	service.put(costCentersOf(employee), rows);
}

const costCenters = (employee = EMPLOYEE): readonly Row[] =>
	service.records.get(costCentersOf(employee)) ?? [];

/** The cost centers that the service has. */
const shares = (employee = EMPLOYEE): Shares =>
	Object.fromEntries(costCenters(employee).map((row) => [codeOf(row), Number(row.Percentage)]));

/** An update of these cost centers; *Keep Other* and *Verify* are on, as by default. */
function update(asked: Shares, more: INodeParameters = {}): INodeParameters {
	const { verify: _, keepOthers: __, ...parameters } = updateCostCenters;
	const row = Object.entries(asked).map(([costCenterCode, percentage]) => {
		return { costCenterCode, percentage };
	});
	return { ...parameters, costCenteren: { row }, ...more };
}

const home = {
	Street: 'Keizersgracht',
	HouseNumber: '241',
	PostalCode: '1016 EA',
	City: 'Amsterdam',
};
const upstairs: Row = { ...home, HouseNumberAddition: 'B', Type: 'HomeAddress' };
const wanted: Row = { ...home, Type: 'HomeAddress' };

const addresses = (): readonly Row[] => service.records.get(KEY) ?? [];

/** An insert of {@link wanted}; *Verify* is on, as by default. */
function insert(more: INodeParameters = {}): INodeParameters {
	const { verify: _, ...parameters } = createAddress;
	return { ...parameters, ...more };
}

/** What a run says. */
interface Said {
	readonly items: IDataObject[];
	readonly error: IDataObject | undefined;
	readonly hints: string;
	retry(parameters?: INodeParameters): Promise<Said>;
}

async function run(
	parameters: INodeParameters,
	more: Partial<NodeDraft> = {},
	input: IDataObject[] = [{ id: EMPLOYEE }],
): Promise<Said> {
	const optionsOf = (now: INodeParameters) =>
		payroll.workflow(chain(input, credential.employee(now, more)));
	const said = (result: Result): Said => {
		const { error } = result;
		const hints = result.run.data.resultData.runData.Payroll?.[0]?.hints ?? [];
		return {
			items: result
				.outputs('Payroll')
				.flat()
				.map(({ json }) => json),
			error: error && {
				...{ message: error.message, description: error.description },
				...(error.context?.data as IDataObject),
			},
			hints: hints.map(({ message }) => message).join('\n'),
			retry: async (now = parameters) => said(await retryWorkflow(optionsOf(now), result)),
		};
	};
	return said(await runWorkflow(optionsOf(parameters)));
}

/** What was said of an item: its error, or the item itself. */
function about({ items, error }: Pick<Said, 'items' | 'error'>, index = 0): IDataObject {
	return error ?? (items[index]?.error as IDataObject | undefined) ?? items[index] ?? {};
}

const continues = { onError: 'continueRegularOutput' } as const;
const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const applied = { outcome: 'applied', verified: true };
const unknown = { outcome: 'unknown' };
const NOT_THERE = 'was not there 2 seconds later; it may still arrive';
/** It is applied when it is let through. */
const HELD = 1000;

/** A write whose result is known whatever the service does. */
interface Kind {
	readonly name: string;
	readonly parameters: INodeParameters;
	readonly read: string;
	readonly write: string;
	/** Puts what stands there before. */
	seed(): void;
	/** Lets the service have what is wanted. */
	fix(): void;
}

const updating: Kind = {
	name: 'cost centers',
	parameters: update({ 4100: 50, 4200: 50 }),
	...{ read: 'CostCenter_Get', write: 'CostCenter_Update' },
	seed: () => putShares({ 4100: 60, 4200: 40 }),
	fix: () => putShares({ 4100: 50, 4200: 50 }),
};

const inserting: Kind = {
	name: 'an address',
	parameters: insert(),
	...{ read: 'Address_GetListCurrent', write: 'Address_Insert' },
	seed: () => service.put(KEY, [upstairs]),
	fix: () => {
		const [first = upstairs, own] = addresses();
		service.put(KEY, [first, { ...own, ...wanted }]);
	},
};

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
	['in doubt, and as wanted', { answer: lost }, applied, 'Employee ID 1001', 1],
	['in doubt, and so 2 s later', { answer: lost, applies: 1 }, applied, 'Employee ID 1001', 2],
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
const refused: Answer = (response) => void response.writeHead(404).end();

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

	it.each<[string, Partial<NodeDraft>]>([
		['', {}],
		[', with Continue', continues],
		[', with the error output', { onError: 'continueErrorOutput' }],
	])('is what the item says%s', async (_mode, more) => {
		const result = await run(parameters, more);
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

describe.each(kinds)('$name', ({ seed, parameters, read, write }) => {
	beforeEach(seed);

	it.each<[string, Answer]>([
		[
			'a web page with HTTP 500',
			(response) => void response.writeHead(500, html).end('<h1>Error</h1>'),
		],
		['HTTP 200 with a web page', (response) => void response.writeHead(200, html).end('<p>')],
		['HTTP 202', (response) => void response.writeHead(202).end()],
		['an unclear fault', serverFault('Out of memory')],
		['another answer', (response) => void response.writeHead(200, xml).end('<a/>')],
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

	it.each(['once', 'never'] as const)(
		'that the service refused with a code is read at once, and before a person sends it again: applied %s',
		async (applies) => {
			service.behaviour = { applies, answer: serverFault('1205: Deadlock') };
			const failed = await run(parameters, tries);
			const outcome = applies === 'once' ? 'applied' : 'refused';
			expect(about(failed)).toMatchObject({ outcome });
			expect(service.writes()).toBe(1);
			service.behaviour = {};
			const { items } = await failed.retry();
			expect(items).toMatchObject([{ verified: true }]);
			expect(service.writes()).toBe(applies === 'once' ? 1 : 2);
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
				],
	)('that the service answers with %s is read', async (content) => {
		service.behaviour = { applies: 'never', answer: answerOf(content) };
		expect(about(await run(parameters))).toMatchObject({ code: 'WRITE_UNCONFIRMED', ...unknown });
		expect(service.called()).toEqual([read, write, read, read]);
		service.behaviour = { answer: answerOf(content) };
		const { items } = await run(parameters);
		expect(items).toMatchObject([applied]);
	});

	it('is read for 10 seconds, twice, but once after five in a row that the service did not show', async () => {
		const timeout = shortenDeadlines(20);
		service.behaviour = (who) => (who === '1007' ? {} : { reads: hangs });
		const ids = Array.from({ length: 14 }, (_, index) => 1001 + index);
		const { items, error } = await run(
			{ ...parameters, options: { concurrency: 1 } },
			{},
			ids.map((id) => ({ id })),
		);
		expect(error).toBeUndefined();
		expect(items.map(({ verified }) => verified)).toEqual(ids.map((id) => id === 1007));
		const reads = ids.map(
			(id) => service.called(String(id)).filter((name) => name === read).length,
		);
		// One before the write; after it two, or one once five in a row were not as wanted.
		expect(reads).toEqual([3, 3, 3, 3, 3, 2, 2, 3, 3, 3, 3, 3, 2, 2]);
		const [before, sent, first, second] = timeout.mock.calls.flat().filter((time) => time >= 1000);
		expect([before, sent, first]).toEqual([60_000, 60_000, 10_000]);
		expect(second).toBeLessThanOrEqual(10_000);
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
});

describe('cost centers', () => {
	it.each([true, false])(
		'that lose others are not there because those that were sent are (Verify: %j)',
		async (verify) => {
			const parameters = update({ 4200: 100 }, { keepOthers: false, verify });
			putShares({ 4100: 30, 4200: 100 });
			service.behaviour = { applies: 'never', answer: lost };
			const { error } = await run(parameters);
			expect(error).toMatchObject({ ...unknown, description: expect.stringContaining(NOT_THERE) });
			expect(shares()).toEqual({ 4100: 30, 4200: 100 });
			service.behaviour = { answer: lost };
			expect((await run(parameters)).items).toMatchObject([applied]);
			expect(shares()).toEqual({ 4200: 100 });
		},
	);

	it('that a service kept, although they were not sent, are named', async () => {
		putShares({ 4100: 60, 4200: 40 });
		service.behaviour = { applies: 'merged' };
		const { error } = await run(update({ 4900: 100 }, { keepOthers: false }));
		expect(error).toMatchObject({ code: 'WRITTEN_OTHERWISE', outcome: 'applied' });
		expect(error?.description).toMatch(/4100.*4200/s);
		expect(error?.description).not.toContain('4900');
	});

	describe('of one employee and period, in two items, with Keep Other off', () => {
		const parameters = update({ '={{ $json.code }}': 100 }, { keepOthers: false });
		const first = { id: EMPLOYEE, code: 'A' };
		const other = { id: 1002, code: 'A' };
		const isNamed = (text: unknown) => {
			expect(text).toMatch(/item 0|row 2/i);
			expect(text).toMatch(/item 2|row 4/i);
		};

		it.each([
			['a number', EMPLOYEE],
			['a text', KEY],
		])('are refused before anything is sent, also if the second ID is %s', async (_, id) => {
			const { error } = await run(parameters, {}, [first, other, { id, code: 'B' }]);
			expect(error).toMatchObject({ code: 'VALUE_CONFLICT', outcome: 'notApplied' });
			isNamed(`${String(error?.message)} ${String(error?.description)}`);
			expect(service.calls).toEqual([]);
		});

		it('are refused with Continue, and the others are sent', async () => {
			const input = [first, other, { ...first, code: 'B' }];
			const said = await run(parameters, continues, input);
			const refused = { code: 'VALUE_CONFLICT', outcome: 'notApplied' };
			expect([0, 1, 2].map((index) => about(said, index))).toMatchObject([
				refused,
				{ EmployeeId: 1002, verified: true },
				refused,
			]);
			for (const index of [0, 2]) isNamed(`Item ${index}: ${JSON.stringify(about(said, index))}`);
			expect(service.calls.map(({ who }) => who)).not.toContain(KEY);
		});

		it('are written for two periods, and with Keep Other on', async () => {
			const periods = [6, 7].map((period) => ({ ...first, period }));
			const apart = await run({ ...parameters, period: '={{ $json.period }}' }, {}, periods);
			expect(apart.items).toMatchObject([{ verified: true }, { verified: true }]);
			const more = { keepOthers: true, totalMustBe100: false };
			await run({ ...parameters, ...more }, {}, [first, { ...first, code: 'B' }]);
			expect(shares()).toEqual({ A: 100, B: 100 });
		});
	});

	it.each([
		['kp02', 'KP02'],
		['KP-02', 'KP02'],
		['4100 A', '4100A'],
	])('whose code %s differs from %s by case or signs alone are refused', async (given, current) => {
		putShares({ [current]: 100 });
		const more = { totalMustBe100: false };
		const { error } = await run(update({ [given]: 100 }, more));
		expect(error).toMatchObject({
			...{ code: 'VALUE_AMBIGUOUS', outcome: 'notApplied' },
			message: expect.stringContaining(current),
		});
		expect(service.writes()).toBe(0);
		expect((await run(update({ [` ${current} `]: 100 }))).items).toMatchObject([
			{ written: false },
		]);
	});

	it('are changed by one text for people', async () => {
		putShares({ 4100: 60 });
		const parameters = update({ 4100: 50, 4200: 50 });
		const row = [
			{ costCenterCode: '4100', percentage: 50 },
			{ costCenterCode: '4200', percentage: 50, fields: { default: true } },
		];
		const changes = '4100: 60 → 50 % · 4200: added, 50 %, Default';
		for (const dryRun of [true, false]) {
			const { items } = await run({ ...parameters, costCenteren: { row }, dryRun });
			expect(items).toMatchObject([{ changes, written: !dryRun }]);
			for (const name of ['changed', 'added', 'lost', 'kept'])
				expect(items[0]).not.toHaveProperty(name);
		}
	});

	it('have one default: another that is kept is none any more', async () => {
		service.put(costCentersOf(EMPLOYEE), [
			{ CostCenter: { Code: '4100' }, Percentage: '60', Default: 'true' },
			{ CostCenter: { Code: '4200' }, Percentage: '40', Default: 'false' },
		]);
		const row = [{ costCenterCode: '4200', percentage: 40, fields: { default: true } }];
		const parameters = update({}, { costCenteren: { row } });
		const [shown = {}] = (await run({ ...parameters, dryRun: true })).items;
		expect(shown.changes).toMatch(/4100.*Default/);
		expect(shown.changes).toMatch(/4200.*Default/);
		expect((await run(parameters)).items).toMatchObject([
			{ verified: true, changes: shown.changes },
		]);
		expect(costCenters().map((one) => one.Default)).toEqual(['false', 'true']);
	});

	it('that were read more than 5 seconds before are read again before they are written', async () => {
		for (const who of [EMPLOYEE, EMPLOYEE + 1]) putShares({ 4100: 100 }, who);
		service.behaviour = (who) => {
			if (who !== KEY) return {};
			const answer: Answer = async (_, __, reply) => {
				while (service.called(String(EMPLOYEE + 1)).length === 0) await setTimeout(1);
				putShares({ 4100: 70, 4300: 30 }, EMPLOYEE + 1);
				clockAhead(6);
				reply('');
			};
			return { answer };
		};
		const ids = [{ id: EMPLOYEE }, { id: EMPLOYEE + 1 }];
		const parameters = update({ 4100: 60 }, { totalMustBe100: false });
		const { items } = await run(parameters, {}, ids);
		expect(items[1]).toMatchObject({ changes: expect.stringContaining('70 → 60') as string });
	});

	it.each([
		['once', undefined, 'default', { verified: true }],
		['never', undefined, 'default', { code: 'NOT_CHANGED' }],
		['never', lost, 'default', unknown],
		// Descriptions are not compared, so nobody can see whether they were applied.
		['once', undefined, 'costCenterDescription', { verified: false }],
		['never', undefined, 'costCenterDescription', { verified: false }],
		['never', lost, 'costCenterDescription', unknown],
	] as const)(
		'whose service applies it %s and answers with %p: %s alone',
		async (applies, answer, field, expected) => {
			service.put(costCentersOf(EMPLOYEE), [
				{ CostCenter: { Code: '4100' }, Percentage: '100', Default: 'true' },
			]);
			service.behaviour = { applies, answer };
			const value = field === 'default' ? false : 'Warehouse';
			const row = [{ costCenterCode: '4100', percentage: 100, fields: { [field]: value } }];
			const said = await run(update({}, { costCenteren: { row } }));
			expect(about(said)).toMatchObject(expected);
			const isSeen = field === 'default';
			expect(JSON.stringify([said.error, said.hints]).includes('was the same before')).toBe(
				!isSeen,
			);
		},
	);

	describe('from input items', () => {
		beforeEach(() => {
			service.put(costCentersOf(EMPLOYEE), [
				{
					Id: '11',
					CostCenter: { Code: '4100', Description: 'Warehouse', Id: '17' },
					Kostensoort: { Code: '400' },
					Percentage: '60',
				},
				{
					Id: '12',
					CostCenter: { Code: '4200', Description: 'Office', Id: '18' },
					Kostensoort: { Code: '410' },
					Percentage: '40',
				},
			]);
		});
		const matchedBy = (field: string) =>
			update(
				{},
				{
					specifyCostCenteren: 'items',
					costCenterenColumns: {
						...{
							mappingMode: 'autoMapInputData',
							value: null,
							matchingColumns: [field],
							schema: [],
						},
						...{ attemptToConvertTypes: false, convertFieldsToString: false },
					} as unknown as INodeParameters,
				},
			);
		const keys = { EmployeeId: EMPLOYEE, Period: 6, Year: 2026 };
		const stored = () =>
			costCenters().map((row) => [
				row.Id,
				codeOf(row),
				recordIn(row, 'Kostensoort').Code,
				Number(row.Percentage),
			]);

		it('are matched by their code if the builder chose it, whatever their Record ID is', async () => {
			// The Record IDs of an export of another period.
			const { error } = await run(matchedBy('CostCenter.Code'), {}, [
				{ ...keys, Id: 12, CostCenter: { Code: '4100' }, Percentage: 70 },
				{ ...keys, Id: 11, CostCenter: { Code: '4200' }, Percentage: 30 },
			]);
			expect(error).toBeUndefined();
			expect(stored()).toEqual([
				['11', '4100', '400', 70],
				['12', '4200', '410', 30],
			]);
		});

		it('that get another code do not keep the Id and the description of the one before', async () => {
			const drawing = chain(
				[{ id: EMPLOYEE }],
				credential.employee(getCostCenters, { name: 'Read' }),
				editFields({ 'CostCenter.Code': '={{ $json.CostCenter.Code.replace("4100", "4960") }}' }),
				credential.employee(matchedBy('Id')),
			);
			const { error, json } = await runWorkflow(payroll.workflow(drawing));
			expect(error).toBeUndefined();
			expect(json('Payroll')).toMatchObject([{ verified: true }]);
			expect(costCenters().map((row) => row.CostCenter)).toEqual([
				{ Code: '4960' },
				{ Code: '4200', Description: 'Office', Id: '18' },
			]);
			expect(stored().map(([id]) => id)).toEqual(['11', '12']);
		});
	});
});

describe('an address', () => {
	const before = { applies: 'never', answer: lost } as const;

	it.each([
		['241 B', upstairs],
		['an equal one', wanted],
		['one in other notation', { ...wanted, Street: 'KEIZERSGRACHT', PostalCode: '1016EA' }],
	])('is not there because %s was before', async (_, row) => {
		service.put(KEY, [row]);
		service.behaviour = before;
		const { error } = await run(insert());
		expect(error).toMatchObject({ ...unknown, description: expect.stringContaining(NOT_THERE) });
		expect(addresses()).toHaveLength(1);
		expect(service.writes()).toBe(1);
	});

	it('is verified with another Id than was given', async () => {
		const { items } = await run(insert({ addressFields: { type: 'HomeAddress', id: 7 } }));
		expect(items).toMatchObject([{ verified: true, Id: Number(addresses()[0]?.Id) }]);
	});

	it('is there beside an equal one', async () => {
		service.put(KEY, [wanted]);
		service.behaviour = { answer: lost };
		const { items } = await run(insert());
		expect(items).toMatchObject([{ ...applied, Id: Number(addresses()[1]?.Id) }]);
	});

	it('is not verified by another one than the service named', async () => {
		service.put(KEY, [wanted]);
		const answer = answerOf('<Address_InsertResult>9500</Address_InsertResult>');
		service.behaviour = { applies: 'never', answer };
		const { items, hints } = await run(insert());
		expect(items).toMatchObject([{ Id: 9500, verified: false }]);
		expect(hints).toContain('not verified');
	});

	it('is not verified by an equal one that was there before, even if the service names it', async () => {
		service.put(KEY, [{ ...wanted, Id: '77' }]);
		const answer = answerOf('<Address_InsertResult>77</Address_InsertResult>');
		service.behaviour = { applies: 'never', answer };
		const { items, hints } = await run(insert());
		expect(items).toMatchObject([{ Id: 77, verified: false }]);
		expect(hints).toContain('was there before');
	});

	it.each([
		['once', 'Keizersgracht'],
		['never', ''],
	] as const)('is in doubt if nothing was read before: applied %s', async (applies, named) => {
		service.behaviour = { applies, answer: lost };
		const { error, retry } = await run(insert({ verify: false }));
		expect(error).toMatchObject(unknown);
		expect(error?.description).toContain(named);
		if (named !== '') expect(error?.description).toContain('may have been there before');
		expect(about(await retry())).toMatchObject(unknown);
		expect(service.called()[0]).toBe('Address_Insert');
		expect(service.writes()).toBe(1);
	});

	describe('with Skip If It Exists', () => {
		const skips = insert({ skipIfExists: true });

		it.each([
			['another addition', upstairs],
			['another city', { ...wanted, City: 'Haarlem' }],
			['another number', { ...wanted, HouseNumber: '24', HouseNumberAddition: '2' }],
		])('is inserted beside one with %s', async (_, row) => {
			service.put(KEY, [row]);
			expect((await run(skips)).items).toMatchObject([{ created: true, verified: true }]);
			expect(service.writes()).toBe(1);
		});

		it.each([
			['in upper case', { ...wanted, Street: 'KEIZERSGRACHT', City: 'AMSTERDAM' }],
			['with other signs', { ...wanted, PostalCode: '1016-ea' }],
			['with a country', { ...wanted, CountryISOCode: 'NL', StateProvince: 'Noord-Holland' }],
		])('is not inserted beside the same one %s', async (_, row) => {
			service.put(KEY, [row]);
			expect((await run(skips)).items).toMatchObject([{ created: false }]);
			expect(service.writes()).toBe(0);
		});

		it('has its number and its addition as one', async () => {
			service.put(KEY, [{ ...wanted, HouseNumber: '241 B' }]);
			const parameters = {
				...skips,
				houseNumberAddition: 'b',
			};
			expect((await run(parameters)).items).toMatchObject([{ created: false }]);
		});

		it('that arrived after a doubt is created, however it stands there when the execution is retried', async () => {
			service.behaviour = { applies: HELD, answer: lost };
			const failed = await run(skips);
			expect(failed.error).toMatchObject(unknown);
			service.recover();
			const { items } = await failed.retry();
			expect(items).toMatchObject([{ ...applied, created: true, Id: Number(addresses()[0]?.Id) }]);
			expect(service.writes()).toBe(1);
		});
	});
});

describe('a service that normalises', () => {
	const shown = [
		['4100', 0],
		['kp02', '33.333'],
		['4300', '33.333'],
		['4400', '33.334'],
	] as const;
	const address = { street: ' Keizersgracht ', postalCode: '1016ea' };
	const names = Object.keys(normalisations) as NormalisationName[];
	const kindsOf: ReadonlyArray<[string, INodeParameters]> = [
		['cost centers', update(Object.fromEntries(shown))],
		[
			'an address',
			insert({ ...address, addressFields: { type: 'HomeAddress', countryISOCode: 'nl' } }),
		],
	];
	const all = kindsOf.flatMap(([kind, parameters]) =>
		[...names.map((name) => [name]), names].map((some) => {
			return [
				kind,
				some.length === 1 ? some.join() : 'does all of that',
				some,
				parameters,
			] as const;
		}),
	);

	it.each(all)('has %s as wanted if it %s', async (_kind, _name, some, parameters) => {
		service.normalises = some;
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

describe.each(kinds)('$name that arrives late', ({ seed, parameters }) => {
	beforeEach(seed);

	it('is found by Retry On Fail', async () => {
		service.behaviour = { applies: 2, answer: lost };
		const { items, error } = await run(parameters, tries);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([applied]);
		expect(service.writes()).toBe(1);
	});
});

it('cost centers that arrive late after an answer are found by a retry', async () => {
	updating.seed();
	service.behaviour = { applies: 2 };
	const failed = await run(updating.parameters);
	expect(failed.error).toMatchObject({ code: 'NOT_CHANGED' });
	expect((await failed.retry()).items).toMatchObject([applied]);
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
	expect(service.called()).toEqual(['Address_Update', 'Address_Update']);
});

describe('a retry of the execution with another switch is another call', () => {
	const refusesSecond = () => {
		service.behaviour = (who) => (who === KEY ? {} : { applies: 'never', answer: refused });
	};
	const two = [{ id: EMPLOYEE }, { id: 1002 }];

	it.each<[string, INodeParameters, object, Shares, writes: number]>([
		['none', {}, { written: true }, { 4100: 100, 4200: 40 }, 1],
		['Keep Other Cost Centers', { keepOthers: false }, { written: true }, { 4100: 100 }, 2],
		[
			'Total Must Be 100 %',
			{ totalMustBe100: true },
			{ written: false },
			{ 4100: 100, 4200: 40 },
			1,
		],
		['Any Period', { anyPeriod: true }, { written: false }, { 4100: 100, 4200: 40 }, 1],
	])('%s', async (_, changed, item, stored, writes) => {
		putShares({ 4100: 60, 4200: 40 });
		refusesSecond();
		const parameters = update({ 4100: 100 }, { totalMustBe100: false });
		const failed = await run(parameters, {}, two);
		expect(failed.error).toMatchObject({ outcome: 'notApplied' });
		service.behaviour = {};
		const { items, error } = await failed.retry({ ...parameters, ...changed });
		expect(error).toBeUndefined();
		expect(items[0]).toMatchObject(item);
		expect(shares()).toEqual(stored);
		expect(service.writes(KEY)).toBe(writes);
	});

	it('Skip If It Exists', async () => {
		refusesSecond();
		const failed = await run(insert(), {}, two);
		service.behaviour = {};
		const { items } = await failed.retry(insert({ skipIfExists: true }));
		expect(items).toMatchObject([{ created: false }, { created: true }]);
		expect(service.writes(KEY)).toBe(1);
	});
});

it('a write that the service has otherwise stops a batch, which counts it as applied', async () => {
	service.behaviour = (who) => ({ applies: who === '1002' ? 'half' : 'once' });
	const parameters = update({ 4100: 50, 4200: 50 }, { options: { concurrency: 1 } });
	const { error } = await run(parameters, {}, [{ id: 1001 }, { id: 1002 }, { id: 1003 }]);
	expect(error).toMatchObject({ code: 'WRITTEN_OTHERWISE', outcome: 'applied' });
	expect(error?.description).toContain('2 of 3 items were applied: Employee ID 1001, 1002.');
	expect(service.writes('1003')).toBe(0);
});
