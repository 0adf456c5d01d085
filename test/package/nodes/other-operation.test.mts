/** The resource Other Operation: operations from the service's own description, typed. */
import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';
import { chain, runWorkflow } from '../../../dev/engine/index.mts';
import { callByName, callFromList, filledIn } from '../../../dev/package/calls.mts';
import { describedCalls, type DescribedCall } from '../../../dev/package/described.mts';
import { fromAi } from '../../../dev/package/from-ai.mts';
import { answerToModel, callTool, givenToModel } from '../../../dev/package/tools.mts';
import { readXml, type XmlElement } from '../../../dev/sandbox/xml.mts';
import { sentOperations } from '../requests.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll, credential } = useSandbox({ schemaValidation: true });
const readOnly = useCredential(payroll, sandbox, () => ({ readOnly: true }));

type Service = DescribedCall['service'];

/** A node that calls an operation from the list. */
function calling(service: Service, name: string, more: INodeParameters = {}, used = credential) {
	const parameters = callFromList(name, more);
	return service === 'EmployeeService' ? used.employee(parameters) : used.company(parameters);
}

const itemsOf = async (...given: Parameters<typeof payroll.run>): Promise<IDataObject[]> =>
	(await payroll.run(...given)).json('Payroll');

/** The items that a call makes of the values of its response element. */
function itemsIn({ response }: Pick<DescribedCall, 'response'>): IDataObject[] {
	const values = Object.values(response);
	if (values.length === 0) return [{ success: true }];
	if (values.length > 1) return [response];
	const [value] = values;
	const isRecord = typeof value === 'object' && value !== null && !Object.hasOwn(value, '#text');
	if (Array.isArray(value)) return value as IDataObject[];
	return [isRecord ? (value as IDataObject) : { Result: value }];
}

/** Request keys that output items include. */
function keysOf({ request }: Pick<DescribedCall, 'request'>): IDataObject {
	const keys = ['EmployeeId', 'CompanyId', 'Period', 'Year'].flatMap((key) =>
		// A service may spell one EmployeeID.
		Object.entries(request)
			.filter(([name]) => name.toLowerCase() === key.toLowerCase())
			.map(([, value]) => [key, value] as const),
	);
	return Object.fromEntries(keys) as IDataObject;
}

/** What an element says, whatever its prefixes are. */
function meaning({ name, namespace, text, attributes, children }: XmlElement): unknown {
	const values = [...attributes].map(([key, value]) => [
		key,
		key === 'xsi:type' ? value.replace(/^.*:/, '') : value,
	]);
	return [name, namespace, text, Object.fromEntries(values), children.map(meaning)];
}

it.each(['EmployeeService', 'CompanyService'] as const)(
	'the list has all operations of the %s in alphabetical order',
	async (service) => {
		const entries = await payroll.list(calling(service, ''), 'searchOperations');
		const names = entries.map(({ value }) => String(value));
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
		const described = describedCalls.filter((call) => call.service === service);
		expect(names).toEqual(expect.arrayContaining(described.map(({ name }) => name)));
		for (const { name, value } of entries) expect(name.startsWith(String(value))).toBe(true);
	},
);

it.each([
	['verzuim nieuw', ['Absence_Insert']],
	['insert_absence', ['Absence_Insert']],
	// In the documentation, behind what the list shows of it.
	['update warnings', ['Employee_Update']],
])('the list is searched for %j', async (search, expected) => {
	const found = await payroll.list(calling('EmployeeService', ''), 'searchOperations', search);
	expect(found.map(({ value }) => value)).toEqual(expected);
});

it.each<[string, string[]]>([
	['verzuim', ['EmployeeService: Absence_']],
	['loonstrook', ['CompanyService: ']],
	['DebtorService', ['DebtorService']],
	['nothing of that', []],
])('the services are searched for %j', async (search, expected) => {
	const found = await payroll.list(calling('EmployeeService', ''), 'searchServices', search);
	expect(found.map(({ name }) => name)).toEqual(
		expected.map((name) => expect.stringContaining(name) as string),
	);
});

