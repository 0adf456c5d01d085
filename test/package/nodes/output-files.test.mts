/** Other Operation: Call, Put Output File in Field: files in answers become binary data. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
	chain,
	keepFilesIn,
	keepNoFiles,
	readFile,
	retryWorkflow,
	type FileMode,
	type NodeDraft,
	type Result,
} from '../../../dev/engine/index.mts';
import { calledIn, employeeIn, FILES_ROOT, servingFiles } from '../../support/file-service.mts';
import { atNight } from '../../support/runs.mts';
import { scriptedServer, type ScriptedServer } from '../../support/scripted.mts';
import { Connected, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
let service: ScriptedServer;
let credential: Connected;

const connected = async (changes = {}): Promise<Connected> => {
	const addresses = { soapUrl: service.url, soapNamespace: FILES_ROOT };
	return new Connected(payroll, await payroll.connect(sandbox, { ...addresses, ...changes }));
};

beforeAll(async () => {
	service = await scriptedServer();
});
beforeEach(async () => {
	credential = await connected();
});
afterAll(async () => await service.close());
afterEach(async () => await keepFilesIn('default'));

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3000, 7)]);
const pdf = PDF.toString('base64');
/** As .NET may write it. */
const inLines = pdf.replace(/.{76}/g, '$&\r\n');

const FILE = { outputPropertyName: 'data' };

function calling(
	name: string,
	options: INodeParameters = FILE,
	more: Partial<NodeDraft> = {},
	parameters: INodeParameters = {},
): NodeDraft {
	return credential.employee(
		{
			...{ resource: 'custom', operation: 'call' },
			operationName: { __rl: true, mode: 'list', value: name },
			operationParameters: { mappingMode: 'autoMapInputData', value: null },
			options,
			...parameters,
		},
		more,
	);
}

const byName = (name: string, options: INodeParameters): NodeDraft =>
	calling(
		name,
		options,
		{},
		{
			operationName: { __rl: true, mode: 'name', value: name },
			parametersJson: '{ "EmployeeId": 1001 }',
		},
	);

/** Runs a call of one employee, which the service answers with this result. */
async function answered(
	node: NodeDraft,
	result: string | undefined,
): Promise<Result & { readonly out: INodeExecutionData[]; readonly hints: string[] }> {
	service.play(servingFiles(() => result));
	const run = await payroll.run([{ EmployeeId: 1001 }], node);
	const { hints = [] } = run.run.data.resultData.runData.Payroll?.[0] ?? {};
	return { ...run, out: run.items('Payroll'), hints: hints.map(({ message }) => message) };
}

const calls = (): string[] =>
	service.received.filter(({ method }) => method === 'POST').map(({ body }) => calledIn(body));

describe.each<FileMode>(['default', 'filesystem'])('a file that n8n keeps in mode %s', (mode) => {
	beforeEach(async () => await keepFilesIn(mode));

	it('is the result itself, byte by byte, with the type of its content and a name', async () => {
		const { out } = await answered(calling('Payslip_Get'), inLines);
		expect(out).toHaveLength(1);
		expect(out[0]).toMatchObject({ json: { EmployeeId: 1001 }, pairedItem: { item: 0 } });
		expect(out[0]?.json).toEqual({ EmployeeId: 1001 });
		const file = out[0]?.binary?.data;
		expect(file).toMatchObject({
			fileName: 'Payslip_Get-1001.pdf',
			mimeType: 'application/pdf',
			fileExtension: 'pdf',
			fileType: 'pdf',
		});
		expect(file?.id === undefined).toBe(mode === 'default');
		expect((await readFile(file)).equals(PDF)).toBe(true);
	});

	it('has the values of its request in its name: a payslip of another run is another file', async () => {
		const parameters = {
			parametersJson: '{ "EmployeeId": 1001, "Run": { "Id": 7 }, "Day": "2026-06-30" }',
		};
		const node = byName('Payslip_Get', { ...FILE, fileContentIs: 'base64' });
		const { out } = await answered(
			{ ...node, parameters: { ...node.parameters, ...parameters } },
			pdf,
		);
		expect(out[0]?.binary?.data?.fileName).toBe('Payslip_Get-1001-7-2026-06-30.pdf');
	});

	it('is offered if a text holds it', async () => {
		const { hints } = await answered(calling('Payslip_Get', {}), pdf);
		expect(hints).toContain(
			"A text looks like a file. To get it as one, add the option 'Put Output File in Field': Result.",
		);
	});

	it('stays with its record: one without content has no file, and none of another record', async () => {
		const contents = [
			'',
			...['%PDF-1', '%PDF-2'].map((text) => Buffer.from(text).toString('base64')),
		];
		const rows = [1, 0, 2, 0].map(
			(n, i) => `<Payslip><Id>${i}</Id><Content>${contents[n]}</Content></Payslip>`,
		);
		const { out, hints } = await answered(
			calling('Payslip_GetList', { ...FILE, fileContentIn: 'Content' }),
			rows.join(''),
		);
		const texts = out.map(async ({ json, binary }) => [
			json.Id,
			binary && String(await readFile(binary.data)),
		]);
		expect(await Promise.all(texts)).toEqual([
			[0, '%PDF-1'],
			[1, undefined],
			[2, '%PDF-2'],
			[3, undefined],
		]);
		expect(hints.join()).toContain('The service sent no content');
	});
});

