import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const credential = useCredential(payroll, sandbox);

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

/** The values of an item whose schema is missing, or of another type. */
function misfits(schema: Schema, value: unknown, path: string): string[] {
	if (value === null) return [];
	if (schema.type !== typeOf(value) && !(schema.type === 'number' && typeof value === 'number')) {
		return [`${path}: ${typeOf(value)} instead of ${schema.type}`];
	}
	if (schema.type !== 'object') return [];
	return Object.entries(value as IDataObject).flatMap(([name, part]) => {
		const own = schema.properties?.[name];
		return own ? misfits(own, part, `${path}.${name}`) : [`${path}.${name} is not in the schema`];
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
		'of %s lists exactly the fields of the items: %s %j',
		async (folder, type, parameters, id) => {
			const result = await payroll.run([{ id }], payroll.node(type, credential.id, parameters));
			expect(result.error).toBeUndefined();
			const items = result.json('Payroll');
			expect(items.length).toBeGreaterThan(0);
			const schema = schemaOf(folder, parameters);
			expect(items.flatMap((item, i) => misfits(schema, item, `item ${i}`))).toEqual([]);
			// The sample data fill in every element, so every field of the schema must be there.
			const promised = Object.keys(schema.properties ?? {}).sort();
			expect([...new Set(items.flatMap((item) => Object.keys(item)))].sort()).toEqual(promised);
		},
	);

	it('does not exist for hour codes, whose fields are not specified', () => {
		const chosen = { resource: 'hourCode', operation: 'getAll' };
		expect(() => schemaOf('PayrollHourCodes', chosen)).toThrow(/ENOENT/);
	});
});
