import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	Payroll,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/payroll.mts';

let sandbox: SandboxClient;
let payroll: Payroll;
let credential: string;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
	credential = await payroll.connect(sandbox);
});
afterAll(async () => await sandbox.stop());

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
}

/** The schema that ships: n8n looks for it beside the node. */
function schemaOf(folder: string, { resource, operation }: INodeParameters): Schema {
	const path = join('dist/nodes', folder, '__schema__/v1.0.0', `${resource}`, `${operation}.json`);
	return JSON.parse(readFileSync(path, 'utf8')) as Schema;
}

const typeOf = (value: unknown): string => (Number.isInteger(value) ? 'integer' : typeof value);

/** Every value of an item whose schema is another or missing. */
function misfits(schema: Schema, value: unknown, path: string): string[] {
	if (value === null) return [];
	if (schema.type !== typeOf(value) && !(schema.type === 'number' && typeof value === 'number')) {
		return [`${path}: ${typeOf(value)} instead of ${schema.type}`];
	}
	if (schema.type !== 'object') return [];
	return Object.entries(value as IDataObject).flatMap(([name, part]) => {
		const own = schema.properties?.[name];
		return own ? misfits(own, part, `${path}.${name}`) : [`${path}.${name} is not promised`];
	});
}

describe('the output schema', () => {
	it.each([
		['PayrollEmployee', 'payrollEmployee', getCostCenters, 1001],
		['PayrollEmployee', 'payrollEmployee', updateCostCenters, 1001],
		['PayrollEmployee', 'payrollEmployee', getAddresses, 1001],
		['PayrollEmployee', 'payrollEmployee', createAddress, 1001],
		['PayrollCompany', 'payrollCompany', updateCompany, 100],
	] as const)(
		'of %s promises exactly what its items hold: %s %j',
		async (folder, type, parameters, id) => {
			const result = await payroll.run([{ id }], payroll.node(type, credential, parameters));
			expect(result.error).toBeUndefined();
			const items = result.json('Payroll');
			expect(items.length).toBeGreaterThan(0);
			const schema = schemaOf(folder, parameters);
			expect(items.flatMap((item, i) => misfits(schema, item, `item ${i}`))).toEqual([]);
			// The sample data fill every element in, so nothing is promised that does not come.
			const promised = Object.keys(schema.properties ?? {}).sort();
			expect([...new Set(items.flatMap((item) => Object.keys(item)))].sort()).toEqual(promised);
		},
	);

	it('of hour codes promises nothing: their fields are not specified', () => {
		const chosen = { resource: 'hourCode', operation: 'getAll' };
		expect(() => schemaOf('PayrollHourCodes', chosen)).toThrow(/ENOENT/);
	});
});
