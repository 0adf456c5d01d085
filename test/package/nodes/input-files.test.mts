/** Other Operation: Call sends files of the input items as base64Binary. */
import { randomBytes } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	addFiles,
	chain,
	keepFilesIn,
	retryWorkflow,
	runWorkflow,
	type FileMode,
	type NodeDraft,
	type Result,
} from '../../../dev/engine/index.mts';
import { filledIn } from '../../../dev/package/calls.mts';
import { allowBlock } from '../../support/eventLoop.mts';
import { employeeIn, servingFiles } from '../../support/file-service.mts';
import { atNight } from '../../support/runs.mts';
import { useFiles } from './files.mts';

const { payroll, service, calling, sent } = useFiles();
const serving = servingFiles(() => '7');
beforeEach(() => service.play(serving));

const PDF = Buffer.from('%PDF-1.7 a contract');
const pdf = PDF.toString('base64');

/** A form with these values, or this content of the document. */
const filled = (value: object, more: INodeParameters = {}): NodeDraft =>
	calling('Document_Insert', { operationParameters: filledIn(value), ...more });
const form = (content: unknown, more: INodeParameters = {}): NodeDraft =>
	filled({ EmployeeId: 1001, 'Document.Content': content }, more);
const automatic = (): NodeDraft => calling('Document_Insert');

async function run(
	node: NodeDraft,
	files: Record<string, Buffer> = { data: PDF },
	item: IDataObject = {},
): Promise<Result> {
	return await runWorkflow(payroll.workflow(chain([item], addFiles(files), node)));
}

/** The file that a run has, whose retry begins with it. */
const fileOf = ({ run: { data } }: Result) =>
	data.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0]?.binary?.data;

const contentIn = (body = ''): Buffer =>
	Buffer.from(/<Content>([^<]*)<\/Content>/.exec(body)?.[1] ?? '', 'base64');

describe.each<FileMode>(['default', 'filesystem'])('a file that n8n keeps in mode %s', (mode) => {
	beforeEach(async () => await keepFilesIn(mode));

	it('is named in the form, by hand or by an expression', async () => {
		await run(form('data'));
		await run(form('={{ "da" + "ta" }}'));
		expect(sent().map((body) => contentIn(body).equals(PDF))).toEqual([true, true]);
	});

	it('is named by a column of the item', async () => {
		const item = { EmployeeId: 1001, 'Document Content': 'slip', 'Document.Title': 'data' };
		const { json } = await run(automatic(), { slip: PDF, data: Buffer.from('other') }, item);
		expect(json('Payroll')).toEqual([{ EmployeeId: 1001, Result: 7 }]);
		expect(contentIn(sent()[0]).equals(PDF)).toBe(true);
		expect(sent()[0]).toContain('<Title>data</Title>');
	});

	it('is named in JSON, in each row of a list', async () => {
		const pages = [1, 2].map((Number) => ({ Number, Content: `page${Number}` }));
		const item = { EmployeeId: 1001, Document: { Content: 'page1' }, Pages: pages };
		await run(automatic(), { page1: PDF, page2: Buffer.from('two') }, item);
		const contents = [...(sent()[0] ?? '').matchAll(/<Content>([^<]*)</g)].map(([, one]) => one);
		expect(contents).toEqual([pdf, pdf, Buffer.from('two').toString('base64')]);
	});

	it('of 5 MiB is sent byte by byte; a dry run shows its name and size instead', async () => {
		const large = randomBytes(5 * 2 ** 20);
		await run(form('data'), { data: large });
		expect(contentIn(sent()[0]).equals(large)).toBe(true);
		const dry = form('data', { dryRun: true, options: { showEnvelope: true } });
		const [json = {}] = (await run(dry, { data: large })).json('Payroll');
		expect(JSON.stringify(json).length).toBeLessThan(2000);
		expect(json).toMatchObject({
			request: { Document: { Content: 'data' } },
			envelope: expect.stringContaining('<Content>(base64 of 5242880 bytes)</Content>'),
		});
	});

	atNight('of more than 20 MiB is not sent, nor several that are larger together', async () => {
		allowBlock(0.5, 'the test makes files of 20 MiB');
		const { error } = await run(form('data'), { data: Buffer.alloc(20 * 2 ** 20 + 1) });
		const limit = "the file in 'data' cannot be sent, since a call can send 20 MiB of files.";
		expect(error?.message).toBe(`'Document Content': ${limit}`);
		expect(error?.description).toContain('Nothing was written for this item.');
		const half = Buffer.alloc(11 * 2 ** 20);
		const pages = [{ Number: 1, Content: 'data' }];
		const item = { EmployeeId: 1001, Document: { Content: 'other' }, Pages: pages };
		const both = await run(automatic(), { other: half, data: half }, item);
		expect(both.error?.message).toBe(`'Pages', row 1, 'Content': ${limit}`);
		expect(sent()).toEqual([]);
	});

	it('counts where it is sent, not where a text is its name', async () => {
		allowBlock(2, 'the files have 24 MiB');
		const large = { contract: Buffer.alloc(12 * 2 ** 20), data: Buffer.alloc(12 * 2 ** 20) };
		const value = { EmployeeId: 1001, 'Document.Title': 'contract', 'Document.Content': 'data' };
		expect((await run(filled(value), large)).error).toBeUndefined();
		const pages = '[{ "Number": 1, "Content": "data" }]';
		const { error } = await run(filled({ ...value, Pages: pages }), large);
		expect(error?.message).toContain("'data' cannot be sent, since a call can send 20 MiB");
	});

	it.each([
		{ 'Document.Content': 'data' },
		{ 'Document.Content': pdf, Pages: '[{ "Number": 1, "Content": "data" }]' },
	])('that is the same is not sent again in a retry; another one is: %j', async (named) => {
		const first = [{ EmployeeId: 1001 }, { EmployeeId: 1002 }];
		service.play((response, index, request) => {
			if (request.body.includes('>1002<')) return void response.writeHead(403).end();
			return serving(response, index, request);
		});
		const value = { EmployeeId: '={{ $json.EmployeeId }}', ...named };
		const options = payroll.workflow(chain(first, addFiles({ data: PDF }), filled(value)));
		const failed = await runWorkflow(options);
		await retryWorkflow(options, failed);
		expect(sent().map(employeeIn)).toEqual([1001, 1002, 1002]);
		const file = fileOf(failed);
		Object.assign(file ?? {}, { data: 'AAAA', mimeType: 'a/b' });
		delete file?.id;
		await retryWorkflow(options, failed);
		expect(sent().filter((body) => body.includes('<Content>AAAA<'))).toHaveLength(1);
	});
});