describe('a batch of fifty payslips of 5 MiB, read at the same time', () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const used = (): number => {
		collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		return (heapUsed + external) / 2 ** 20;
	};
	const SLIP = randomBytes(5 * 2 ** 20);
	const input = Array.from({ length: 50 }, (_, i) => ({ EmployeeId: 1001 + i }));

	atNight('is in memory no longer than until n8n has stored it', async () => {
		await keepFilesIn('filesystem');
		const content = SLIP.toString('base64');
		service.play(servingFiles(() => content));
		const node = calling('Payslip_Get', { ...FILE, onlyReads: true });
		await payroll.run(input.slice(0, 1), node);
		const before = used();
		const { items } = await payroll.run(input, node);
		service.received.length = 0;
		// Connections may still hold a part of their answers. In all, 250 MiB were stored.
		for (let i = 0; i < 40 && used() - before > 10; i += 1) await sleep(50);
		expect(used() - before).toBeLessThan(20);
		for (const { binary } of items('Payroll')) {
			expect((await readFile(binary?.data)).equals(SLIP)).toBe(true);
		}
	});
});

describe('File Content In', () => {
	const document = `<Title>Contract</Title><File><Name>a.pdf</Name><Bytes>${pdf}</Bytes></File><Preview>AAAA</Preview>`;

	it('names the element, below the record', async () => {
		const { out } = await answered(
			calling('Document_Get', { ...FILE, fileContentIn: 'File.Bytes', fileName: 'a/b.pdf' }),
			document,
		);
		expect(out[0]?.json).toEqual({
			...{ EmployeeId: 1001, Title: 'Contract' },
			...{ File: { Name: 'a.pdf' }, Preview: 'AAAA', Versions: undefined },
		});
		expect(out[0]?.binary?.data?.fileName).toBe('a_b.pdf');
		expect((await readFile(out[0]?.binary?.data)).equals(PDF)).toBe(true);
	});

	it('is the only element of a record by itself, and of its text a hint says that it is a file', async () => {
		const own = new Connected(payroll, await payroll.connect(sandbox));
		const slips = async (options: INodeParameters) => {
			const value = 'SalaryDocuments_GetEmployeePayslipsPDFByRunCompany_v2';
			const parameters = {
				...{ resource: 'custom', operation: 'call', options },
				service: { __rl: true, mode: 'list', value: 'CompanyService' },
				operationName: { __rl: true, mode: 'list', value },
				operationParameters: { mappingMode: 'autoMapInputData', value: null },
			};
			const input = [7101, 7102].map((RunID) => {
				return { EmployeeID: 1001, CompanyId: 100, RunID, intYear: 2026 };
			});
			return await payroll.run(input, own.company(parameters));
		};
		const names = (await slips(FILE)).items('Payroll').map(({ binary }) => binary?.data?.fileName);
		expect(names).toEqual([
			expect.stringMatching(/-1001-100-7101-2026\.pdf$/),
			expect.stringMatching(/-1001-100-7102-2026\.pdf$/),
		]);
		const { run } = await slips({});
		const hints = run.data.resultData.runData.Payroll?.[0]?.hints?.map(({ message }) => message);
		expect(hints?.[0]).toBe('2 items: 2 sent.');
		expect(hints?.join()).toContain("add the option 'Put Output File in Field': PDF.");
	});

	it.each<[string, string, INodeParameters, RegExp]>([
		[
			'is empty, and the result is a record',
			'Document_Get',
			FILE,
			/'File Content In' is empty, and the result is a record\. Enter the element with the content\. It has: Title, File, Preview and Versions\./,
		],
		[
			'names no element',
			'Document_Get',
			{ ...FILE, fileContentIn: 'File.Content' },
			/'File Content In' cannot be used: there is no 'Content' in the result\. It has: Name and Bytes\./,
		],
		[
			'leads through a list',
			'Document_Get',
			{ ...FILE, fileContentIn: 'Versions.Content' },
			/'File Content In' cannot be used\. 'Versions' leads to a list/,
		],
		[
			'is empty, and the result is a number',
			'Document_Insert',
			FILE,
			/'File Content In' cannot be 'Result'\. It is no text\./,
		],
		[
			'has no field',
			'Document_Get',
			{ fileContentIn: 'Preview' },
			/'File Content In' has no effect without 'Put Output File in Field'/,
		],
		[
			'has an unknown format',
			'Payslip_Get',
			{ ...FILE, fileContentIs: 'zip' },
			/'File Content Is': "zip" is not known/,
		],
		[
			'has a name that no file system takes',
			'Payslip_Get',
			{ ...FILE, fileName: 'é'.repeat(121) },
			/'File Name' has more than 240 bytes\./,
		],
	])('%s: an error before anything is sent', async (_, name, options, message) => {
		const { error, errorOf } = await answered(calling(name, options), document);
		expect(error?.message).toMatch(message);
		expect(errorOf('Payroll')?.message).toMatch(message);
		expect(calls()).toEqual([]);
	});

	it.each([
		['nil', '<Preview xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>'],
		['absent', '<Title>x</Title>'],
	])('leads to content that is %s: an item without a file, and a hint', async (_, content) => {
		const { out, hints } = await answered(
			calling('Document_Get', { ...FILE, fileContentIn: 'Preview' }),
			content,
		);
		expect(out).toHaveLength(1);
		expect(out[0]?.binary).toBeUndefined();
		expect(hints).toContain(
			'The service sent no content, so there is no file, for: Document_Get-1001.',
		);
	});
});

