/* A record that is looked up before it is inserted; test/package/nodes/skip-existing.test.mts has it in runs of a node. */
import type { IDataObject } from 'n8n-workflow';
import { ServiceError, type Text } from '../../../nodes/shared/errors/ServiceError.ts';
import { skipExistingAddress } from '../../../nodes/shared/actions/currentRecords/skipExisting.ts';
import { accessOf, answering } from '../../support/exchange.mts';
import { EMPLOYEE_NS, resultOf, soapAnswer } from '../../support/soap.mts';

const addresses = resultOf(
	'Address_GetListCurrent',
	'<EmployeeAddress><Id>1</Id><Street>Kade</Street><HouseNumber>1</HouseNumber></EmployeeAddress>' +
		'<EmployeeAddress><Id>2</Id><Street>Kade</Street><HouseNumber>2</HouseNumber></EmployeeAddress>',
);

const requestOf = (Address: IDataObject) => ({
	EmployeeId: 1001,
	Address,
	Period: 6,
	Year: 2026,
	UnprotectedMode: false,
});

/** Plans to insert an address; returns the plan and the requests. */
async function plan(address: IDataObject, canned = addresses) {
	const { exchange, requests } = answering(() => canned);
	const request = requestOf(address);
	const planned = await skipExistingAddress.decide(accessOf(exchange), request);
	return { plan: planned, requests };
}

it('reads the records with the keys of the request, and returns the one that exists', async () => {
	const address = { Street: 'Kade', HouseNumber: 2 };
	const { plan: planned, requests } = await plan(address);
	const existing = { Id: 2, Street: 'Kade', HouseNumber: '2' };
	const decision = { flag: 'created', changes: {}, unknown: [] };
	expect(planned).toEqual({ request: requestOf(address), existing, ...decision });
	expect(requests).toHaveLength(1);
	expect(String(requests[0]?.body)).toContain(
		`<Address_GetListCurrent xmlns="${EMPLOYEE_NS}"><EmployeeId>1001</EmployeeId></Address_GetListCurrent>`,
	);
});

it('inserts the record if none is equal, and says that it was created', async () => {
	const address = { Street: 'Kade', HouseNumber: 3 };
	const { plan: planned } = await plan(address);
	expect(planned).toMatchObject({ request: requestOf(address), flag: 'created' });
	expect(planned).not.toHaveProperty('existing');
});

it('inserts nothing if the records cannot be read, with or without a description', async () => {
	const failing = plan({ Street: 'Kade' }, soapAnswer('<Other/>'));
	await expect(failing).rejects.toBeInstanceOf(ServiceError);
	await expect(failing).rejects.toMatchObject({
		kind: 'notBegun',
		description: expect.stringMatching(/^The current records could not be read\./),
	});
	const exchange = () => Promise.reject(new ServiceError('broken', 'No' as Text));
	await expect(skipExistingAddress.decide(accessOf(exchange), requestOf({}))).rejects.toMatchObject(
		{
			kind: 'notBegun',
			message: 'No',
			description: 'The current records could not be read.',
		},
	);
});
