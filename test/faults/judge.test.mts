/** Tests the table itself: it has to find what is wrong on purpose. */
import { alter, alterBody, executed, reply, type Act } from './acts.mts';
import { soapFault } from './echo.mts';
import { hold } from '../support/eventLoop.mts';
import { complete, each, error, fault, notApplied, type Fault } from './fault.mts';
import { runTable, type Table } from './table.mts';
import { targets } from './targets.mts';

const refuse = reply((call) => soapFault(call, 'No.', { blame: 'sender' }));

const executeTwice: Act = executed(alter((good) => good));

/** Faults with a wrong expectation, and the problems that are found in a read and in a write. */
const wrong: ReadonlyArray<{ fault: Fault; read: RegExp; write: RegExp }> = [
	{
		fault: fault('expected to succeed, and fails', refuse, each(complete(1, 0), complete(1, 0))),
		read: /outcome error, not complete/,
		write: /outcome notApplied, not complete/,
	},
	{
		fault: fault(
			'holds the event loop',
			alter((good) => {
				hold(300);
				return good;
			}),
			each(complete(), complete()),
		),
		read: /held the event loop for \d+ ms/,
		write: /held the event loop for \d+ ms/,
	},
	{
		fault: fault(
			'executed, and reported as not applied',
			executed(refuse),
			each(error(1, 0, /No/), notApplied(1, 1, /No/)),
		),
		read: /executed 1 times, not 0/,
		write: /not applied, and it was executed/,
	},
	{
		fault: fault('executed twice', executeTwice, each(complete(1, 1), complete(1, 2))),
		read: /executed 2 times, not 1/,
		write: /the write was executed 2 times.*success, and it was not executed/,
	},
];

/** In items, a secret is only masked as it is: in another spelling, it is found. */
const leak = fault(
	'a token in base64 in a record',
	alterBody((good, { request }) =>
		good.replace(
			/<City>[^<]*/,
			`<City>${Buffer.from(String(request.headers.authorization).replace(/^.*?\./, '')).toString('base64')}`,
		),
	),
	{ soapRead: complete() },
);

let table: Table;
const [read, write] = ['Address_GetListCurrent 1.1', 'Address_Update 1.1'].map((name) => {
	const found = targets.find((target) => target.name === name);
	if (found === undefined) throw new Error(`No target ${name}`);
	return found;
}) as [(typeof targets)[number], (typeof targets)[number]];

beforeAll(async () => {
	const faults = wrong.map((entry) => entry.fault);
	table = await runTable(new Map([...faults, leak].map((row) => [row, [read, write]])));
});

it.each(wrong.map((entry) => ({ ...entry, name: entry.fault.name })))(
	'finds: $name',
	({ fault: row, read: ofRead, write: ofWrite }) => {
		const [inRead, inWrite] = [read, write].map((target) =>
			table.findings.find((one) => one.fault === row && one.target === target),
		);
		expect(inRead?.problems.join('; ')).toMatch(ofRead);
		expect(inWrite?.problems.join('; ')).toMatch(ofWrite);
	},
);

it('finds a secret in an item and in the stored run', () => {
	const [item] = table.search.hits.filter(({ path }) => path.includes(': items'));
	expect(item).toMatchObject({ secret: 'token', encoding: expect.stringContaining('base64') });
	expect(table.search.hits.map(({ path }) => path)).toContainEqual(
		expect.stringContaining(': stored run data'),
	);
});
