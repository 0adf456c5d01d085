/* A record that is looked up before it is inserted; test/package/nodes/skip-existing.test.mts has it in runs of a node. */
import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { addressRules } from '../../../nodes/shared/actions/addresses/create.ts';
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

/** Asks to insert an address, and to skip it if it exists. */
const asking = (Address: IDataObject) => ({
	request: requestOf(Address),
	options: { dryRun: false, skipIfExists: true },
	whom: 'Employee ID 1001',
	isSplit: () => false,
});

/** Plans to insert an address; returns the plan and the requests. */
async function plan(address: IDataObject, canned = addresses) {
	const { exchange, requests } = answering(() => canned);
	const planned = await addressRules.decide(accessOf(exchange), asking(address));
	return { plan: planned, requests };
}

it('is off unless the builder turns it on, and reads first only then', () => {
	const { switches, readsFirst } = addressRules;
	expect(switches.skipIfExists.default).toBe(false);
	const isOn = [true, false].map((skipIfExists) => readsFirst({ dryRun: false, skipIfExists }));
	expect(isOn).toEqual([true, false]);
});

it('inserts without reading if it is off', async () => {
	const access = accessOf(async () => await Promise.reject(new Error('read')));
	const asked = { ...asking({}), options: { dryRun: false, skipIfExists: false } };
	expect(await addressRules.decide(access, asked)).toEqual({
		...{ kind: 'send', request: asked.request, added: {}, shown: {}, notices: [] },
	});
});

it('reads the records with the keys of the request, and returns the one that exists', async () => {
	const address = { Street: 'Kade', HouseNumber: 2 };
	const { plan: planned, requests } = await plan(address);
	const existing = { Id: 2, Street: 'Kade', HouseNumber: '2' };
	const notices = [
		{
			...{ isProblem: false, isCounted: true, text: 'already there, nothing inserted' },
			list: ['Employee ID 1001'],
		},
	];
	const record = { ...existing, created: false };
	expect(planned).toEqual({ kind: 'nothingToDo', record, shown: record, notices });
	expect(requests).toHaveLength(1);
	expect(String(requests[0]?.body)).toContain(
		`<Address_GetListCurrent xmlns="${EMPLOYEE_NS}"><EmployeeId>1001</EmployeeId></Address_GetListCurrent>`,
	);
});

const withCode = resultOf(
	'Address_GetListCurrent',
	'<EmployeeAddress><Id>1</Id><Street>Caf\u00e9 Straat</Street><PostalCode>3511 AB</PostalCode>' +
		'<CountryISOCode>NL</CountryISOCode></EmployeeAddress>',
);

it.each<[string, IDataObject]>([
	['a postal code without its blank, in lower case', { PostalCode: '3511ab\u00a0' }],
	['a country in lower case, with a blank', { CountryISOCode: ' n l' }],
	['a street in upper case, with a letter of two characters', { Street: 'CAFE\u0301 STRAAT ' }],
])('finds %s', async (_, address) => {
	expect((await plan(address, withCode)).plan).toMatchObject({
		kind: 'nothingToDo',
		record: { Id: 1 },
	});
});

it.each<[string, IDataObject]>([
	['another postal code', { PostalCode: '3511 AC' }],
	['a street that differs by a blank', { Street: 'Caf\u00e9straat' }],
	['a letter without its accent', { Street: 'Cafe Straat' }],
])('inserts %s', async (_, address) => {
	expect((await plan(address, withCode)).plan.kind).toBe('send');
});

it('inserts the record if none is equal', async () => {
	const address = { Street: 'Kade', HouseNumber: 3 };
	const { plan: planned } = await plan(address);
	const request = requestOf(address);
	expect(planned).toMatchObject({ kind: 'send', request, added: { created: true } });
});

it('inserts nothing if the records cannot be read, with or without a description', async () => {
	const failing = plan({ Street: 'Kade' }, soapAnswer('<Other/>'));
	await expect(failing).rejects.toBeInstanceOf(ServiceError);
	await expect(failing).rejects.toMatchObject({
		kind: 'notBegun',
		description: expect.stringMatching(/^The current records could not be read\./),
	});
	const exchange = () => Promise.reject(new ServiceError('BROKEN', 'broken', 'No'));
	const unread = addressRules.decide(accessOf(exchange), asking({}));
	await expect(unread).rejects.toMatchObject({
		kind: 'notBegun',
		message: 'No',
		description: 'The current records could not be read.',
	});
});
