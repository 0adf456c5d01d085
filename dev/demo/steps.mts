/** The six operations as a builder would use them: the input, and the items expected. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Service } from './service.mts';

/** The expected result of a step, read without the package. */
export interface Expectation {
	items: IDataObject[];
	/** Pages read, for a REST call; a SOAP operation is called once for each input item. */
	pages?: number;
}

/** One workflow: input items, and one node that works on each of them. */
export interface Step {
	title: string;
	/** The service's own name of the operation. */
	operation: string;
	node: 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes';
	parameters: INodeParameters;
	/** The fields of its items that are shown, named with dots where they are nested. */
	columns: readonly string[];
	/** @param before items of the step before */
	input(before: readonly IDataObject[]): IDataObject[];
	/** Reads the expected result from the service, after the step. */
	expect(input: readonly IDataObject[], service: Service): Promise<Expectation>;
}

const PAGE_SIZE = 10;

/** One after the other, so that the order of the results is that of the input. */
async function eachOf<T extends IDataObject>(
	input: readonly IDataObject[],
	itemsOf: (item: T) => Promise<IDataObject[]>,
): Promise<Expectation> {
	const items: IDataObject[] = [];
	for (const item of input) items.push(...(await itemsOf(item as T)));
	return { items };
}

/** Whether a record of the service holds these values. */
function holds(record: IDataObject | undefined, values: IDataObject): boolean {
	return Object.entries(values).every(([name, value]) => record?.[name] === value);
}

interface Employee extends IDataObject {
	employee: number;
	period: number;
	year: number;
}

const readCostCenters: Step = {
	title: 'Cost Center: Get Many',
	operation: 'CostCenter_Get',
	node: 'payrollEmployee',
	parameters: {
		resource: 'costCenter',
		operation: 'getAll',
		employeeId: '={{ $json.employee }}',
		period: '={{ $json.period }}',
		year: '={{ $json.year }}',
	},
	columns: [
		...['EmployeeId', 'Period', 'Id'],
		...['CostCenter.Code', 'CostCenter.Description', 'Percentage', 'Default'],
	],
	input: () => [1002, 1006, 1010].map((employee) => ({ employee, period: 6, year: 2026 })),
	expect: async (input, service) =>
		await eachOf<Employee>(input, async ({ employee, period, year }) => {
			const records = await service.costCenters(employee, period, year);
			const keys = { EmployeeId: employee, Period: period, Year: year };
			return records.map((record) => ({ ...keys, ...record }));
		}),
};

interface Reallocation extends Employee {
	main: { record: number; share: number };
	other: { record: number; share: number };
}

/** New shares for employees with two cost centers, different for each. */
const updateCostCenters: Step = {
	title: 'Cost Center: Update',
	operation: 'CostCenter_Update',
	node: 'payrollEmployee',
	parameters: {
		resource: 'costCenter',
		operation: 'update',
		employeeId: '={{ $json.employee }}',
		costCenteren: {
			row: ['main', 'other'].map((which) => ({
				percentage: `={{ $json.${which}.share }}`,
				fields: { id: `={{ $json.${which}.record }}` },
			})),
		},
		period: '={{ $json.period }}',
		year: '={{ $json.year }}',
		keepOthers: false,
	},
	columns: ['EmployeeId', 'Period', 'Year', 'success'],
	input(before) {
		const mains = before.filter(({ Default }) => Default === true);
		return mains.map(({ EmployeeId, Period, Year, Id }, index) => {
			const other = before.find((record) => record.EmployeeId === EmployeeId && record.Id !== Id);
			const share = 70 + 2.5 * index;
			return {
				employee: EmployeeId,
				period: Period,
				year: Year,
				main: { record: Id, share },
				other: { record: other?.Id, share: 100 - share },
			};
		});
	},
	expect: async (input, service) =>
		await eachOf<Reallocation>(input, async ({ employee, period, year, main, other }) => {
			const records = await service.costCenters(employee, period, year);
			const success = [main, other].every(({ record, share }) =>
				records.some((found) => holds(found, { Id: record, Percentage: share })),
			);
			return [{ EmployeeId: employee, Period: period, Year: year, success }];
		}),
};

/** Enough employees for parallel calls. */
const readAddresses: Step = {
	title: 'Address: Get Many',
	operation: 'Address_GetListCurrent',
	node: 'payrollEmployee',
	parameters: {
		resource: 'address',
		operation: 'getAll',
		employeeId: '={{ $json.employee }}',
	},
	columns: ['EmployeeId', 'Id', 'Street', 'HouseNumber', 'PostalCode', 'City', 'Type'],
	input: () => Array.from({ length: 8 }, (_none, index) => ({ employee: 1001 + index })),
	expect: async (input, service) =>
		await eachOf<Employee>(input, async ({ employee }) =>
			(await service.addresses(employee)).map((record) => ({ EmployeeId: employee, ...record })),
		),
};

