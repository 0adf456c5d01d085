import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { Result } from '../../../dev/engine/index.mts';
import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { useBench } from './bench.mts';

const example = exampleWorkflow('addresses-from-spreadsheet.json');

const bench = useBench();

const columns =
	'Employee ID;Street;House Number;House Number Addition;Postal Code;City;Country ISO Code';
const insert = 'Insert the addresses';

/** Uploads a CSV file in the form. */
async function upload(lines: string[], run: string, period = 6): Promise<Result> {
	const spreadsheet = {
		data: Buffer.from(lines.join('\r\n')).toString('base64'),
		...{ mimeType: 'text/csv', fileName: 'Addresses.CSV', fileExtension: 'csv' },
	};
	const json = { spreadsheet: {}, period, year: 2026, run };
	return await bench.submit(example, 'Address List', { json, binary: { spreadsheet } });
}

/** The rows of the second spreadsheet. */
function failures(result: Result): IDataObject[] {
	const [{ binary = {} } = {}] = result.items('Failures File');
	const { data = '', fileName } = (binary as IBinaryKeyData).failures ?? {};
	expect(fileName).toBe('addresses-to-correct.xlsx');
	return JSON.parse(Buffer.from(data, 'base64').toString()) as IDataObject[];
}

const good = [
	'1001;Nieuwe Gracht & Kade;12;;3512 LC;Utrecht;NL',
	'1002;Hauptstraße;007;B;01067;Dresden;DE',
];
const unknown = '9999;Dorpsstraat;1;;1234 AB;Ons Dorp;NL';

const read = (id: number): string =>
	`<Address_GetListCurrent><EmployeeId>${id}</EmployeeId></Address_GetListCurrent>`;

function inserted(id: number, elements: Record<string, string>): string {
	const address = Object.entries(elements).map(([name, text]) => `<${name}>${text}</${name}>`);
	return (
		`<Address_Insert><EmployeeId>${id}</EmployeeId><Address>${address.join('')}` +
		'<Type>HomeAddress</Type></Address><Period>6</Period><Year>2026</Year>' +
		'<UnprotectedMode>false</UnprotectedMode></Address_Insert>'
	);
}

const inserts = [
	inserted(1001, {
		...{ Street: 'Nieuwe Gracht &amp; Kade', HouseNumber: '12', HouseNumberAddition: '' },
		...{ PostalCode: '3512 LC', City: 'Utrecht', CountryISOCode: 'NL' },
	}),
	inserted(1002, {
		...{ Street: 'Hauptstraße', HouseNumber: '007', HouseNumberAddition: 'B' },
		...{ PostalCode: '01067', City: 'Dresden', CountryISOCode: 'DE' },
	}),
];

it.each(['Dry run: insert nothing', undefined])(
	'inserts nothing unless the clerk chooses it (%s)',
	async (run) => {
		const { error, status, json } = await upload([columns, ...good], run as string);
		expect([error, status]).toEqual([undefined, 'waiting']);
		expect(json('Insert Address')).toMatchObject(good.map(() => ({ dryRun: true })));
		expect(json('All Rows Succeeded')).toHaveLength(1);
		expect(await bench.sent()).toEqual([read(1001), read(1002)]);
	},
);

it.each([
	['semicolons', [columns, ...good]],
	['commas', [columns, ...good].map((line) => line.replaceAll(';', ','))],
	['a byte order mark and empty rows', [`\uFEFF${columns}`, ...good, ';;;;;;', '']],
])('inserts each address exactly as its cells are, from CSV with %s', async (_, lines) => {
	const { error, json } = await upload(lines, insert);
	expect(error).toBeUndefined();
	expect(await bench.sent()).toEqual([read(1001), inserts[0], read(1002), inserts[1]]);
	expect(json('Insert Address').map(({ created }) => created)).toEqual([true, true]);
	expect(json('All Rows Succeeded')).toHaveLength(1);
	expect(json('Some Rows Failed')).toEqual([]);
});

it('inserts nothing twice if the same file is uploaded again', async () => {
	await upload([columns, ...good], insert);
	const { json } = await upload([columns, ...good], insert);
	expect(await bench.executed()).toEqual({ Address_GetListCurrent: 4, Address_Insert: 2 });
	expect(json('Insert Address')).toMatchObject(good.map(() => ({ created: false })));
});

it('gives the rows that failed back in a second spreadsheet, with the reason', async () => {
	const incomplete = '1003;Oude Gracht;;;3511 AP; ;NL';
	const lines = [`${columns};Name`, ...[...good, unknown, incomplete].map((line) => `${line};X`)];
	const result = await upload(lines, insert);
	expect(result.error).toBeUndefined();
	expect((await bench.sent()).filter((body) => body.startsWith('<Address_Insert>'))).toEqual(
		inserts,
	);
	expect(failures(result)).toEqual([
		{
			...{ 'Employee ID': '9999', Street: 'Dorpsstraat', 'House Number': '1' },
			...{ 'House Number Addition': '', 'Postal Code': '1234 AB', City: 'Ons Dorp' },
			...{ 'Country ISO Code': 'NL', Name: 'X' },
			Error: expect.stringMatching(/^Employee 9999 does not exist\..* The change was not applied/),
		},
		{
			...{ 'Employee ID': '1003', Street: 'Oude Gracht', 'House Number': '' },
			...{ 'House Number Addition': '', 'Postal Code': '3511 AP', City: '' },
			...{ 'Country ISO Code': 'NL', Name: 'X', Error: 'No value in: House Number, City' },
		},
	]);
	expect(result.json('Some Rows Failed')).toHaveLength(1);

	// Once the browser has opened the page, the run ends without another one.
	const ended = await bench.resume(example, result, {});
	expect([ended.status, ended.json('All Rows Succeeded')]).toEqual(['success', []]);
});

it('takes the corrected rows from the second spreadsheet, with its column Error', async () => {
	const corrected = unknown.replace('9999', '1004');
	const { json } = await upload([`${columns};Error`, `${corrected};does not exist`], insert);
	expect(json('Insert Address')).toMatchObject([{ EmployeeId: 1004, created: true }]);
	expect(json('Some Rows Failed')).toEqual([]);
});

it('gives every row back if the service refuses all of them', async () => {
	const result = await upload([columns, ...good], insert, 5);
	expect(failures(result).map(({ Error: reason }) => reason)).toEqual(
		good.map(() => expect.stringMatching(/period lies before the current period/) as string),
	);
	expect(result.json('Did All Rows Succeed?')).toEqual([]);
});

it('inserts nothing from a file in another encoding than UTF-8', async () => {
	const lines = [columns, '1001;Stra\uFFFDe;1;;1234 AB;Utrecht;NL'];
	expect(failures(await upload(lines, insert))).toMatchObject([
		{ Error: 'Save the file as XLSX, or as CSV in UTF-8' },
	]);
	expect(await bench.sent()).toEqual([]);
});

it.each([
	['without rows', [columns], /has no rows/],
	['with a delimiter in a cell', [columns, good[0]?.replace('Kade', 'Kade, hoog') ?? ''], /Record/],
])('fails, and inserts nothing, with a file %s', async (_, lines, message) => {
	const { error, status } = await upload(lines, insert);
	expect(status).toBe('error');
	expect(error?.message).toMatch(message);
	expect(await bench.sent()).toEqual([]);
});
