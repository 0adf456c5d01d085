/** Input items as the rows of a sheet of addresses: each is one call. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { NodeDraft } from '../../../dev/engine/index.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';
import { sentWrites } from '../requests.mts';

const { sandbox, payroll } = useSandbox({ schemaValidation: true });
const credential = useCredential(payroll, sandbox);

const row = (id: unknown, number: unknown, more: IDataObject = {}) =>
	({
		...{ 'Employee ID': id, Street: 'Nieuwe Gracht', 'House Number': number },
		...{ Postcode: '3512 LC', City: 'Utrecht', Type: 'PostAddress', Name: 'Jansen', ...more },
	}) as IDataObject;

const create = async (
	sheet: IDataObject[],
	parameters: INodeParameters = {},
	more?: Partial<NodeDraft>,
) => {
	const node = credential.employee(
		{
			...{ resource: 'address', operation: 'create', specifyAddress: 'items' },
			...{ period: '6', year: '2026', verify: false, ...parameters },
		} as INodeParameters,
		more,
	);
	const { error, json, hints } = await payroll.run(sheet, node);
	return { message: error?.message, items: json('Payroll'), hints: hints().join('\n') };
};

it('two addresses of one employee are two calls, with the columns of the sheet in the items', async () => {
	const sheet = [
		row(1001, 1, { Toevoeging: 'a' }),
		row('1001', 2, { Type: '' }),
		{},
		row('Totaal', ''),
	];
	const { message, items, hints } = await create(sheet);
	expect(message).toBeUndefined();
	const address = (number: string, type: string) =>
		`<Address><Street>Nieuwe Gracht</Street><HouseNumber>${number}` +
		`<PostalCode>3512 LC</PostalCode><City>Utrecht</City>${type}</Address>`;
	const insert = (inner: string) =>
		`<Address_Insert><EmployeeId>1001</EmployeeId>${inner}<Period>6</Period><Year>2026</Year>` +
		'<UnprotectedMode>false</UnprotectedMode></Address_Insert>';
	expect(await sentWrites(sandbox)).toEqual([
		insert(
			address(
				'1</HouseNumber><HouseNumberAddition>a</HouseNumberAddition>',
				'<Type>PostAddress</Type>',
			),
		),
		insert(address('2</HouseNumber>', '')),
	]);
	const Id = expect.any(Number) as number;
	const item = { EmployeeId: 1001, Period: 6, Year: 2026, Id, Name: 'Jansen' };
	expect(items).toMatchObject([item, item]);
	expect(hints).toContain('4 (blank)');
	expect(hints).toContain('5 (a total: "Totaal")');
});

it('a preview says what would be sent, in the words and the order of the form', async () => {
	const columns = Object.entries(row(1001, 1)).reverse();
	const { items } = await create([Object.fromEntries(columns) as IDataObject], { dryRun: true });
	expect(Object.entries(items[0] ?? {}).slice(0, 3)).toEqual([
		['EmployeeId', 1001],
		['Name', 'Jansen'],
		[
			'changes',
			'Street Nieuwe Gracht · House Number 1 · Postal Code 3512 LC · City Utrecht · Type PostAddress',
		],
	]);
});

const { Type: _, ...untyped } = row(1001, 1);

it.each<[string, IDataObject[], string]>([
	['a street', [row(1001, 1), row(1002, 2, { Street: '' })], "Row 3, 'Street' is empty."],
	['a number, whatever else is wrong', [row('x', '')], "Row 2, 'House Number' is empty."],
	['a known type, by any name', [{ ...untyped, Soort: 'Thuis' }], `Row 2, 'Type': "Thuis"`],
	['a type', [row(1001, 1, { Type: 'Home' })], 'Row 2, \'Type\': "Home"'],
	['an employee', [row('', 1)], "Row 2, 'Employee ID' is empty"],
	['one period', [row(1001, 1, { Period: 7 })], "Row 2, 'Period': 7 in the row contradicts"],
])('each row needs %s', async (_, sheet, expected) => {
	expect((await create(sheet)).message).toContain(expected);
	expect(await sentWrites(sandbox)).toEqual([]);
});

it('columns are mapped by hand; a faulty row does not stop the others', async () => {
	const value = {
		...{ EmployeeId: '={{ $json.Nr }}', Street: '={{ $json.Straat }}', HouseNumber: '1' },
		...{ PostalCode: '3512 LC', City: 'Utrecht', Type: 'HomeAddress' },
	};
	const schema = Object.keys(value).map((id) => ({
		...{ id, displayName: id, type: 'string', required: false, display: true, defaultMatch: false },
	}));
	const addressColumns = { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
	const sheet = [
		{ Nr: 1001, Straat: 'Gracht' },
		{ Nr: 1002, Straat: '' },
	];
	const { items } = await create(sheet, { addressColumns } as INodeParameters, {
		onError: 'continueRegularOutput',
	});
	expect(items).toMatchObject([{ EmployeeId: 1001 }, { Nr: 1002, column: 'Street', error: {} }]);
	expect(await sentWrites(sandbox)).toHaveLength(1);
});
