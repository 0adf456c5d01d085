/** What slips into a sheet: it is refused before anything is sent, or never reaches the service. */
import type { IDataObject } from 'n8n-workflow';
import { createAddress, updateCostCenters } from '../../../dev/package/calls.mts';
import { soapRequests } from '../requests.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const credential = useCredential(payroll, sandbox);

async function update(row: IDataObject) {
	const input = [{ EmployeeId: 1001, Period: 6, Year: 2026, Percentage: 100, ...row }];
	const parameters = { ...updateCostCenters, specifyCostCenteren: 'items', period: '', year: '' };
	return await payroll.run(input, credential.employee({ ...parameters, keepOthers: false }));
}

it.each([
	...['#N/A', '#N/B', ' #REF! ', '#VERW!', '#VALUE!', '#DIV/0!', '#NAAM?', '#BEZUG!'],
	...['[object Object]', 'undefined', 'NaN', 'null'],
])('%j as a code is no value', async (code) => {
	const { error } = await update({ 'Cost Center Code': code });
	expect(error?.message).toMatch(/is what a failed formula or expression leaves, not a value\.$/);
	expect(await soapRequests(sandbox)).toEqual([]);
});

it.each([
	...['n.v.t.', 'N/A', '-', '–', '?'].map((code) => [code, 'is no code.']),
	['4200,00', 'is a number that a sheet has formatted. If the code is 4200, write that.'],
	['4.200', 'is a number that a sheet has formatted. If the code is 4200, write that.'],
	['42\u200b00', 'contains an invisible character.'],
])('%j is asked back as a code', async (code, text) => {
	const { error } = await update({ 'Cost Center Code': code });
	expect(error?.message).toContain(text);
	expect(error?.message).toContain('Row 2');
	expect(await soapRequests(sandbox)).toEqual([]);
});

it('invisible characters around a code are not sent', async () => {
	const { json, error } = await update({ 'Cost Center Code': '\ufeff\u200b4200\u00ad\u00a0' });
	expect(error).toBeUndefined();
	expect(json('Payroll')[0]?.changes).toContain('4200: ');
});

it('a year of two digits is probably meant as one of this century', async () => {
	const { error } = await update({ 'Cost Center Code': '4200', Year: 26 });
	expect(error?.message).toContain('26 is more than one year from now (2026?).');
});

it('an error of a sheet is no street', async () => {
	const parameters = { ...createAddress, street: '#N/B' };
	const { error } = await payroll.run([{ id: 1001 }], credential.employee(parameters));
	expect(error?.message).toBe(
		`'Street': "#N/B" is what a failed formula or expression leaves, not a value.`,
	);
	expect(await soapRequests(sandbox)).toEqual([]);
});

describe('columns that are not mapped', () => {
	const named = { 'Cost Center Code': '4200', Name: 'Ann', Note: 'x' };

	it('are in the items, also where another mapping is by hand', async () => {
		const [item] = (await update(named)).json('Payroll');
		expect(item).toMatchObject({ EmployeeId: 1001, Name: 'Ann', Note: 'x', written: true });
		const { json } = await payroll.run(
			[{ ID: 1001, Code: '4200', Name: 'Ann' }],
			credential.employee({
				...{ ...updateCostCenters, specifyCostCenteren: 'items', keepOthers: false },
				costCenterenColumns: {
					mappingMode: 'defineBelow',
					value: {
						EmployeeId: '={{ $json.ID }}',
						'CostCenter.Code': '={{ $json.Code }}',
						Percentage: 100,
					},
				},
			}),
		);
		expect(json('Payroll')).toMatchObject([{ EmployeeId: 1001, Name: 'Ann' }]);
		expect(json('Payroll')[0]).not.toHaveProperty('Code');
	});

	it('are left out, if the option is off', async () => {
		const parameters = { ...updateCostCenters, specifyCostCenteren: 'items', keepOthers: false };
		const input = [{ EmployeeId: 1001, Period: 6, Year: 2026, Percentage: 100, ...named }];
		const { json } = await payroll.run(
			input,
			credential.employee({ ...parameters, options: { includeOtherFields: false } }),
		);
		expect(json('Payroll')[0]).not.toHaveProperty('Name');
	});
});
