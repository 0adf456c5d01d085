/** Other Operation: Call, Put Output File in Field: files in answers become binary data. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
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
import { callByName } from '../../../dev/package/calls.mts';
import { employeeIn, servingFiles } from '../../support/file-service.mts';
import { useFiles } from './files.mts';

const { payroll, service, calling, calls } = useFiles();

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3000, 7)]);
const pdf = PDF.toString('base64');
/** As .NET may write it. */
const inLines = pdf.replace(/.{76}/g, '$&\r\n');

const FILE = { outputPropertyName: 'data' };
const IN_BASE64 = { ...FILE, fileContentIs: 'base64' };

const withFile = (name: string, options: INodeParameters = {}, more?: Partial<NodeDraft>) =>
	calling(name, { options: { ...FILE, ...options } }, more);
const byName = (name: string, options: INodeParameters): NodeDraft => ({
	...calling(name),
	parameters: callByName(name, { EmployeeId: 1001 }, { options }),
});

/** Runs a call of one employee, which the service answers with this result. */
async function answered(node: NodeDraft, result: string | undefined) {
	service.play(servingFiles(() => result));
	const run = await payroll.run([{ EmployeeId: 1001 }], node);
	const [item] = run.items('Payroll');
	const file = item?.binary?.data;
	const content = file && (await readFile(file));
	return { ...run, item, file, content, hints: run.hints() };
}

