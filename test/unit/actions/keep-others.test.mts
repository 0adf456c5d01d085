/* A list that is read before it is written; test/package/nodes/keep-others.test.mts has it in runs of a node. */
import type { IDataObject } from 'n8n-workflow';
import { costCenterGet } from '../../../nodes/shared/contract/operations.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { costCenterRules } from '../../../nodes/shared/actions/costCenters/update.ts';
import { accessOf, answering } from '../../support/exchange.mts';
import { EMPLOYEE_NS, resultOf, soapAnswer } from '../../support/soap.mts';

const first = { Id: 1, Percentage: 60 };
const second = { Id: 2, Percentage: 40 };
const both = resultOf(
	'CostCenter_Get',
	'<EmployeeCostCenter><Id>1</Id><Percentage>60</Percentage><Color>red</Color></EmployeeCostCenter>' +
		'<EmployeeCostCenter><Id>2</Id><Percentage>40</Percentage></EmployeeCostCenter>',
);

const isSplit = () => false;
const options = { dryRun: false, keepOthers: true, totalMustBe100: false };

/** Merges these rows into those of the service; returns the plan and the requests. */
async function plan(given: IDataObject[], canned = both, more: Partial<typeof options> = {}) {
	const { exchange, requests } = answering(() => canned);
	const request = { EmployeeId: 1001, CostCenteren: given, Period: 6, Year: 2026 };
	const whom = 'Employee ID 1001';
	const asked = { request, options: { ...options, ...more }, whom, isSplit };
	const checked = { ...asked, request: costCenterRules.check(asked) };
	const decision = await costCenterRules.decide(accessOf(exchange), checked);
	return { ...decision, requests };
}

it('is on unless the builder turns it off', () => {
	const { keepOthers, totalMustBe100 } = costCenterRules.switches;
	expect([keepOthers.default, totalMustBe100.default]).toEqual([true, true]);
});

it('reads the list with the keys of the request, and nothing else', async () => {
	const { requests } = await plan([{ Id: 1, Percentage: 50 }]);
	expect(requests).toMatchObject([{ effect: costCenterGet.effect }]);
	expect(String(requests[0]?.body)).toContain(
		`<CostCenter_Get xmlns="${EMPLOYEE_NS}"><EmployeeId>1001</EmployeeId><Period>6</Period><Year>2026</Year></CostCenter_Get>`,
	);
});

it('writes the whole list, and says what was changed, added and kept', async () => {
	const added = { CostCenter: { Code: '4500' } };
	const after = { ...first, Percentage: 50 };
	const changes = {
		changes: ['Record ID 1: 60 → 50', '4500: added'],
		...{ changed: [{ before: first, after }], added: [added], lost: [], kept: ['Record ID 2'] },
		percentageTotal: null,
	};
	expect(await plan([{ Id: 1, Percentage: 50 }, added])).toEqual({
		kind: 'send',
		request: { EmployeeId: 1001, CostCenteren: [after, second, added], Period: 6, Year: 2026 },
		added: { written: true, ...changes },
		shown: changes,
		notices: [
			{
				isProblem: false,
				text: 'Cost Center Code is new, since no current record has it',
				list: ['4500 for Employee ID 1001'],
			},
			{
				isProblem: true,
				text: 'Cost Center is added without a Percentage',
				list: ['4500 for Employee ID 1001'],
			},
			{
				isProblem: true,
				text: 'Not sent, since the operation does not have these fields',
				list: ['Color'],
			},
		],
		requests: [expect.anything()],
	});
});

it.each([
	['changed', { Id: 1, Percentage: 50 }, { added: [] }],
	['added', { CostCenter: { Code: '4500' } }, { changed: [] }],
])('writes if a row is only %s', async (_, row, fields) => {
	expect(await plan([row])).toMatchObject({ kind: 'send', added: { written: true, ...fields } });
});

it('names a row by its code, and by its Record ID if another one has that code', async () => {
	const row = (id: number, code: string) =>
		`<EmployeeCostCenter><Id>${id}</Id><CostCenter><Code>${code}</Code></CostCenter></EmployeeCostCenter>`;
	const current = resultOf('CostCenter_Get', row(1, '4100') + row(2, '4100') + row(3, '4300'));
	const given = [1, 3].map((Id) => ({ Id, Percentage: 50 }));
	expect(await plan(given, current)).toMatchObject({
		shown: { changes: ['4100 Record ID 1: empty → 50', '4300: empty → 50'] },
	});
});

