/** Return an Item if Empty: an item for each input item without records. */
import type { INodeParameters } from 'n8n-workflow';
import { getAddresses, getCostCenters, getHourCodes } from '../../../dev/package/calls.mts';
import { withoutAddress, withoutCostCenter } from '../../../dev/sandbox/state.mts';
import { replying } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const credential = useCredential(payroll, sandbox);
const scripted = useCredential(payroll, sandbox, () => ({ restUrl: server.url }));

const wanted = { options: { returnItemIfEmpty: true } };
const inPeriod = { Period: 6, Year: 2026 };

it.each<[string, INodeParameters, number, object]>([
	['cost centers', getCostCenters, withoutCostCenter, inPeriod],
	['addresses', getAddresses, withoutAddress, {}],
])('an employee without %s is an item with the keys', async (_, parameters, id, keys) => {
	const read = async (more: INodeParameters) => {
		const input = [{ id }, { id: 1001 }];
		const result = await payroll.run(input, credential.employee({ ...parameters, ...more }));
		expect(result.error).toBeUndefined();
		return result.items('Payroll');
	};
	const [first, second] = await read(wanted);
	expect(first).toMatchObject({ json: { EmployeeId: id }, pairedItem: { item: 0 } });
	expect(first?.json).toEqual({ EmployeeId: id, ...keys });
	expect(second?.json.Id).toEqual(expect.any(Number));
	const off = { options: { returnItemIfEmpty: false } };
	for (const more of [{}, off]) {
		expect((await read(more)).map(({ json }) => json.EmployeeId)).not.toContain(id);
	}

	const [simple, other] = await read({ ...wanted, simplify: true });
	expect(Object.keys(simple?.json ?? {})).toEqual(Object.keys(other?.json ?? {}));
	const { employeeId, period: _period, year: _year, ...columns } = simple?.json ?? {};
	expect(employeeId).toBe(id);
	expect(new Set(Object.values(columns))).toEqual(new Set([null]));
});

it.each<[string, 'payrollCompany' | 'payrollHourCodes', INodeParameters, object]>([
	['hour codes', 'payrollHourCodes', getHourCodes, { CompanyId: 100 }],
	[
		'records of another list',
		'payrollCompany',
		{
			...{ resource: 'list', operation: 'getAll', path: '/api/companies/{id}/teams' },
			parameters: { parameter: [{ name: 'id', value: '={{ $json.id }}' }] },
		},
		{ id: 100 },
	],
])('a company without %s is an item with the keys', async (_, name, parameters, keys) => {
	const read = async (more: INodeParameters) => {
		server.play(replying(200, 'application/json', '[]'));
		const node = payroll.node(name, scripted.id, { ...parameters, ...more });
		return (await payroll.run([{ id: 100 }], node)).json('Payroll');
	};
	expect(await read(wanted)).toEqual([keys]);
	expect(await read({})).toEqual([]);
	expect(await read({ options: { ...wanted.options, includeRequestKeys: false } })).toEqual([{}]);
});
