/** The table's own test: what is wrong on purpose has to be found. */
import { answer } from './message.mts';
import { soapFault } from './echo.mts';
import { body, complete, each, error, notApplied, reply, unknown, type Fault } from './fault.mts';
import { runTable, type Table } from './table.mts';
import { targets } from './targets.mts';

const refuse = reply((call) => {
	const { type, body: text } = soapFault(call, 'No.', 'sender');
	return answer(500, type, text);
});

/** Each fault with the problem that is found of it in a read and in a write. */
const wrong: ReadonlyArray<{ fault: Fault; read: RegExp; write: RegExp }> = [
	{
		fault: {
			name: 'expected to succeed, and fails',
			service: refuse,
			expect: each(complete(1, 0), complete(1, 0)),
		},
		read: /outcome error, not complete/,
		write: /outcome notApplied, not complete/,
	},
	{
		fault: {
			name: 'expected to fail, and succeeds',
			expect: each(error(1, 1, /./), unknown(1, 1, /./)),
		},
		read: /outcome complete, not error/,
		write: /outcome complete, not unknown/,
	},
	{
		fault: {
			name: 'another number of calls',
			service: refuse,
			expect: each(error(2, 1, /No/), notApplied(2, 1, /No/)),
		},
		read: /sent 1 times, not 2.*executed 0 times, not 1/,
		write: /sent 1 times, not 2.*executed 0 times, not 1/,
	},
	{
		fault: {
			name: 'another error',
			service: refuse,
			expect: each(error(1, 0, /timeout/), notApplied(1, 0, /timeout/)),
		},
		read: /the error says: No\./,
		write: /the error says: No\./,
	},
	{
		fault: {
			name: 'executed, and said not to be',
			async service(call) {
				await call.forward();
				await refuse(call);
			},
			expect: each(error(1, 0, /No/), notApplied(1, 1, /No/)),
		},
		read: /executed 1 times, not 0/,
		write: /not applied, and it was executed/,
	},
	{
		fault: {
			name: 'executed twice',
			async service(call) {
				await call.forward();
				call.send(await call.forward());
			},
			expect: each(complete(1, 1), complete(1, 2)),
		},
		read: /executed 2 times, not 1/,
		write: /the write was executed 2 times.*success, and it was not executed/,
	},
	{
		fault: {
			name: 'a result without a call, and a record less',
			service: reply((call) => {
				const { operation, soapVersion } = call.cell.target;
				const fault = soapFault(call, '');
				const service = operation === 'Address_Update' ? 'CompanyService' : 'EmployeeService';
				const response = `<${operation}Response xmlns="http://payroll.example/soap/v3/${service}" />`;
				const prefix = soapVersion === '1.1' ? 'soap' : 'soap12';
				const envelope = new RegExp(`<${prefix}:Fault>.*</${prefix}:Fault>`);
				return answer(200, fault.type, fault.body.replace(envelope, response));
			}),
			expect: { soapRead: complete(1, 0), update: complete(1, 0) },
		},
		read: /0 of 3 records without an error/,
		write: /success, and it was not executed/,
	},
];

/** A secret in a record cannot be told from the record: nobody takes it out, and it is found. */
const leak: Fault = {
	name: 'a token in a record',
	service: body((good, { request }) =>
		good.replace(/<City>[^<]*/, `<City>${request.headers.authorization}`),
	),
	expect: {},
};

let table: Table;
const columns = targets.filter(({ name }) =>
	/^(Address_GetListCurrent|Address_Update) 1.1/.test(name),
);

beforeAll(async () => {
	const faults = wrong.map(({ fault }) => fault);
	const leaking = { ...leak, expect: { soapRead: complete() } };
	table = await runTable([{ name: 'Wrong', faults: [...faults, leaking] }], columns);
});

it.each(wrong.map((entry, index) => ({ ...entry, name: entry.fault.name, index })))(
	'is found: $name',
	({ index, read, write }) => {
		expect(table.square(0, index, 0)?.problems.join('; ')).toMatch(read);
		expect(table.square(0, index, 1)?.problems.join('; ')).toMatch(write);
	},
);

it('is found: a secret in an item and in the stored run', () => {
	const [item] = table.search.hits.filter(({ place }) => place.includes(': items'));
	expect(item).toMatchObject({ secret: 'token', encoding: 'as it is' });
	expect(table.search.hits.map(({ place }) => place)).toContainEqual(
		expect.stringContaining(': stored run data'),
	);
});