it('writes nothing if nothing would change', async () => {
	const nothing = {
		...{ changed: [], added: [], lost: [], kept: ['Record ID 1', 'Record ID 2'] },
		percentageTotal: 100,
	};
	expect(await plan([{ Id: 1, Percentage: '60.0' }])).toEqual({
		kind: 'nothingToDo',
		record: { success: true, written: false, changes: ['nothing changed'], ...nothing },
		shown: { changes: ['nothing would change'], ...nothing },
		notices: [],
		requests: [expect.anything()],
	});
});

it('names what changes but for the percentage, and a row without a code by its Id', async () => {
	const row = '<EmployeeCostCenter><Id>1</Id><Default>true</Default></EmployeeCostCenter>';
	const given = [{ Id: 1, Default: false, CostCenter: { Code: ' 4100 ' } }];
	expect(await plan(given, resultOf('CostCenter_Get', row))).toMatchObject({
		shown: { changes: ['Record ID 1: Cost Center Code empty → 4100, Default true → false'] },
		notices: [],
	});
});

it.each<[string, IDataObject, string]>([
	['another code', { CostCenter: { Code: '4200' } }, '4100 → 4200, 100 %'],
	[
		'another code and share',
		{ CostCenter: { Code: '4200' }, Percentage: 50 },
		'4100 → 4200, 100 → 50 %',
	],
	['another Id alone', { CostCenter: { Id: 12 } }, '4100: Cost Center ID 11 → 12'],
	[
		'another cost type',
		{ Kostensoort: { Code: '410' }, Default: false },
		'4100: Cost Type Code 400 → 410, Default true → false',
	],
])('tells of %s, and not of what the description was', async (_, given, line) => {
	const row =
		'<EmployeeCostCenter><Id>1</Id><CostCenter><Code>4100</Code><Description>Magazijn</Description><Id>11</Id></CostCenter>' +
		'<Kostensoort><Code>400</Code><Description>Loon</Description></Kostensoort>' +
		'<Percentage>100</Percentage><Default>true</Default></EmployeeCostCenter>';
	const planned = await plan([{ Id: 1, ...given }], resultOf('CostCenter_Get', row));
	expect(planned).toMatchObject({ shown: { changes: [line] } });
});

describe('with Keep Other Cost Centers off', () => {
	const off = { keepOthers: false };

	it('does not send the others, says which are lost, and gives what is given its Record ID', async () => {
		const row = (id: number, code: string, share: number) =>
			`<EmployeeCostCenter><Id>${id}</Id><CostCenter><Code>${code}</Code></CostCenter>` +
			`<Percentage>${share}</Percentage></EmployeeCostCenter>`;
		const current = resultOf('CostCenter_Get', row(1, '4100', 60) + row(2, '4300', 40));
		const given = [{ CostCenter: { Code: '4300' }, Default: true }];
		const after = { Id: 2, CostCenter: { Code: '4300' }, Percentage: 40, Default: true };
		const lost = [{ Id: 1, CostCenter: { Code: '4100' }, Percentage: 60 }];
		expect(await plan(given, current, off)).toMatchObject({
			kind: 'send',
			request: { CostCenteren: [after] },
			added: {
				changes: ['4300: Default empty → true', '4100: lost'],
				...{ written: true, lost, kept: [], percentageTotal: 40 },
			},
		});
	});

	it('writes if rows would only be lost, and nothing if there are no others', async () => {
		expect(await plan([first], both, off)).toMatchObject({
			...{ kind: 'send', request: { CostCenteren: [first] } },
			shown: { changes: ['Record ID 2: lost'], lost: [second], kept: ['Record ID 1'] },
		});
		expect(await plan([first, second], both, off)).toMatchObject({
			...{ kind: 'nothingToDo', record: { written: false, changes: ['nothing changed'] } },
		});
	});

	it('may move a row to the cost center of one that is lost', async () => {
		const row = (id: number, code: string) =>
			`<EmployeeCostCenter><Id>${id}</Id><CostCenter><Code>${code}</Code></CostCenter></EmployeeCostCenter>`;
		const current = resultOf('CostCenter_Get', row(1, '4100') + row(2, '4200'));
		const given = [{ Id: 1, CostCenter: { Code: '4200' } }];
		expect(await plan(given, current, off)).toMatchObject({
			shown: { changes: ['4100 → 4200', '4200: lost'] },
		});
		await expect(plan(given, current)).rejects.toThrow('is the cost center of another record');
	});

	it('refuses another total of what will stand than 100', async () => {
		await expect(plan([first], both, { ...off, totalMustBe100: true })).rejects.toThrow(
			'CostCenteren: the percentages add up to 60 (1: 60), not to 100.',
		);
	});
});

