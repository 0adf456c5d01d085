import type { Result } from '../../../dev/engine/index.mts';
import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { useBench } from './bench.mts';

const example = exampleWorkflow('address-change-with-approval.json');

/** What an employee fills in. */
const change = {
	'Employee ID': 1001,
	Street: '<b>Nieuwe</b> Gracht & Kade',
	'House Number': '12',
	'House Number Addition': '',
	'Postal Code': '3512 LC',
	City: 'Utrecht',
	'Country ISO Code': 'NL',
};

const inserted =
	'<Address_Insert><EmployeeId>1001</EmployeeId><Address>' +
	'<Street>&lt;b&gt;Nieuwe&lt;/b&gt; Gracht &amp; Kade</Street><HouseNumber>12</HouseNumber>' +
	'<HouseNumberAddition></HouseNumberAddition><PostalCode>3512 LC</PostalCode><City>Utrecht</City>' +
	'<CountryISOCode>NL</CountryISOCode><Type>HomeAddress</Type></Address>' +
	'<Period>6</Period><Year>2026</Year><UnprotectedMode>false</UnprotectedMode></Address_Insert>';

const approval = { Approve: 'Yes', Period: 6, Year: 2026 };

const read = '<Address_GetListCurrent><EmployeeId>1001</EmployeeId></Address_GetListCurrent>';

const bench = useBench();

/** Submits the employee's form; gives the run that waits for its approval. */
async function asked(): Promise<Result> {
	const { error, status, called, outputs } = await bench.receive(example, 'Address Change', change);
	expect(error).toBeUndefined();
	// The employee's own run has ended without reaching the approver's form.
	expect(status).toBe('success');
	expect(outputs('Wait for Approval')).toEqual([]);
	expect(called).toHaveLength(1);
	return called[0] as Result;
}

it('asks an approver, and writes nothing before there is an answer', async () => {
	const waiting = await asked();
	expect(waiting.status).toBe('waiting');
	const [request] = waiting.json('Tell the Approver');
	expect(request).toMatchObject({
		...change,
		address: 'bNieuwe/b Gracht & Kade 12 3512 LC Utrecht NL',
	});
	expect(request?.message).toMatch(
		new RegExp(`^Employee 1001 asks for .*: http://.*/form-waiting/${waiting.executionId}`),
	);
	expect(await bench.sent()).toEqual([]);
});

it('inserts the address after the approver says yes, in the period that the approver gives', async () => {
	const { error, json } = await bench.resume(example, await asked(), approval);
	expect(error).toBeUndefined();
	expect(await bench.sent()).toEqual([read, inserted]);
	expect(json('Insert Address')).toEqual([
		{ EmployeeId: 1001, Period: 6, Year: 2026, Id: expect.any(Number) as number, created: true },
	]);
	expect(json('Not Approved')).toEqual([]);
});

it('inserts the address once, even if the form was submitted and approved twice', async () => {
	const first = await bench.resume(example, await asked(), approval);
	const second = await bench.resume(example, await asked(), approval);
	expect(second.error).toBeUndefined();
	expect(await bench.executed()).toEqual({ Address_GetListCurrent: 2, Address_Insert: 1 });
	const [inserted] = first.json('Insert Address');
	expect(second.json('Insert Address')).toEqual([
		expect.objectContaining({ Id: inserted?.Id, Street: change.Street, created: false }),
	]);
});

it.each([
	['the approver says no', { Approve: 'No', Period: 6, Year: 2026 }],
	['nobody answers in time', undefined],
])('writes nothing if %s', async (_, approval) => {
	const { error, status, json } = await bench.resume(example, await asked(), approval);
	expect(error).toBeUndefined();
	expect(status).toBe('success');
	expect(json('Not Approved')).toHaveLength(1);
	expect(json('Insert Address')).toEqual([]);
	expect(await bench.sent()).toEqual([]);
});

it('fails with the reason if the service refuses', async () => {
	const approval = { Approve: 'Yes', Period: 5, Year: 2026 };
	const { error, status, json } = await bench.resume(example, await asked(), approval);
	expect(status).toBe('error');
	expect(error?.message).toMatch(/period lies before the current period/);
	expect(json('Insert Address')).toEqual([]);
	expect(await bench.sent()).toEqual([read, expect.stringMatching(/^<Address_Insert>/)]);
});