describe('a text', () => {
	it('becomes a file in UTF-8, with the type of its content', async () => {
		const xml = '<?xml version="1.0"?><Pain>é</Pain>';
		const sent = xml.replaceAll('<', '&lt;');
		const { out } = await answered(calling('Report_Get'), sent);
		expect(out[0]?.binary?.data).toMatchObject({
			fileName: 'Report_Get-1001.xml',
			mimeType: 'application/xml',
		});
		expect(String(await readFile(out[0]?.binary?.data))).toBe(xml);
	});

	it.each([
		['..', '_'],
		['../../x.pdf', '.._.._x.pdf'],
		['a\u202efdp.exe\u200b\u{e0041}', 'afdp.exe'],
	])(
		'cannot have the name %s, which leads to a folder or reads as another',
		async (fileName, expected) => {
			const { out } = await answered(calling('Report_Get', { ...FILE, fileName }), 'a');
			expect(out[0]?.binary?.data).toMatchObject({ fileName: expected });
			expect(out[0]?.binary?.data?.directory).toBeUndefined();
		},
	);

	it('that looks like base64 is kept, with a hint, and decoded if the builder says so', async () => {
		const { out, hints } = await answered(calling('Report_Get'), pdf);
		expect(String(await readFile(out[0]?.binary?.data))).toBe(pdf);
		expect(hints).toContainEqual(expect.stringContaining('looks like base64'));
		const short = await answered(calling('Report_Get'), 'word');
		expect(short.hints).not.toContainEqual(expect.stringContaining('looks like base64'));
		const decoded = await answered(
			calling('Report_Get', { ...FILE, fileContentIs: 'base64' }),
			pdf,
		);
		expect((await readFile(decoded.out[0]?.binary?.data)).equals(PDF)).toBe(true);
	});
});

it.each<[string, () => NodeDraft, IDataObject]>([
	['from the list', () => calling('Payslip_Get'), {}],
	['by name', () => byName('Payslip_Get', { ...FILE, fileContentIs: 'base64' }), { success: true }],
])('an answer without a result is an item without a file: a call %s', async (_, node, json) => {
	const { out, hints } = await answered(node(), undefined);
	expect(out).toEqual([{ json: { EmployeeId: 1001, ...json }, pairedItem: { item: 0 } }]);
	expect(hints).toContain(
		'The service sent no content, so there is no file, for: Payslip_Get-1001.',
	);
});

it('an answer with more than 1,000 files is an error', async () => {
	const rows = '<Payslip><Id>1</Id><Content>AAAA</Content></Payslip>'.repeat(1001);
	const node = calling('Payslip_GetList', { ...FILE, fileContentIn: 'Content' });
	const { error } = await answered(node, rows);
	expect(error?.description).toMatch(/^It has more than 1000 files\. Request less data at once\./);
});