describe('a row of a sheet', () => {
	const decide = async (rows: IDataObject[], keepOthers: boolean) => {
		const { exchange, requests } = answering(() => both);
		const asked = {
			request: { EmployeeId: 1001, CostCenteren: rows },
			options: { ...options, keepOthers },
			whom: 'whom',
			isSplit,
		};
		const checked = async () => await Promise.resolve(costCenterRules.check(asked));
		const decision = await checked()
			.then(async (request) => {
				return await costCenterRules.decide(accessOf(exchange), { ...asked, request });
			})
			.catch((e) => e);
		return { decision, sent: requests.length };
	};

	it.each([
		['a blank code', { Id: 1, CostCenter: { Code: '\u00a0' } }, '[1].CostCenter.Code is empty.'],
		['an empty code', { CostCenter: { Code: '', Id: 7 } }, '[1].CostCenter.Code is empty.'],
		['no code', { Percentage: 40 }, "[1] needs 'Record ID' or 'Cost Center Code' to identify"],
		['null as a code', { CostCenter: { Code: null } }, "[1] needs 'Record ID' or 'Cost Center"],
	])('with %s is refused before anything is sent, whatever is kept', async (_, row, message) => {
		for (const keepOthers of [true, false]) {
			const { decision, sent } = await decide([{ Id: 2 }, row], keepOthers);
			expect(decision).toBeInstanceOf(InputError);
			expect(decision.message).toContain(`CostCenteren${message}`);
			expect(sent).toBe(0);
		}
	});

	it('is written without the whitespace around its codes', async () => {
		const row = { CostCenter: { Code: '4300\u00a0' }, Kostensoort: { Code: ' 400 ' } };
		const codes = { CostCenter: { Code: '4300' }, Kostensoort: { Code: '400' } };
		for (const keepOthers of [true, false]) {
			const { decision } = await decide([{ ...row, Percentage: ' 5 ' }], keepOthers);
			const { CostCenteren } = decision.request;
			expect(CostCenteren.at(-1)).toEqual({ ...codes, Percentage: ' 5 ' });
		}
	});

	it('may name its cost center by Id if all current rows have one', async () => {
		const row = (id: number) =>
			`<EmployeeCostCenter><Id>1</Id><CostCenter><Id>${id}</Id></CostCenter></EmployeeCostCenter>`;
		const given = { CostCenter: { Id: 17 }, Percentage: 100 };
		expect(await plan([given], resultOf('CostCenter_Get', row(17)))).toMatchObject({
			request: { CostCenteren: [{ Id: 1, ...given }] },
		});
		expect(await plan([given], resultOf('CostCenter_Get', row(18)))).toMatchObject({
			shown: { changes: ['Cost Center ID 17: added'] },
		});
		await expect(plan([given])).rejects.toThrow("needs 'Record ID' or 'Cost Center Code'");
	});
});

it('refuses a total of the merged cost centers, unless nothing would change', async () => {
	const must = async (rows: IDataObject[], canned: Parameters<typeof plan>[1]) => {
		const { exchange } = answering(() => canned ?? both);
		const request = { EmployeeId: 1001, CostCenteren: rows, Period: 6, Year: 2026 };
		const on = { ...options, totalMustBe100: true };
		return await costCenterRules.decide(accessOf(exchange), {
			request,
			options: on,
			whom: '',
			isSplit,
		});
	};
	await expect(must([{ Id: 1, Percentage: 50 }], both)).rejects.toThrow('add up to 90 (');
	const half = resultOf(
		'CostCenter_Get',
		'<EmployeeCostCenter><Id>1</Id><Percentage>50</Percentage></EmployeeCostCenter>',
	);
	expect((await must([{ Id: 1 }], half)).kind).toBe('nothingToDo');
});

it('names the row that matches no current record', async () => {
	const failing = plan([{ Id: 1 }, { Id: 9 }]);
	await expect(failing).rejects.toThrow(InputError);
	await expect(failing).rejects.toThrow(
		'CostCenteren[1].Id: no current record has 9. The current ones are 1 and 2.',
	);
});

it('a list that cannot be read is the error of a write that did not begin', async () => {
	const fault =
		'<e:Fault><faultcode>e:Server</faultcode><faultstring>1004: No.</faultstring></e:Fault>';
	const failing = plan([{ Id: 1 }], soapAnswer(fault, 500));
	await expect(failing).rejects.toBeInstanceOf(ServiceError);
	await expect(failing).rejects.toMatchObject({
		outcome: 'notApplied',
		httpStatus: 500,
		serviceCode: '1004',
		description: expect.stringMatching(/^The current records could not be read\. \S/),
	});
});

it('any other failure of the reading is thrown as it is', async () => {
	const failure = new TypeError('thrown');
	const exchange = () => Promise.reject(failure);
	const request = { EmployeeId: 1001, CostCenteren: [] };
	const asked = { request, options, whom: '', isSplit };
	await expect(costCenterRules.decide(accessOf(exchange), asked)).rejects.toBe(failure);
});
