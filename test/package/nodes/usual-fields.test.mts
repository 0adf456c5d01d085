/** Addresses: the fields that they usually have. */
import type { INodeParameters } from 'n8n-workflow';
import { createAddress, updateCompany } from '../../../dev/package/calls.mts';
import { useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll, credential } = useSandbox({ schemaValidation: true });

const forms = {
	payrollEmployee: { ...createAddress, employeeId: 1001 },
	payrollCompany: { ...updateCompany, companyId: 100 },
} as const;
type NodeName = keyof typeof forms;
const nodeNames = Object.keys(forms) as NodeName[];

async function write(name: NodeName, parameters: INodeParameters) {
	const node = payroll.node(name, credential.id, { ...forms[name], ...parameters });
	const { error } = await payroll.run([{}], node);
	const { soapExecuted } = await sandbox.stats();
	const bodies = (await sandbox.requests()).map(({ body }) => body);
	return { error, written: soapExecuted, body: bodies.at(-1) ?? '' };
}

const given = { Street: 'Markt', HouseNumber: 1, PostalCode: '2611 GP', City: 'Delft' };
const asJson = (address: object): INodeParameters => ({
	specifyAddress: 'json',
	addressJson: JSON.stringify(address),
});

describe.each(nodeNames)('an address of %s', (name) => {
	it.each<[string, INodeParameters, string]>([
		[
			'an expression that gives nothing, and a blank text',
			{ street: '={{ $json.street }}', city: '={{ "  " }}' },
			"'Address' has no 'Street' and no 'City'. The expression of 'Street' and that of 'City' gives nothing for this item. Enter them, or turn on 'Allow Incomplete Address'.",
		],
		[
			'JSON with a field less',
			asJson({ ...given, PostalCode: undefined }),
			"'Address (JSON)' has no 'PostalCode'. Enter it, or turn on 'Allow Incomplete Address'.",
		],
		[
			'JSON with blank fields',
			asJson({ ...given, HouseNumber: ' ', City: null }),
			"'Address (JSON)' has no 'HouseNumber' and no 'City'. Enter them, or turn on 'Allow Incomplete Address'.",
		],
	])('is refused with %s', async (_, parameters, message) => {
		const { error, written } = await write(name, parameters);
		expect(error?.message).toBe(message);
		expect(error?.context.data).toMatchObject({ code: 'VALUE_REQUIRED', outcome: 'notApplied' });
		expect(written).toEqual({});
	});

	it('is written with some of its fields if Allow Incomplete Address is on', async () => {
		const some = { onlyTheseFields: true, street: '', postalCode: '', houseNumber: '7' };
		const { error, body } = await write(name, some);
		expect(error).toBeUndefined();
		expect(body).toContain('<Address><HouseNumber>7</HouseNumber><City>Amsterdam</City>');
	});
});
