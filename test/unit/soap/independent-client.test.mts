/** The sandbox holds what the package writes, and the `soap` package's client reads it there; and back. */
import fc from 'fast-check';
import { createClientAsync } from 'soap';
import {
	addressGetListCurrent,
	addressInsert,
	costCenterGet,
	costCenterUpdate,
} from '../../../nodes/shared/contract/operations.ts';
import type { SoapOperation } from '../../../nodes/shared/contract/soapOperation.ts';
import { employeeAddress, employeeCostCenter } from '../../../nodes/shared/contract/resources.ts';
import { callSoap } from '../../../nodes/shared/soap/call.ts';
import { soapVersions } from '../../../nodes/shared/soap/envelope.ts';
import type { SoapVersion } from '../../../nodes/shared/credential/connection.ts';
import type { Exchange } from '../../../nodes/shared/exchange/exchange.ts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { connect } from '../../../dev/sandbox/oauth.mts';
import { comparableFields, recordOf } from '../../support/arbitraries.mts';
import { connectionTo, plainExchange } from '../../support/exchange.mts';
import { faithful, fromSoap, mapTexts, toSoap, withoutCdata } from '../../support/independent.mts';
import { runs } from '../../support/runs.mts';

let sandbox: SandboxClient;
let authorization: string;

beforeAll(async () => {
	sandbox = await launchSandbox({ schemaValidation: true });
	authorization = `Bearer ${(await connect(sandbox)).access_token}`;
});
afterAll(async () => await sandbox.stop());

type Row = Record<string, unknown>;
type Call = (operation: SoapOperation, request: Row) => Promise<unknown>;

/** Calls as the package makes them. */
function ours(soapVersion: SoapVersion): Call {
	const { namespace: soapNamespace, domain, subscriptionKey } = sandbox;
	const changes = { soapVersion, soapNamespace, domain, subscriptionKey };
	const connection = connectionTo(sandbox.url, changes);
	const exchange: Exchange = async (request, read) => {
		const headers = { ...request.headers, Authorization: authorization };
		return await plainExchange({ ...request, headers }, read);
	};
	return async (operation, request) =>
		await callSoap(exchange, connection, operation, request as Record<string, unknown>);
}

/** Calls by a client that is made from the sandbox's WSDL alone. */
async function theirs(soapVersion: SoapVersion): Promise<Call> {
	const client = await createClientAsync(`${sandbox.url}/soap/v3/EmployeeService.asmx?wsdl`, {
		...faithful,
		forceSoap12Headers: soapVersion === '1.2',
		disableCache: true,
	});
	client.addHttpHeader('Authorization', authorization);
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

const EmployeeId = 1001;
const period = { Period: 6, Year: 2026 };

const kinds = [
	{
		record: employeeCostCenter,
		async write(call: Call, rows: Row[]) {
			await call(costCenterUpdate, { EmployeeId, CostCenteren: rows, ...period });
		},
		read: async (call: Call) => await call(costCenterGet, { EmployeeId, ...period }),
	},
	{
		record: employeeAddress,
		async write(call: Call, rows: Row[]) {
			for (const Address of rows) await call(addressInsert, { EmployeeId, Address, ...period });
		},
		read: async (call: Call) => await call(addressGetListCurrent, { EmployeeId }),
	},
];

describe.each(Object.keys(soapVersions) as SoapVersion[])('SOAP %s', (soapVersion) => {
	it.each(kinds)('rows of $record.type are the same for both', async (kind) => {
		const { record } = kind;
		const [our, their] = [ours(soapVersion), await theirs(soapVersion)];
		const same = (rows: readonly Row[]) => rows.map((row) => comparableFields(record.fields, row));
		/** The last rows of a list, without the identifiers that the service gave them. */
		const last = (list: unknown, { length }: readonly Row[]) =>
			same((list as Row[]).slice(-length).map(({ Id: _, ...values }) => values));
		// Rows that the service takes for new ones: without an identifier.
		const row = recordOf(record).map(({ Id: _, ...values }): Row => values);
		const property = fc.asyncProperty(
			fc.array(row, { minLength: 1, maxLength: 4 }),
			async (rows) => {
				await sandbox.reset();
				await kind.write(our, rows);
				expect(last(await kind.read(their), rows)).toEqual(same(rows));
				// Decimals as plain digits, and no CDATA: the client would write a number with an exponent and
				// a text like a CDATA section raw.
				const writable = same(rows).map((values) => mapTexts(values, withoutCdata) as Row);
				await kind.write(their, writable);
				expect(last(await kind.read(our), rows)).toEqual(same(writable));
			},
		);
		await fc.assert(property, runs(0.1));
	});
});
