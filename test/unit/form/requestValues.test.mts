import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createAddress, updateCompany } from '../../../dev/package/calls.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox({ schemaValidation: true });
const credential = useCredential(payroll, sandbox);

type NodeName = 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes';

async function run(node: NodeName, input: IDataObject[], parameters: INodeParameters) {
	const result = await payroll.run(input, payroll.node(node, credential.id, parameters));
	const requests = (await sandbox.requests()).filter(({ path }) => /^\/(soap|api)\//.test(path));
	expect(requests.flatMap(({ violations }) => violations)).toEqual([]);
	return { result, requests };
}

/** The content of each request's operation element, one per item, in order; without the reads of an update. */
async function sent(node: NodeName, input: IDataObject[], parameters: INodeParameters) {
	const { result, requests } = await run(node, input, parameters);
	expect(result.error?.message).toBeUndefined();
	const ownRequests =
		parameters.operation === 'update'
			? requests.filter(({ body }) => body.includes('_Update '))
			: requests;
	return ownRequests.map(
		({ body }) => /<soap:Body><\w+ xmlns="[^"]*">(.*)<\/\w+><\/soap:Body>/s.exec(body)?.[1],
	);
}

/** The message of a run that failed before anything was sent. */
async function refused(node: NodeName, input: IDataObject[], parameters: INodeParameters) {
	const { result, requests } = await run(node, input, parameters);
	expect(requests).toEqual([]);
	expect(result.error).toMatchObject({
		name: 'NodeOperationError',
		description: expect.stringMatching(/^Nothing was (?:sent|written) for this item\./),
	});
	return result.error?.message;
}

const updateRows = (fields: INodeParameters): INodeParameters => ({
	resource: 'costCenter',
	operation: 'update',
	employeeId: '={{ $json.id }}',
	costCenteren: { row: [{ fields }] },
	period: 6,
	year: 2026,
	keepOthers: false,
});
const updateJson = (json: string): INodeParameters => ({
	...updateRows({}),
	specifyCostCenteren: 'json',
	costCenterenJson: json,
});
const company = (address: INodeParameters): INodeParameters => ({
	...updateCompany,
	street: '',
	houseNumber: '',
	postalCode: '',
	city: '',
	onlyTheseFields: true,
	...address,
});

describe('an expression is evaluated per item in', () => {
	it('the scalars of a request and the fields of a record, of every kind', async () => {
		const input = [
			{ id: 1001, street: 'A & B', own: 1, isDefault: false, type: 'HomeAddress', period: 6 },
			{ id: '1002', street: '', own: 2, isDefault: true, type: 'WorkAddress', period: '5' },
		];
		const address = {
			street: '={{ $json.street }}',
			houseNumber: '={{ $json.own }}',
			city: 'At {{ nothing }}',
			addressFields: {
				id: '={{ $json.own }}',
				default: '={{ $json.isDefault }}',
				stateProvince: '={{ $json.street }}',
			},
			type: '={{ $json.type }}',
		};
		const scalars = { period: '={{ $json.period }}', unprotectedMode: '={{ $json.isDefault }}' };
		const parameters = { ...createAddress, ...scalars, ...address, onlyTheseFields: true };
		expect(await sent('payrollEmployee', input, parameters)).toEqual([
			'<EmployeeId>1001</EmployeeId><Address><Id>1</Id><Default>false</Default>' +
				'<Street>A &amp; B</Street><HouseNumber>1</HouseNumber><PostalCode>1016 EA</PostalCode><City>At {{ nothing }}</City>' +
				'<StateProvince>A &amp; B</StateProvince><Type>HomeAddress</Type></Address>' +
				'<Period>6</Period><Year>2026</Year><UnprotectedMode>false</UnprotectedMode>',
			'<EmployeeId>1002</EmployeeId><Address><Id>2</Id><Default>true</Default>' +
				'<HouseNumber>2</HouseNumber><PostalCode>1016 EA</PostalCode><City>At {{ nothing }}</City>' +
				'<StateProvince></StateProvince><Type>WorkAddress</Type></Address>' +
				'<Period>5</Period><Year>2026</Year><UnprotectedMode>true</UnprotectedMode>',
		]);
	});

	it('the fields of a row and of its nested records', async () => {
		const input = [
			{ id: 1001, code: '4100', share: '100.00' },
			{ id: 1002, code: '4200', share: 62.5 + 37.5 },
		];
		const fields = {
			costCenterId: '={{ Number($json.code) + 1 }}',
			kostensoortDescription: '={{ "for " + $json.id }}',
			default: '={{ $itemIndex === 0 }}',
		};
		const row = {
			costCenterCode: '={{ "N" + $json.code }}',
			percentage: '={{ $json.share }}',
			fields,
		};
		const parameters = { ...updateRows({}), costCenteren: { row: [row] } };
		expect(await sent('payrollEmployee', input, parameters)).toEqual(
			input.map(
				({ id, code, share }, i) =>
					`<EmployeeId>${id}</EmployeeId><CostCenteren><EmployeeCostCenter>` +
					`<CostCenter><Code>N${code}</Code><Id>${Number(code) + 1}</Id></CostCenter>` +
					`<Kostensoort><Description>for ${id}</Description></Kostensoort>` +
					`<Percentage>${share}</Percentage><Default>${i === 0}</Default>` +
					'</EmployeeCostCenter></CostCenteren><Period>6</Period><Year>2026</Year>',
			),
		);
	});
});

