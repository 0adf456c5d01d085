import { resources as company } from '../../../nodes/PayrollCompany/actions.ts';
import { resources as employee } from '../../../nodes/PayrollEmployee/actions.ts';
import { resources as hourCodes } from '../../../nodes/PayrollHourCodes/actions.ts';
import * as operations from '../../../nodes/shared/contract/operations.ts';

const offered = [company, employee, hourCodes].flatMap((resources) =>
	Object.values(resources).flatMap(({ operations: actions }) => Object.values(actions)),
);

/** The entries of the contract: each is exported under a name of its own. */
const entries = Object.values(operations).flatMap((entry) =>
	typeof entry === 'object' && 'request' in entry ? [entry] : [],
);

it('every operation of the contract is in its list, once', () => {
	expect(entries.length).toBeGreaterThan(0);
	expect(new Set(operations.soapOperations)).toEqual(new Set(entries));
	expect(operations.soapOperations).toHaveLength(entries.length);
});

it.each(entries)('a node offers $name', ({ name, request }) => {
	const actions = offered.filter((action) => action.operation === name);
	expect(actions.map((action) => action.request)).toEqual([request.fields]);
});