it.each<[boolean, string, string]>([
	[false, '12,5', `"12,5" has a decimal comma. Turn on 'Decimal Comma'.`],
	[true, '12,5', 'Absence Percentage 12.5'],
	[true, '12,5', 'Absence End null'],
	[
		true,
		'12.5',
		`"12.5" has a decimal point, but 'Decimal Comma' is on. Write 12,5, or turn it off.`,
	],
])(
	'Decimal Comma (%s) is about the numbers of a typed call: %j',
	async (decimalComma, share, text) => {
		const value = {
			...{ EmployeeId: 1001, 'Absence.Start': '2026-09-01', 'Absence.Cause': 'Sick child' },
			'Absence.Percentage': '={{ $json.share }}',
		};
		const more = { operationParameters: filledIn(value), decimalComma, dryRun: true };
		const node = calling('EmployeeService', 'Absence_Insert', more);
		const { error, json } = await payroll.run([{ share }], node);
		expect(error?.message ?? json('Payroll')[0]?.changes).toContain(text);
	},
);

it('a required number that is refused is not missing, too', async () => {
	const hours = { Id: 0, HourCode: 100, Hours: '7,5', CostCenterId: null, CostUnitId: null };
	const node = calling('EmployeeService', 'HourComponentVar_Insert');
	const others = { EmployeeId: 1001, Period: 6, Year: 2026, UnprotectedMode: false };
	const { error } = await payroll.run([{ ...others, ...hours }], node);
	expect(error?.message).toMatch(
		/^'Hourcomponent Hours .*': "7,5" has a decimal comma\. Turn on 'Decimal Comma'\.$/,
	);
});

it.each(describedCalls)(
	'$name has a field for each parameter, takes them from an item, and gives typed items',
	async (call) => {
		const { service, name, request, body } = call;
		const { fields } = await payroll.fields(calling(service, name), 'getOperationParameters');
		const outer = fields.map(({ id }: ResourceMapperField) => id.split('.')[0]);
		expect(outer).toEqual(expect.arrayContaining(Object.keys(request)));
		const result = await itemsOf([request], calling(service, name));
		expect(result).toEqual(itemsIn(call).map((item) => ({ ...keysOf(call), ...item })));
		const sent = (await sentOperations(sandbox)).at(-1) ?? '';
		expect(meaning(readXml(sent))).toEqual(meaning(readXml(`<${name}>${body}</${name}>`)));
	},
);

it('an item that is mapped automatically may have everyday names, paths and names of the service', async () => {
	const item = { Medewerker: 1001, start: '2026-09-01', 'Absence.Cause': 'Sick child', note: 1 };
	const node = calling('EmployeeService', 'Absence_Insert');
	const { json, hints } = await payroll.run([{ ...item, id: 7, Percentage: 50 }], node);
	expect(json('Payroll')).toEqual([{ EmployeeId: 1001, Result: expect.any(Number) }]);
	expect((await sentOperations(sandbox))[0]).toMatch(
		/<EmployeeId>1001<.*<Absence><Start>2026-09-01T00:00:00<.*<Percentage>50<.*<Cause>Sick child</,
	);
	expect(hints()).toEqual(['Not sent, since there is no field for it: note; id.']);
});

it('a form names every value that the description does not allow, before anything is sent', async () => {
	const node = calling('EmployeeService', 'Absence_Insert', {
		operationParameters: filledIn({
			EmployeeId: '={{ $json.id }}',
			'Absence.Start': 'soon',
			'Absence.Percentage': '33.3300',
			'Absence.Cause': 'Holiday',
		}),
	});
	const { error } = await payroll.run([{ id: 'x' }], node);
	expect(error?.message).toMatch(/^3 values cannot be used:/);
	// As the form labels them.
	for (const name of ['Employee ID', 'Absence Cause', 'Absence Start']) {
		expect(error?.message).toContain(`• '${name}': `);
	}
	expect(error?.description).toContain('Nothing was written for this item.');
	expect(await sentOperations(sandbox)).toEqual([]);
});

describe('a date-time that is midnight in the time zone of the workflow', () => {
	const hintsIn = async (timezone: string, Start: string) => {
		const dry = { dryRun: true };
		const own = calling('EmployeeService', 'Absence_Insert', dry);
		const byName = credential.employee(callByName('X', { a: [{ Start }] }, dry));
		const item = { EmployeeId: 1001, Start, Cause: 'Sick child', Percentage: 50 };
		const runs = [own, byName].map(async (node) => {
			const workflow = payroll.workflow(chain([item], node));
			return (await runWorkflow({ ...workflow, settings: { timezone } })).hints().join();
		});
		return await Promise.all(runs);
	};

	it.each<[string, boolean]>([
		['2026-05-31T22:00:00.000Z', true],
		['2026-05-31T22:00:00Z', true],
		['2026-01-31T23:00:00Z', true],
		['2026-05-31T18:00:00-04:00', true],
		['2026-06-01T00:00:00.000+02:00', false],
		['2026-06-01T00:00:00', false],
		['2026-05-31T21:00:00Z', false],
		['2026-06-01', false],
	])('%s is sent as another day: a hint says so: %s', async (start, isHinted) => {
		const hint = /Midnight in Europe\/Amsterdam, .* another day/;
		const hints = await hintsIn('Europe/Amsterdam', start);
		expect(hints.map((text) => hint.test(text))).toEqual([isHinted, isHinted]);
		expect((await hintsIn('America/New_York', start)).join()).not.toContain('Amsterdam');
	});
});