interface Move extends IDataObject {
	employee: number;
	from: string;
	street: string;
	number: number;
	postalCode: string;
	city: string;
}

/** Moves as a builder's own form might give them: with a date instead of a period. */
const moves: Move[] = [
	{
		employee: 1001,
		from: '2026-07-01',
		street: 'Prinsengracht',
		number: 263,
		postalCode: '1016 GV',
		city: 'Amsterdam',
	},
	{
		employee: 1004,
		from: '2026-08-01',
		street: 'Koningin Emmakade & Zn',
		number: 12,
		postalCode: '2518 RL',
		city: "'s-Gravenhage",
	},
];

const createAddresses: Step = {
	title: 'Address: Create',
	operation: 'Address_Insert',
	node: 'payrollEmployee',
	parameters: {
		resource: 'address',
		operation: 'create',
		employeeId: '={{ $json.employee }}',
		street: '={{ $json.street }}',
		houseNumber: '={{ String($json.number) }}',
		postalCode: '={{ $json.postalCode }}',
		city: '={{ $json.city }}',
		countryISOCode: 'NL',
		addressFields: { type: 'HomeAddress' },
		period: '={{ Number($json.from.slice(5, 7)) }}',
		year: '={{ Number($json.from.slice(0, 4)) }}',
		unprotectedMode: false,
	},
	columns: ['EmployeeId', 'Period', 'Year', 'Id'],
	input: () => moves,
	expect: async (input, service) =>
		await eachOf<Move>(input, async ({ employee, from, street, number, postalCode, city }) => {
			const wanted = {
				Street: street,
				HouseNumber: String(number),
				PostalCode: postalCode,
				City: city,
				CountryISOCode: 'NL',
				Type: 'HomeAddress',
			};
			const written = (await service.addresses(employee)).find((record) => holds(record, wanted));
			const [Year, Period] = from.split('-').map(Number);
			return [{ EmployeeId: employee, Period, Year, Id: written?.Id }];
		}),
};

/** Given as JSON, with the service's own element names. */
const updateCompanies: Step = {
	title: 'Address: Update',
	operation: 'Address_Update',
	node: 'payrollCompany',
	parameters: {
		resource: 'address',
		operation: 'update',
		companyId: '={{ $json.company }}',
		specifyAddress: 'json',
		addressJson: '={{ JSON.stringify($json.address) }}',
	},
	columns: ['CompanyId', 'success'],
	input: () => [
		{ company: 100, address: { Street: 'Herengracht', HouseNumber: '502', City: 'Amsterdam' } },
		{ company: 200, address: { Street: 'Stationsplein', HouseNumber: '9', City: 'Utrecht' } },
	],
	expect: async (input, service) =>
		await eachOf<{ company: number; address: IDataObject }>(input, async ({ company, address }) => {
			const written = await service.companyAddress(company);
			const success = holds(written, address) && holds(address, written);
			return [{ CompanyId: company, success }];
		}),
};

const readHourCodes: Step = {
	title: 'Hour Code: Get Many',
	operation: 'GET hourcodes',
	node: 'payrollHourCodes',
	parameters: {
		resource: 'hourCode',
		operation: 'getAll',
		companyId: '={{ $json.company }}',
		returnAll: true,
		options: { pageSize: PAGE_SIZE },
	},
	columns: ['CompanyId', 'id', 'code', 'description'],
	input: () => [{ company: 100 }, { company: 200 }],
	async expect(input, service) {
		let pages = 0;
		const { items } = await eachOf<{ company: number }>(input, async ({ company }) => {
			const codes = await service.hourCodes(company);
			// A short page is not taken for the last one: the page after it, which is empty, is.
			pages += Math.ceil(codes.length / PAGE_SIZE) + 1;
			return codes.map((code) => ({ CompanyId: company, ...code }));
		});
		return { items, pages };
	},
};

/** All six, in the order of the demo. */
export const steps: readonly Step[] = [
	readCostCenters,
	updateCostCenters,
	readAddresses,
	createAddresses,
	updateCompanies,
	readHourCodes,
];

/** The access token expires before this step, whose calls are sent in parallel. */
export const stepAfterExpiry = readAddresses;