describe('a field', () => {
	it('that is shown and empty, not added, or whose expression gives nothing, is not sent; an added one is', async () => {
		const address = {
			street: '={{ $json.missing }}',
			houseNumberAddition: '={{ "" }}',
			postalCode: '',
			addressFields: { default: '={{ null }}', stateProvince: '' },
		};
		expect(await sent('payrollCompany', [{ id: 100 }], company(address))).toEqual([
			'<CompanyId>100</CompanyId><Address><StateProvince></StateProvince></Address>',
		]);
	});
});

describe('refused before anything is sent, with an error that names the field:', () => {
	const one = [{ id: 1001 }];

	const rows: ReadonlyArray<readonly [string, string, string]> = [
		[
			'a decimal',
			'[{"Id":1},{"Id":2},{"Percentage":"abc"}]',
			`Row 3, 'Percentage': "abc" is not a number.`,
		],
		['no list', '{"Id":1}', `'Cost Centers (JSON)': {"Id":1} is not a list.`],
		['an empty list', '[]', "'Cost Centers (JSON)' has no rows."],
		['an empty row', '[{"Id":1},{}]', 'Row 2 has no value in any of its fields.'],
		['no JSON', '[{"Id":1}', `'Cost Centers (JSON)': "[{\\"Id\\":1}" is not valid JSON.`],
		[
			'nothing',
			'={{ $json.missing }}',
			"'Cost Centers (JSON)': the expression gives nothing for this item.",
		],
	];
	it.each(rows)('JSON with %s', async (_, json, message) => {
		expect(await refused('payrollEmployee', one, updateJson(json))).toBe(message);
	});

	it('all invalid values of an item, together', async () => {
		const parameters = {
			...updateRows({}),
			employeeId: '={{ "" }}',
			costCenteren: {
				row: [{ percentage: '={{ "33,34" }}', fields: { id: 'x' } }, { fields: {} }],
			},
			period: '={{ "sixth" }}',
		};
		expect(await refused('payrollEmployee', one, parameters)).toBe(
			[
				'5 values cannot be used:',
				"'Employee ID': the expression gives nothing for this item.",
				`Row 1, 'Record ID': "x" is not a whole number.`,
				`Row 1, 'Percentage': "33,34" is not a number. Write 33.34`,
				'Row 2 has no value in any of its fields.',
				`'Period': "sixth" is not a whole number.`,
			].join('\n• '),
		);
		const hourCodes = { resource: 'hourCode', operation: 'getAll', companyId: '={{ "" }}' };
		const wrong = { ...hourCodes, limit: 0, options: { pageSize: 0, firstPage: 'x' } };
		expect(await refused('payrollHourCodes', one, wrong)).toBe(
			[
				'4 values cannot be used:',
				"'Company ID': the expression gives nothing for this item.",
				"'Page Size': 0 is not a whole number from 1 to 2147483647.",
				`'First Page': "x" is not a whole number from 0 to 2147483647.`,
				"'Limit': 0 is not a whole number from 1 to 2147483647.",
			].join('\n• '),
		);
	});
});
