/** Other List: Get Many: any list of the REST interface, by its path. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll, credential } = useSandbox();
beforeEach(async () => {
	await sandbox.configure({ pageSizeCap: null, firstPage: 1 });
});

/** Rows of the form's collection: names and values in turn. */
const parameters = (...values: ReadonlyArray<string | number | boolean>): INodeParameters => ({
	parameter: values.flatMap((name, i) =>
		i % 2 === 0 ? [{ name: String(name), value: values[i + 1] ?? '' }] : [],
	),
});

const list = { resource: 'list', operation: 'getAll', returnAll: true };

async function get(
	path: string,
	given: INodeParameters = {},
	input: IDataObject[] = [{ id: 100 }],
) {
	const result = await payroll.run(input, credential.company({ ...list, path, ...given }));
	const requests = (await sandbox.requests()).map((request) => request.path);
	return { result, error: result.error, requests };
}

const DEPARTMENTS = '/api/companies/{companyId}/departments';
const EMPLOYEES = '/api/companies/{companyId}/employees';

describe('a list', () => {
	it('is read with all its pages, and has the parameters of the path as keys', async () => {
		const { result, requests } = await get(EMPLOYEES, {
			parameters: parameters('companyId', '={{ $json.id }}'),
			options: { pageSize: 25 },
		});
		const items = result.json('Payroll');
		expect(items.map(({ employeeId }) => employeeId)).toEqual(
			Array.from({ length: 60 }, (_, i) => 1001 + i),
		);
		expect(items[9]).toEqual({
			companyId: 100,
			employeeId: 1010,
			displayName: 'Ö.J. de Groot-1010',
			department: 'Verkoop',
			endDate: '2026-05-31',
		});
		expect(requests).toEqual(
			[1, 2, 3].map((page) => `/api/companies/100/employees?pageNumber=${page}&pageSize=25`),
		);
	});

	it('is read with a read-only credential', async () => {
		const readOnly = await payroll.connect(sandbox, { readOnly: true });
		const node = payroll.node('payrollCompany', readOnly, { ...list, path: '/api/companies' });
		expect((await payroll.run([{}], node)).json('Payroll')).toHaveLength(2);
	});
});

describe('a parameter that is not in the path', () => {
	it('is sent encoded, also more than once', async () => {
		const { result, requests } = await get(DEPARTMENTS.replace('departments', 'employees'), {
			parameters: parameters(
				...['companyId', 100, 'department', 'R&D', 'department', 'Café', '$f[x]&', 'a=b#c/../%2e'],
				...['isActive', true],
			),
		});
		expect(result.json('Payroll')).toHaveLength(24);
		expect(requests).toEqual([
			'/api/companies/100/employees?department=R%26D&department=Caf%C3%A9&%24f%5Bx%5D%26=a%3Db%23c%2F..%2F%252e&isActive=true&pageNumber=1&pageSize=100',
		]);
	});
});

describe('nothing is sent', () => {
	it.each<[string, INodeParameters, RegExp]>([
		['={{ $json.none }}', {}, /^'Path' is empty\.$/],
		['=/api/companies/{{ $json.none }}/departments', {}, /^'Path': .* has an empty part/],
		['/api/{a}', {}, /^'Path' has no value for \{a\}: add it under 'Parameters'\.$/],
		['/api/{a}', { parameters: parameters('A', 1) }, /^'Path' has no value for \{a\}/],
		['/api/{a}', { parameters: parameters('a', '') }, /^Row 1, 'Value' is empty\.$/],
		['/api/{a}', { parameters: parameters('a', '..') }, /^Row 1, .*".." is not an identifier/],
		['/api/{a}', { parameters: parameters('a', 'a/b') }, /^Row 1, .* is not an identifier/],
		['/api/{a}', { parameters: parameters('a', '．．') }, /^Row 1, .* is not an identifier/],
		['/api/{a}', { parameters: parameters('a', '1\r\nX-Evil: 1') }, /^Row 1, .* is not a text or/],
		['/api/{a}', { parameters: parameters('a', '\ud83e') }, /^Row 1, .* is not a text or/],
		['/api', { parameters: parameters('a', 1, '', 'x') }, /^Row 2, 'Name' is empty\.$/],
		['/api', { parameters: parameters('a', '={{ $json.none }}') }, /^Row 1, 'Value' is empty\.$/],
		[
			'/api',
			{ parameters: parameters('a', '={{ $json }}') },
			/^Row 1, .* is not a text or a number/,
		],
		['/api', { parameters: parameters('PAGENUMBER', 2) }, /^Row 1, .*"PAGENUMBER" is sent by/],
		[
			'/api',
			{ parameters: parameters('pageSize', 2) },
			/'Page Size' and 'First Page' in the options/,
		],
		['/{a}', { parameters: parameters('a', 1, 'a', 2) }, /^Row 2, 'Name' is given twice\.$/],
		['/api', { limit: 0, returnAll: false }, /^'Limit': 0 is not a whole number/],
	])('for the path %j with %j', async (path, given, message) => {
		const { error, requests } = await get(path, given);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/^Nothing was sent for this item\./);
		expect(requests).toEqual([]);
	});
});

describe('an error', () => {
	it('about a list that does not exist has the words of the service, its path and the keys', async () => {
		const { error } = await get(DEPARTMENTS, { parameters: parameters('companyId', 999) });
		expect(error).toMatchObject({
			message: 'Not Found. There is no company 999.',
			description: expect.stringMatching(
				/^\/api\/companies\/999\/departments was not found, or .* companyId 999\.$/,
			),
			context: { data: { code: 'NOT_FOUND', request: { companyId: 999 } } },
		});
	});
});