describe('Only Reads', () => {
	const input = Array.from({ length: 12 }, (_, i) => ({ EmployeeId: 1001 + i }));
	const reading = (onlyReads: unknown, used = credential) =>
		calling('EmployeeService', 'Employee_Get', { options: { onlyReads } as never }, used);
	afterEach(async () => await sandbox.configure({ holdUntilOpen: 0 }));

	it('has calls run at the same time; without it, one', async () => {
		await sandbox.configure({ holdUntilOpen: 4 });
		await payroll.run(input, reading(true));
		expect((await sandbox.stats()).maxInFlight).toBeGreaterThanOrEqual(4);
		await sandbox.configure({ holdUntilOpen: 0 });
		await sandbox.reset();
		await payroll.run(input, reading(false));
		expect((await sandbox.stats()).maxInFlight).toBe(1);
	});

	it('accepts no expression', async () => {
		const { error } = await payroll.run([{ EmployeeId: 1001 }], reading('={{ true }}'));
		expect(error?.message).toBe(
			"'Only Reads' does not accept an expression. Turn it on or off by hand.",
		);
		expect(await sentOperations(sandbox)).toEqual([]);
	});

	it('does not lift the restriction of a read-only credential', async () => {
		const { error } = await payroll.run([{ EmployeeId: 1001 }], reading(true, readOnly));
		expect(error?.message).toBe('The credential is read-only');
		expect(await sentOperations(sandbox)).toEqual([]);
	});
});

it('an operation that the description does not have is an error before anything is sent', async () => {
	const { error } = await payroll.run([{}], calling('EmployeeService', 'Gone_Get'));
	expect(error?.message).toBe('The service has no operation Gone_Get');
	expect(error?.description).toMatch(
		/'Service', and choose the operation from the list again\. The change was not applied/,
	);
	expect(await sentOperations(sandbox)).toEqual([]);
});

it('as a tool it asks the model only for what the builder leaves to it, and sends both', async () => {
	const chosen = calling('EmployeeService', 'Absence_Insert', { operationParameters: {} });
	const draft = { ...chosen, type: `${chosen.type}Tool` };
	const { fields } = await payroll.fields(draft, 'getOperationParameters');
	const value = {
		EmployeeId: fromAi('Employee_ID', 'number'),
		'Absence.Start': '2026-09-01T09:00:00Z',
		'Absence.Percentage': 50,
		'Absence.Cause': fromAi('Absence_Cause', 'string'),
	};
	const operationParameters = { ...filledIn(value), schema: fields } as never;
	const tool = { ...draft, parameters: { ...draft.parameters, operationParameters } };

	const { description, parameters } = await givenToModel(payroll, credential.id, tool);
	expect(description).toMatch(
		/^Call the operation Absence_Insert of the EmployeeService .* May change data\. /,
	);
	expect(Object.keys(parameters.properties)).toEqual(['Employee_ID', 'Absence_Cause']);
	const input = { Employee_ID: 1001, Absence_Cause: 'Sick child' };
	const result = await callTool(payroll, credential.id, tool, input);
	expect(JSON.parse(answerToModel(result))).toEqual([
		{ EmployeeId: 1001, Result: expect.any(Number) },
	]);
	expect((await sentOperations(sandbox))[0]).toContain('<Cause>Sick child</Cause>');
	const wrong = await callTool(payroll, credential.id, tool, { ...input, Absence_Cause: 'x' });
	expect(answerToModel(wrong)).toMatch(/'Absence Cause': .*Choose Sick, Sick child/);
	// Agent 3 does not enforce that an argument is given.
	const without = await callTool(payroll, credential.id, tool, { Employee_ID: 1001 });
	expect(answerToModel(without)).toMatch(
		/^\[\{"error":"'Absence Cause' is empty\. Nothing was written/,
	);
});