describe.each<FileMode>(['default', 'filesystem'])('a file that n8n keeps in mode %s', (mode) => {
	beforeEach(async () => await keepFilesIn(mode));

	it('is the result itself, byte by byte, with the type of its content and a name', async () => {
		const { items, file, content } = await answered(withFile('Payslip_Get'), inLines);
		expect(items('Payroll')).toEqual([
			expect.objectContaining({ json: { EmployeeId: 1001 }, pairedItem: { item: 0 } }),
		]);
		expect(file).toMatchObject({
			...{ fileName: 'Payslip_Get-1001.pdf', mimeType: 'application/pdf' },
			...{ fileExtension: 'pdf', fileType: 'pdf' },
		});
		expect(file?.id === undefined).toBe(mode === 'default');
		expect(content?.equals(PDF)).toBe(true);
	});

	it('stays with its record: one without content has no file, and none of another record', async () => {
		const contents = ['%PDF-1', '', '%PDF-2', ''].map((text, i) => {
			const content = Buffer.from(text).toString('base64');
			return `<Payslip><Id>${i}</Id><Content>${content}</Content></Payslip>`;
		});
		const node = withFile('Payslip_GetList', { fileContentIn: 'Content' });
		const { items, hints } = await answered(node, contents.join(''));
		const texts = items('Payroll').map(async ({ json, binary }) => [
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

it('a file has the values of its request in its name: a payslip of another run is another file', async () => {
	const values = { EmployeeId: 1001, Run: { Id: 7 }, Day: '2026-06-30' };
	const node = byName('Payslip_Get', IN_BASE64);
	const parameters = { ...node.parameters, parametersJson: JSON.stringify(values) };
	const { file } = await answered({ ...node, parameters }, pdf);
	expect(file?.fileName).toBe('Payslip_Get-1001-7-2026-06-30.pdf');
});

it('a file is offered if a text holds it', async () => {
	const { hints } = await answered(calling('Payslip_Get'), pdf);
	expect(hints.join()).toContain(
		"A text looks like a file. To get it as one, add the option 'Put Output File in Field': Result.",
	);
});

describe('File Content In', () => {
	const document = `<Title>Contract</Title><File><Name>a.pdf</Name><Bytes>${pdf}</Bytes></File><Preview>AAAA</Preview>`;

	it('names the element, below the record; the only element of a record needs no name', async () => {
		const options = { fileContentIn: 'File.Bytes', fileName: 'a/b.pdf' };
		const { item, file, content } = await answered(withFile('Document_Get', options), document);
		expect(item?.json).toEqual({
			...{ EmployeeId: 1001, Title: 'Contract' },
			...{ File: { Name: 'a.pdf' }, Preview: 'AAAA', Versions: undefined },
		});
		expect(file?.fileName).toBe('a_b.pdf');
		expect(content?.equals(PDF)).toBe(true);
		const only = await answered(withFile('Slip_Get'), `<PDF>${pdf}</PDF>`);
		expect(only.content?.equals(PDF)).toBe(true);
	});

	const options = (changes: INodeParameters): INodeParameters => ({ options: changes });
	it.each<[string, () => NodeDraft, RegExp]>([
		[
			'is empty, and the result is a record',
			() => withFile('Document_Get'),
			/'File Content In' is empty, and the result is a record\. Enter the element with the content\. It has: Title, File, Preview and Versions\./,
		],
		[
			'names no element',
			() => withFile('Document_Get', { fileContentIn: 'File.Content' }),
			/'File Content In' cannot be used: there is no 'Content' in the result\. It has: Name and Bytes\./,
		],
		[
			'leads through a list',
			() => withFile('Document_Get', { fileContentIn: 'Versions.Content' }),
			/'File Content In' cannot be used\. 'Versions' leads to a list/,
		],
		[
			'is empty, and the result is a number',
			() => withFile('Document_Insert'),
			/'File Content In' cannot be 'Result'\. It is no text\./,
		],
		[
			'has no field',
			() => calling('Document_Get', options({ fileContentIn: 'Preview' })),
			/'File Content In' has no effect without 'Put Output File in Field'/,
		],
		[
			'has an unknown format',
			() => withFile('Payslip_Get', { fileContentIs: 'zip' }),
			/'File Content Is': "zip" is not known/,
		],
		[
			'has no format, where no type is known',
			() => byName('Payslip_Get', FILE),
			/'File Content Is' is Automatic, but .* Choose Base64 or Text\./,
		],
		[
			'has a name that no file system takes',
			() => withFile('Payslip_Get', { fileName: 'é'.repeat(121) }),
			/'File Name' has more than 240 bytes\./,
		],
	])('%s: an error before anything is sent', async (_, node, message) => {
		const { error, errorOf } = await answered(node(), document);
		expect(error?.message).toMatch(message);
		expect(errorOf('Payroll')?.message).toMatch(message);
		expect(calls()).toEqual([]);
	});
});

const NIL = '<Preview xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>';

it.each<[string, () => NodeDraft, string | undefined, IDataObject]>([
	['nil', () => withFile('Document_Get', { fileContentIn: 'Preview' }), NIL, {}],
	[
		'absent',
		() => withFile('Document_Get', { fileContentIn: 'Preview' }),
		'<Title>x</Title>',
		{ Title: 'x' },
	],
	['absent with the result', () => withFile('Payslip_Get'), undefined, {}],
	['so, of a call by name', () => byName('Payslip_Get', IN_BASE64), undefined, { success: true }],
])('content that is %s: an item without a file, and a hint', async (_, node, result, json) => {
	const { items, hints } = await answered(node(), result);
	expect(items('Payroll')).toEqual([
		{ json: { EmployeeId: 1001, ...json }, pairedItem: { item: 0 } },
	]);
	expect(hints).toContainEqual(
		expect.stringMatching(/^The service sent no content, so there is no file: \w+_Get-1001\.$/),
	);
});

describe('a text', () => {
	it('becomes a file in UTF-8, with the type of its content', async () => {
		const xml = '<?xml version="1.0"?><Pain>é</Pain>';
		const { file, content } = await answered(withFile('Report_Get'), xml.replaceAll('<', '&lt;'));
		expect(file).toMatchObject({ fileName: 'Report_Get-1001.xml', mimeType: 'application/xml' });
		expect(String(content)).toBe(xml);
	});

	it.each([
		['..', '_'],
		['../../x.pdf', '.._.._x.pdf'],
		['a\u202efdp.exe\u200b\u{e0041}', 'afdp.exe'],
	])('cannot have the name %j, which leads to a folder or reads as another', async (...names) => {
		const [fileName, expected] = names;
		const { file } = await answered(withFile('Report_Get', { fileName }), 'a');
		expect(file).toMatchObject({ fileName: expected });
		expect(file?.directory).toBeUndefined();
	});

	it('that looks like base64 is kept, with a hint, and decoded if the builder says so', async () => {
		const looks = expect.stringContaining('looks like base64') as string;
		const { content, hints } = await answered(withFile('Report_Get'), pdf);
		expect(String(content)).toBe(pdf);
		expect(hints).toContainEqual(looks);
		expect((await answered(withFile('Report_Get'), 'word')).hints).not.toContainEqual(looks);
		const decoded = await answered(withFile('Report_Get', IN_BASE64), pdf);
		expect(decoded.content?.equals(PDF)).toBe(true);
	});
});

it('an answer with more than 1,000 files is an error', async () => {
	const rows = '<Payslip><Id>1</Id><Content>AAAA</Content></Payslip>'.repeat(1001);
	const { error } = await answered(withFile('Payslip_GetList', { fileContentIn: 'Content' }), rows);
	expect(error?.description).toMatch(/^It has more than 1000 files\. Request less data at once\./);
});

describe('a call by name', () => {
	it('takes the only element of the answer, or the named one', async () => {
		const { content } = await answered(byName('Payslip_Get', IN_BASE64), pdf);
		expect(content?.equals(PDF)).toBe(true);
		const named = { ...IN_BASE64, fileContentIn: 'Document_GetResult.File.Bytes' };
		const nested = await answered(
			byName('Document_Get', named),
			`<File><Bytes>${pdf}</Bytes></File>`,
		);
		expect(nested.content?.equals(PDF)).toBe(true);
		expect(nested.item?.json).toEqual({ EmployeeId: 1001, Document_GetResult: { File: {} } });
	});

	it.each([
		['an unknown element', 'Bytes', /The elements there: Title, Preview, Kind and Versions\./],
		['a text with an attribute', 'Kind', /It is not a single text\./],
	])('names %s: an error names the elements that are there', async (_, name, description) => {
		const { error } = await answered(
			byName('Document_Get', { ...IN_BASE64, fileContentIn: `Document_GetResult.${name}` }),
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
		const { first, retry } = await retried(withFile('Payslip_Get'));
		expect(JSON.stringify(first.run.data.executionData?.contextData).length).toBeLessThan(2000);
		const files = await Promise.all(
			retry.items('Payroll').map(async ({ binary }) => await readFile(binary?.data)),
		);
		expect(files.map((file) => file.equals(PDF))).toEqual([true, true]);
		expect(calls()).toHaveLength(3);
	});

	it('is retried: a file in memory was not kept, which is an error, and nothing is sent', async () => {
		const { first, retry } = await retried(withFile('Payslip_Get'));
		expect(JSON.stringify(first.run.data.executionData?.contextData).length).toBeLessThan(2000);
		expect(retry.error?.message).toBe('An earlier try of this run got a file, which was not kept');
		expect(calls().length).toBeLessThanOrEqual(3);
	});

	it('has an error that says so if n8n cannot store its file', async () => {
		await keepNoFiles('ENOSPC: no space left on device');
		const { error } = await answered(withFile('Payslip_Get'), pdf);
		expect(error?.message).toBe('n8n could not store the file of the answer');
		expect(error?.description).toMatch(
			/^n8n said: ENOSPC: no space left on device\. The change may have been applied/,
		);
	});

	it('continues with the other items if one has no readable file', async () => {
		service.play(servingFiles((_, body) => (employeeIn(body) === 1001 ? 'JVB?' : pdf)));
		const node = withFile('Report_Get', IN_BASE64, { onError: 'continueRegularOutput' });
		const { items } = await payroll.run(input, node);
		const [failed, other] = items('Payroll');
		expect(failed).toMatchObject({
			json: { error: { code: 'FILE_UNUSABLE', outcome: 'unknown' } },
		});
		expect(failed?.binary).toBeUndefined();
		expect(other).toMatchObject({ json: { EmployeeId: 1002 }, pairedItem: { item: 1 } });
		expect((await readFile(other?.binary?.data)).equals(PDF)).toBe(true);
	});
});
