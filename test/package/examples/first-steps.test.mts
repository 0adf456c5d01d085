import { exampleWorkflow, withParameters } from '../../../dev/package/workflow-file.mts';
import { useBench } from './bench.mts';

const bench = useBench();

it('reads the cost centers of each employee', async () => {
	const { error, json } = await bench.run(exampleWorkflow('employee-cost-centers.json'));
	expect(error).toBeUndefined();
	const employees = json('Get Cost Centers').map(({ EmployeeId }) => EmployeeId);
	expect(employees).toEqual([1001, 1002, 1002, 1003, 1003, 1003]);
	expect(await bench.executed()).toEqual({ CostCenter_Get: 3 });
});

it('reads all hour codes of a company', async () => {
	const { error, json } = await bench.run(exampleWorkflow('hour-codes.json'));
	expect(error).toBeUndefined();
	expect(json('Get Hour Codes')).toHaveLength(37);
	// A list without a limit is read twice, to check it for changes.
	expect((await bench.sandbox.stats()).restCalls).toBe(3);
});

it('changes the address of a company after the dry run is switched off', async () => {
	const example = exampleWorkflow('company-address.json');
	const dry = await bench.run(example);
	expect(dry.json('Update Address')).toMatchObject([{ dryRun: true, CompanyId: 200 }]);
	expect(await bench.sent()).toEqual([]);

	const wet = withParameters(example, 'Update Address', (parameters) => {
		return { ...parameters, dryRun: false };
	});
	const { error, json } = await bench.run(wet);
	expect(error).toBeUndefined();
	expect(json('Update Address')).toEqual([{ CompanyId: 200, success: true }]);
	expect(await bench.sent()).toEqual([
		'<Address_Update><CompanyId>200</CompanyId><Address><Street>Stationsplein</Street>' +
			'<HouseNumber>9</HouseNumber><PostalCode>3511 ED</PostalCode><City>Utrecht</City>' +
			'<CountryISOCode>NL</CountryISOCode></Address></Address_Update>',
	]);
});
