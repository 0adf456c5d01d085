/** docs/operations.md lists the fields of the items that operations return, also those that a switch adds. */
import { readFileSync } from 'node:fs';
import type { INodeParameters } from 'n8n-workflow';
import {
	checkConnection,
	createAddress,
	getAddresses,
	getCostCenters,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { useSandbox } from '../../support/setUp.mts';

const { payroll, credential } = useSandbox();

const page = readFileSync('docs/operations.md', 'utf8');

/** The names in the line about the items of an operation, without those of nested fields. */
function listed(title: string): string[] {
	const [, section = ''] = page.split(`### ${title}\n`);
	const [, line = ''] = /^Items: (.*)$/m.exec(section) ?? [];
	return [...line.matchAll(/`(\w+)/g)].map(([, name = '']) => name);
}

const keep = { ...updateCostCenters, keepOthers: true };

it.each<[string, 'payrollEmployee' | 'payrollCompany', INodeParameters]>([
	['Payroll Employee Address: Create', 'payrollEmployee', createAddress],
	['Payroll Employee Address: Create', 'payrollEmployee', { ...createAddress, skipIfExists: true }],
	['Payroll Employee Address: Get Many', 'payrollEmployee', { ...getAddresses, simplify: true }],
	[
		'Payroll Employee Cost Center: Get Many',
		'payrollEmployee',
		{ ...getCostCenters, simplify: true },
	],
	['Payroll Employee Cost Center: Update', 'payrollEmployee', updateCostCenters],
	['Payroll Employee Cost Center: Update', 'payrollEmployee', { ...keep, totalMustBe100: false }],
	['Payroll Company Address: Update', 'payrollCompany', updateCompany],
	['Payroll Company Connection: Check', 'payrollCompany', checkConnection],
])('%s', async (title, node, parameters) => {
	const id = node === 'payrollCompany' ? 100 : 1003;
	const { json } = await payroll.run([{ id }], payroll.node(node, credential.id, parameters));
	const found = new Set(json('Payroll').flatMap(Object.keys));
	expect(found.size).toBeGreaterThan(1);
	expect([...found].filter((name) => !listed(title).includes(name))).toEqual([]);
});

it('a dry run returns what the page says', async () => {
	const parameters = { ...updateCostCenters, dryRun: true };
	const node = payroll.node('payrollEmployee', credential.id, parameters);
	const [item = {}] = (await payroll.run([{ id: 1003 }], node)).json('Payroll');
	const [, names = ''] = /A \*\*Dry Run\*\* returns ([^.]*)\s+instead/.exec(page) ?? [];
	const told = [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
	expect(told.length).toBeGreaterThan(2);
	for (const name of told) expect(item).toHaveProperty(name);
});
