/* A record that is looked for before it is inserted; test/package/nodes/skip-existing.test.mts has it on n8n's engine. */
import type { IDataObject } from 'n8n-workflow';
import { addressInsert, costCenterUpdate } from '../../../nodes/shared/contract/operations.ts';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { skipExisting } from '../../../nodes/shared/actions/skipExisting.ts';
import { answering, connectionTo, type Canned } from '../../support/exchange.mts';

const NS = 'http://payroll.example/soap/v3/EmployeeService';
const type = 'text/xml; charset=utf-8';
const envelope = (body: string) =>
	`<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${body}</e:Body></e:Envelope>`;
const addresses: Canned = {
	type,
	body: envelope(
		`<Address_GetListCurrentResponse xmlns="${NS}"><Address_GetListCurrentResult>` +
			'<EmployeeAddress><Id>1</Id><Street>Kade</Street><HouseNumber>1</HouseNumber></EmployeeAddress>' +
			'<EmployeeAddress><Id>2</Id><Street>Kade</Street><HouseNumber>2</HouseNumber></EmployeeAddress>' +
			'</Address_GetListCurrentResult></Address_GetListCurrentResponse>',
	),
};

const { inserts } = addressInsert;
const requestOf = (Address: IDataObject) => ({
	...{ EmployeeId: 1001, Address, Period: 6, Year: 2026, UnprotectedMode: false },
});

async function plan(address: IDataObject, canned = addresses) {
	const { exchange, requests } = answering(() => canned);
	const connection = connectionTo('http://localhost');
	const request = requestOf(address);
	return {
		plan: await skipExisting(exchange, connection, addressInsert, inserts, request),
		requests,
	};
}

it('reads the records with the keys of the request, and gives the one that exists', async () => {
	const address = { Street: 'Kade', HouseNumber: 2 };
	const { plan: planned, requests } = await plan(address);
	expect(planned).toEqual({
		request: requestOf(address),
		existing: { Id: 2, Street: 'Kade', HouseNumber: '2', created: false },
	});
	expect(requests).toHaveLength(1);
	expect(String(requests[0]?.body)).toContain(
		`<Address_GetListCurrent xmlns="${NS}"><EmployeeId>1001</EmployeeId></Address_GetListCurrent>`,
	);
});

it('inserts the record where none is like it, and says that it was created', async () => {
	const address = { Street: 'Kade', HouseNumber: 3 };
	const { plan: planned } = await plan(address);
	expect(planned).toEqual({ request: requestOf(address), doneFields: { created: true } });
});

it('does not insert where the records cannot be read, whatever was said of why', async () => {
	const canned = { type, body: envelope('<Other/>') };
	const error: unknown = await plan({ Street: 'Kade' }, canned).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(ServiceError);
	expect(error).toMatchObject({
		kind: 'notBegun',
		description: expect.stringMatching(/^The current records could not be read\./),
	});
	const exchange = () => Promise.reject(new ServiceError('broken', 'No'));
	const connection = connectionTo('http://localhost');
	await expect(
		skipExisting(exchange, connection, addressInsert, inserts, requestOf({})),
	).rejects.toMatchObject({
		...{ kind: 'notBegun', message: 'No', description: 'The current records could not be read.' },
	});
});

it('an operation without that record cannot be made so', async () => {
	const { exchange, requests } = answering(() => addresses);
	const connection = connectionTo('http://localhost');
	const { read } = inserts;
	for (const [operation, record] of [
		[addressInsert, 'Other'],
		[costCenterUpdate, 'CostCenteren'],
	] as const) {
		await expect(
			skipExisting(exchange, connection, operation, { record, read }, {}),
		).rejects.toThrow(`${operation.name} has no record ${record}`);
	}
	expect(requests).toEqual([]);
});