describe('a call by name', () => {
	it('needs the format, since no type is known', async () => {
		const { error } = await answered(byName('Payslip_Get', FILE), pdf);
		expect(error?.message).toMatch(
			/'File Content Is' is Automatic, but .* Choose Base64 or Text\./,
		);
		expect(calls()).toEqual([]);
	});

	it('takes the only element of the answer, or the named one', async () => {
		const options = { ...FILE, fileContentIs: 'base64' };
		const { out } = await answered(byName('Payslip_Get', options), pdf);
		expect((await readFile(out[0]?.binary?.data)).equals(PDF)).toBe(true);
		const named = { ...options, fileContentIn: 'Document_GetResult.File.Bytes' };
		const nested = await answered(
			byName('Document_Get', named),
			`<File><Bytes>${pdf}</Bytes></File>`,
		);
		expect((await readFile(nested.out[0]?.binary?.data)).equals(PDF)).toBe(true);
		expect(nested.out[0]?.json).toEqual({ EmployeeId: 1001, Document_GetResult: { File: {} } });
	});

	it.each([
		[
			'an unknown element',
			'Document_GetResult.Bytes',
			/The elements there: Title, Preview, Kind and Versions\./,
		],
		['a text with an attribute', 'Document_GetResult.Kind', /It is not a single text\./],
	])('names %s: an error names the elements that are there', async (_, path, description) => {
		const { error } = await answered(
			byName('Document_Get', { ...FILE, fileContentIs: 'base64', fileContentIn: path }),
			'<Title>a</Title><Preview>AAAA</Preview><Kind lang="nl">b</Kind><Versions><Payslip/><Payslip/></Versions>',
		);
		expect(error?.description).toMatch(description);
	});
});

describe('an operation that may write', () => {
	const input = [{ EmployeeId: 1001 }, { EmployeeId: 1002 }] satisfies IDataObject[];

	/** Runs a batch of which the second call is refused at first, and retries it. */
	async function retried(node: NodeDraft): Promise<{ first: Result; retry: Result }> {
		let isRefused = true;
		const serve = servingFiles(() => pdf);
		service.play((response, index, request) => {
			if (isRefused && employeeIn(request.body) === 1002) return void response.writeHead(403).end();
			return serve(response, index, request);
		});
		const first = await payroll.run(input, node);
		isRefused = false;
		expect(first.status).toBe('error');
		return { first, retry: await retryWorkflow(payroll.workflow(chain(input, node)), first) };
	}

	it('is retried: a file that n8n stored is used again, and the call not sent again', async () => {
		await keepFilesIn('filesystem');
		const { first, retry } = await retried(calling('Payslip_Get'));
		expect(JSON.stringify(first.run.data.executionData?.contextData).length).toBeLessThan(2000);
		const files = await Promise.all(
			retry.items('Payroll').map(async ({ binary }) => await readFile(binary?.data)),
		);
		expect(files.map((file) => file.equals(PDF))).toEqual([true, true]);
		expect(calls()).toHaveLength(3);
	});

	it('is retried: a file in memory was not kept, which is an error, and nothing is sent', async () => {
		const { first, retry } = await retried(calling('Payslip_Get'));
		expect(JSON.stringify(first.run.data.executionData?.contextData).length).toBeLessThan(2000);
		expect(retry.error?.message).toBe('An earlier try of this run got a file, which was not kept');
		expect(calls().length).toBeLessThanOrEqual(3);
	});

	it('has an error that says so if n8n cannot store its file', async () => {
		await keepNoFiles('ENOSPC: no space left on device');
		const { error } = await answered(calling('Payslip_Get'), pdf);
		expect(error?.message).toBe('n8n could not store the file of the answer');
		expect(error?.description).toMatch(
			/^n8n said: ENOSPC: no space left on device\. The change may have been applied/,
		);
	});

	it('continues with the other items if one has no readable file', async () => {
		service.play(servingFiles((_, body) => (employeeIn(body) === 1001 ? 'JVB?' : pdf)));
		const { items } = await payroll.run(
			input,
			calling(
				'Report_Get',
				{ ...FILE, fileContentIs: 'base64' },
				{ onError: 'continueRegularOutput' },
			),
		);
		const [failed, other] = items('Payroll');
		expect(failed).toMatchObject({
			json: { error: { code: 'FILE_UNUSABLE', outcome: 'unknown' } },
		});
		expect(failed?.binary).toBeUndefined();
		expect(other).toMatchObject({ json: { EmployeeId: 1002 }, pairedItem: { item: 1 } });
		expect((await readFile(other?.binary?.data)).equals(PDF)).toBe(true);
	});
});