it('the form names a parameter that takes a file, with the field that n8n uses', async () => {
	const { fields } = await payroll.fields(form(''), 'getOperationParameters');
	expect(fields.find(({ id }) => id === 'Document.Content')).toMatchObject({
		displayName: 'Document Content (binary field, or base64)',
		defaultValue: 'data',
	});
});

describe('base64 by an expression', () => {
	it('is sent as it is, without its whitespace', async () => {
		await run(form(`={{ "${pdf.slice(0, 8)}" + "\\r\\n" + "${pdf.slice(8)}" }}`));
		expect(sent()[0]).toContain(`<Content>${pdf}</Content>`);
	});

	it.each<[string, unknown]>([
		['the name of no field, which is base64', '={{ "file" }}'],
		['the name of no field, by hand', 'attachment_0'],
		['a word of capitals', '={{ "SCAN" }}'],
		['a path', 'loonstrook/1'],
		['base64 of a wrong length', '={{ "JVBERi0x+jc" + "==" }}'],
		['a number', '={{ 1234 }}'],
		['an object', '={{ ({ mimeType: "a/b", id: "filesystem-v2:other" }) }}'],
	])('%s is refused, and the error names the fields that there are', async (_, content) => {
		const { error } = await run(form(content), { data: PDF, other: PDF });
		expect(error?.message).toMatch(
			/^'Document Content': .+ is neither a binary field of the item nor base64\. The item has the binary fields data and other\.$/,
		);
		expect(sent()).toEqual([]);
	});

	it('may be empty', async () => {
		const value = {
			EmployeeId: 1001,
			'Document.Content': 'data',
			Pages: '[{"Number":1,"Content":""}]',
		};
		await run(filled(value));
		expect(sent()[0]).toContain('<Page><Number>1</Number><Content></Content></Page>');
	});

	it.each(['={{ undefined }}', '={{ null }}', '={{ "" }}', '={{ $binary.data.data }}'])(
		'an expression that gives nothing is refused: %s',
		async (content) => {
			const { error } = await run(form(content));
			expect(error?.message).toBe(
				"'Document Content': the expression gives nothing for this item.",
			);
			expect(sent()).toEqual([]);
		},
	);
});

it('a file that n8n no longer has is an error before anything is sent', async () => {
	await keepFilesIn('filesystem');
	service.play((response) => void response.writeHead(403).end());
	const options = payroll.workflow(chain([{}], addFiles({ data: PDF }), form('data')));
	const failed = await runWorkflow(options);
	const file = fileOf(failed);
	if (file) file.id = `${file.id}-gone`;
	service.play(serving);
	const { error } = await retryWorkflow(options, failed);
	expect(error?.message).toMatch(
		/^'Document Content': the file in 'data' cannot be sent, since .+\.$/,
	);
	expect(sent()).toEqual([]);
});
