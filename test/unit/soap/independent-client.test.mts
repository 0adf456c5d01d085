import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createClientAsync } from 'soap';
import {
	addressGetListCurrent,
	addressInsert,
	costCenterGet,
	costCenterUpdate,
} from '../../../nodes/shared/contract/operations.ts';
import type { SoapOperation } from '../../../nodes/shared/contract/soapOperation.ts';
import { employeeAddress, employeeCostCenter } from '../../../nodes/shared/contract/resources.ts';
import { soapVersions } from '../../../nodes/shared/soap/envelope.ts';
import type { SoapVersion } from '../../../nodes/shared/transport/connection.ts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { comparableFields, recordOf } from '../../support/arbitraries.mts';
import { faithful, fromSoap, mapTexts, toSoap, withoutCdata } from '../../support/independent.mts';
import { getAddresses, getCostCenters } from '../../../dev/package/calls.mts';
import { Payroll } from '../../../dev/package/payroll.mts';

let sandbox: SandboxClient;
let payroll: Payroll;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([
		launchSandbox({ schemaValidation: true }),
		Payroll.load(),
	]);
});
afterAll(async () => await sandbox.stop());

type Row = Record<string, unknown>;
type Call = (operation: SoapOperation, request: Row) => Promise<unknown>;

/** An independent client of the sandbox, made from its WSDL alone; gives results as rows. */
async function clientOf(credential: string, soapVersion: SoapVersion): Promise<Call> {
	const forceSoap12Headers = soapVersion === '1.2';
	const client = await createClientAsync(`${sandbox.url}/soap/v3/EmployeeService.asmx?wsdl`, {
		...faithful,
		forceSoap12Headers,
		disableCache: true,
	});
	client.addHttpHeader('Authorization', `Bearer ${await payroll.accessToken(credential)}`);
	client.addHttpHeader('X-Subscription-Key', sandbox.subscriptionKey);
	const namespace = `${sandbox.namespace}/EmployeeService`;
	client.addSoapHeader({ AuthHeaderWithDomain: { Domain: sandbox.domain } }, '', 'tns', namespace);
	return async ({ name, request, result }, values) => {
		const entries = Object.entries(values).map(([element, value]) => {
			const field = request[element];
			return [element, field === undefined ? value : toSoap(field, value)];
		});
		const method = client[`${name}Async`] as (sent: Row) => Promise<[Row | null]>;
		const [answer] = await method.call(client, Object.fromEntries(entries));
		return result === undefined ? undefined : fromSoap(result, answer?.[`${name}Result`]);
	};
}

/** Rows of a record that the service takes for new ones: without an identifier, and never empty. */
function newRows(record: typeof employeeCostCenter | typeof employeeAddress): fc.Arbitrary<Row[]> {
	const row = recordOf(record)
		.map(({ Id: _, ...values }): Row => values)
		// A record whose own records are all empty has nothing set: the form refuses it.
		.map((values): Row => ({ ...values, Default: values.Default ?? true }));
	return fc.array(row, { minLength: 1, maxLength: 4 });
}

/** The last rows of a list, without the identifiers that the service gave them. */
function last(rows: unknown, count: number): Row[] {
	return (rows as Row[]).slice(-count).map(({ Id: _, ...values }) => values);
}

const same = (record: typeof employeeCostCenter | typeof employeeAddress, rows: readonly Row[]) =>
	rows.map((row) => comparableFields(record.fields, row));

const period = { Period: 6, Year: 2026 };

describe.each(Object.keys(soapVersions) as SoapVersion[])(
	'with the soap package as client of the sandbox in SOAP %s',
	(soapVersion) => {
		let credential: string;
		let call: Call;

		beforeAll(async () => {
			credential = await payroll.connect(sandbox, { soapVersion });
			call = await clientOf(credential, soapVersion);
		});
		beforeEach(async () => await sandbox.reset());
		afterEach(async () => {
			const requests = await sandbox.requests();
			expect(requests.flatMap(({ violations }) => violations)).toEqual([]);
		});

		async function run(input: IDataObject[], parameters: INodeParameters): Promise<IDataObject[]> {
			const options = { includeRequestKeys: false };
			const node = payroll.node('payrollEmployee', credential, { ...parameters, options });
			const result = await payroll.run(input, node);
			expect(result.error?.message).toBeUndefined();
			return result.json('Payroll');
		}

		it('cost centers that our node writes are what the client reads', async () => {
			const update = {
				...getCostCenters,
				operation: 'update',
				specifyCostCenteren: 'json',
				costCenterenJson: '={{ $json.rows }}',
				keepOthers: false,
			};
			await fc.assert(
				fc.asyncProperty(newRows(employeeCostCenter), async (rows) => {
					await run([{ id: 1001, rows: rows as IDataObject[] }], update);
					const read = await call(costCenterGet, { EmployeeId: 1001, ...period });
					expect(same(employeeCostCenter, last(read, rows.length))).toEqual(
						same(employeeCostCenter, rows),
					);
				}),
				{ numRuns: 15 },
			);
		});

		it('addresses that our node writes are what the client reads', async () => {
			const create = {
				resource: 'address',
				operation: 'create',
				...{ employeeId: 1002, period: 6, year: 2026 },
				specifyAddress: 'json',
				addressJson: '={{ $json }}',
			};
			await fc.assert(
				fc.asyncProperty(newRows(employeeAddress), async (rows) => {
					await run(rows as IDataObject[], create);
					const read = await call(addressGetListCurrent, { EmployeeId: 1002 });
					expect(same(employeeAddress, last(read, rows.length))).toEqual(
						same(employeeAddress, rows),
					);
				}),
				{ numRuns: 15 },
			);
		});

		// Written by the client: decimals as plain digits, and no CDATA, since it would write a number
		// with an exponent and a text like a CDATA section raw.
		const writable = (record: typeof employeeCostCenter | typeof employeeAddress) =>
			newRows(record).map((rows) =>
				same(record, rows).map((row) => mapTexts(row, withoutCdata) as Row),
			);

		it('cost centers that the client writes are what our node reads', async () => {
			await fc.assert(
				fc.asyncProperty(writable(employeeCostCenter), async (rows) => {
					await call(costCenterUpdate, { EmployeeId: 1003, CostCenteren: rows, ...period });
					const read = await run([{ id: 1003 }], getCostCenters);
					expect(same(employeeCostCenter, last(read, rows.length))).toEqual(
						same(employeeCostCenter, rows),
					);
				}),
				{ numRuns: 15 },
			);
		});

		it('addresses that the client writes are what our node reads', async () => {
			await fc.assert(
				fc.asyncProperty(writable(employeeAddress), async (rows) => {
					for (const Address of rows) {
						await call(addressInsert, { EmployeeId: 1004, Address, ...period });
					}
					const read = await run([{ id: 1004 }], getAddresses);
					expect(same(employeeAddress, last(read, rows.length))).toEqual(
						same(employeeAddress, rows),
					);
				}),
				{ numRuns: 15 },
			);
		});
	},
);
