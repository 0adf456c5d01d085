/** The examples for the jobs of a payroll day that only read, in both versions of n8n. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../../../dev/n8n/api.mts';
import { activated, formLogin } from '../../../dev/n8n/examples.mts';
import {
	exampleWorkflow,
	withFields,
	withParameters,
	type WorkflowDraft,
} from '../../../dev/package/workflow-file.mts';
import { replying } from '../../support/scripted.mts';
import { useScriptedServer } from '../../support/setUp.mts';
import { succeeded, versions } from '../setUp.mts';
import { smtpData, useMailServer } from './mail.mts';
import { sending, useExamples } from './setUp.mts';
import { fromXlsx } from './spreadsheets.mts';

jest.setTimeout(5 * 60_000);

const mail = useMailServer();

const secondCompany = [200001, 200002, 200003];
const nameOf = (id: number): string => `Ö.J. de Groot-${id} & Zn.`;

/** A workflow in which a node fails instead of what it does. */
function failing({ nodes, ...draft }: WorkflowDraft, name: string): WorkflowDraft {
	const stop = { type: 'n8n-nodes-base.stopAndError', parameters: { errorMessage: 'Failed' } };
	return {
		...draft,
		nodes: nodes.map((node) => (node.name === name ? { ...node, ...stop } : node)),
	};
}

describe.each(versions)('a job in n8n %s', (version) => {
	const examples = useExamples(version);
	const { stage } = examples;

	beforeEach(async () => {
		await stage.api.deleteTables();
		await stage.sandbox.configure({ employees: 4 });
	});

	/** A workflow in which a table is chosen. */
	const choosing = (draft: WorkflowDraft, value: string): WorkflowDraft => ({
		...draft,
		nodes: draft.nodes.map((node) => ({
			...node,
			...(node.parameters.dataTableId && {
				parameters: { ...node.parameters, dataTableId: { __rl: true, mode: 'list', value } },
			}),
		})),
	});

	/** The example with the table of employees, as its note says: n8n 1 needs it made by hand. */
	async function withTable(): Promise<WorkflowDraft> {
		const draft = exampleWorkflow('new-changed-left-employees.json');
		const node = 'Seen Table';
		const table = draft.nodes.find(({ name }) => name === node);
		if (version.startsWith('2.') || table === undefined) return draft;
		const { tableName, columns } = table.parameters as unknown as {
			tableName: string;
			columns: { column: Array<{ name: string; type: string }> };
		};
		const types = Object.fromEntries(columns.column.map(({ name, type }) => [name, type]));
		const value = await stage.api.createTable(tableName, types);
		const { [node]: next, ...connections } = draft.connections;
		const trigger = draft.nodes[1]?.name ?? '';
		return {
			...draft,
			nodes: choosing(draft, value).nodes.filter(({ name }) => name !== node),
			connections: { ...connections, [trigger]: next ?? {} },
		};
	}

	/** Gives an employee another name, until the number of employees is changed. */
	const rename = async (id: number, LastName: string): Promise<void> => {
		const Id = `7c9e6679-7425-40de-944b-${id.toString(16).padStart(12, '0')}`;
		const given = { Id, PersonnelNumber: 7, LastName, BirthDate: '1990-01-31', TaxCredit: true };
		await examples.ofEmployees([id], {
			...{ resource: 'custom', operation: 'call', operationName: 'Employee_Update' },
			parametersJson: JSON.stringify({ EmployeeId: id, Employee: given }),
			options: {},
		});
	};

	describe('lists the employees of all companies', () => {
		const rows = async (): Promise<IDataObject[]> => await stage.api.tableRows('Employees');

		it('in a table that other workflows read, and in a spreadsheet', async () => {
			// As the note says: the table is made by hand and chosen, and two nodes are activated.
			const [number, string] = ['number', 'string'];
			const table = await stage.api.createTable('Employees', {
				...{ companyId: number, company: string, employeeId: number },
				...{ number: string, name: string, readAt: 'date' },
			});
			const example = exampleWorkflow('employees-of-all-companies.json');
			const draft = activated(choosing(example, table));
			const first = succeeded(await examples.run(draft));
			const employees = [1001, 1002, 1003, 1004, ...secondCompany];
			expect(await rows()).toMatchObject(
				employees.map((employeeId) => ({
					...{ employeeId, number: String(employeeId % 1000), name: nameOf(employeeId) },
					...(employeeId < 2000
						? { companyId: 100, company: 'Bakkerij De Vries & Zn. B.V.' }
						: { companyId: 200, company: "Café 't Hoekje" }),
				})),
			);
			const { binary } = first.runs('Spreadsheet')[0]?.data?.main?.[0]?.[0] ?? {};
			expect(binary?.data).toMatchObject({ fileName: 'employees.xlsx' });
			expect(await examples.executed()).toEqual({ List_GetAll: 1, List_GetByCompany: 2 });

			// Somebody comes, and somebody goes: rows stay where they were.
			const before = await rows();
			await stage.sandbox.configure({ employees: 2 });
			succeeded(await examples.run(draft));
			const ids = (list: IDataObject[]): unknown[] =>
				list.map(({ id, employeeId }) => ({ id, employeeId }));
			const stayed = before.filter(({ employeeId }) => ![1003, 1004].includes(Number(employeeId)));
			expect(ids(await rows())).toEqual(ids(stayed));

			const after = await rows();
			const failed = await examples.run(
				sending(draft, 'Get Employees', { CompanyId: '={{ $json.ID === 200 ? 999 : $json.ID }}' }),
			);
			expect(failed.error?.message).toMatch(/Company 999 does not exist/);
			expect(await rows()).toEqual(after);
		});
	});

	describe('compares the employees with those of the last run', () => {
		let example: WorkflowDraft;
		let smtp: string;
		beforeEach(async () => {
			example = await withTable();
			smtp = await stage.api.createCredential('smtp', smtpData(mail), 'SMTP account');
		});

		/** Who was told of by e-mail since the last call, by branch. */
		function told(): Record<string, number[]> {
			const mails = mail.received();
			const of = (branch: string): number[] =>
				mails
					.filter(({ subject }) => subject.startsWith(`${branch}: `))
					.map(({ text: body }) => Number(/^Employee (\d+)/.exec(body)?.[1]));
			return { Left: of('Left'), Changed: of('Changed'), New: of('New') };
		}
		const run = async (draft = example): Promise<Execution> => await examples.run(draft, { smtp });
		const toldByRun = async (): Promise<Record<string, number[]>> => {
			succeeded(await run());
			return told();
		};
		const none = { Left: [], Changed: [], New: [] };
		const seen = async (): Promise<unknown[]> =>
			(await stage.api.tableRows('Employees seen')).map(({ employeeId }) => employeeId).sort();

		/** Expects that the run fails in a branch, and that the next one begins with the same employees. */
		async function againAfterFailure(node: string, expected: object): Promise<void> {
			const before = await stage.api.tableRows('Employees seen');
			const failed = await run(failing(example, node));
			expect(failed.error?.message).toBe('Failed');
			expect(await stage.api.tableRows('Employees seen')).toEqual(before);
			told();
			expect(await toldByRun()).toEqual({ ...none, ...expected });
			expect(await toldByRun()).toEqual(none);
		}

		it('and tells each change once, also if the first attempt to tell it fails, and nobody on the first run', async () => {
			expect(await toldByRun()).toEqual(none);
			expect(await seen()).toEqual([1001, 1002, 1003, 1004, ...secondCompany]);
			expect(await toldByRun()).toEqual(none);

			await stage.sandbox.configure({ employees: 5 });
			await againAfterFailure('New', { New: [1005] });
			await rename(1002, 'Bakker');
			await againAfterFailure('Changed', { Changed: [1002] });
			await rename(1002, 'Visser');
			succeeded(await run());
			expect(mail.received()).toMatchObject([
				{
					to: ['hr@example.com'],
					subject: 'Changed: Visser',
					text: expect.stringContaining('of company 100:\nname: Bakker → Visser') as string,
				},
			]);
			await stage.sandbox.configure({ employees: 4 });
			await againAfterFailure('Left', { Left: [1005], Changed: [1002] });
			expect(await seen()).toEqual([1001, 1002, 1003, 1004, ...secondCompany]);
		});

		it('and believes no list that is suddenly short or cannot be read', async () => {
			succeeded(await run());
			const before = await seen();
			const cautious = withFields(example, 'Settings', { mostWhoLeft: 3 });
			await stage.sandbox.configure({ employees: 0 });
			const short = await run(cautious);
			expect(short.error?.message).toMatch(/^4 employees are no longer in the list\./);
			const empty = await run(sending(cautious, 'Get Employees', { EmployeeType: '3' }));
			expect(empty.error?.message).toMatch(/^7 employees are no longer in the list\./);
			const unread = await run(sending(cautious, 'Get Employees', { CompanyId: '999' }));
			expect(unread.error?.message).toMatch(/Company 999 does not exist/);
			expect(told()).toEqual(none);
			expect(await seen()).toEqual(before);
			expect((await toldByRun()).Left).toEqual([1001, 1002, 1003, 1004]);
		});
	});

	describe('tells who is absent today', () => {
		const server = useScriptedServer();
		let example: WorkflowDraft;

		beforeAll(() => {
			example = ['Calendar', 'Chat'].reduce(
				(draft, node) =>
					withParameters(draft, node, (parameters) => ({
						...parameters,
						url: String(parameters.url).replace(/https:\/\/\w+\.example\.com/, server.url),
					})),
				activated(exampleWorkflow('absences-today.json')),
			);
		});
		/** What was sent since the last call. */
		const run = async (draft = example) => {
			server.play(replying(201, 'text/plain'));
			succeeded(await examples.run(draft));
			const files = server.received.filter(({ method }) => method === 'PUT');
			const chats = server.received.filter(({ method }) => method === 'POST');
			return { files, chats };
		};

		/** A day of n8n's time zone, so many days from today. */
		const day = (days: number): string =>
			new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE', {
				timeZone: 'Europe/Amsterdam',
			});

		/** Adds an absence of whole days. */
		const add = async (EmployeeId: number, from: number, until: number): Promise<void> => {
			const [Start, End] = [`${day(from)}T00:00:00`, `${day(until)}T00:00:00`];
			const Absence = { Start, End, Percentage: 100, Remark: 'Flu', Cause: 'Sick' };
			await examples.ofEmployees([EmployeeId], {
				...{ resource: 'custom', operation: 'call', operationName: 'Absence_Insert' },
				parametersJson: JSON.stringify({ EmployeeId, Absence }),
				options: {},
			});
		};

		it('with an end today or none, in a calendar and a chat, and not why', async () => {
			await rename(1001, 'Bakker, J;\njr');
			await add(1003, -3, 0);
			await add(1003, 1, 2);
			await add(1004, -3, -1);
			const { files, chats } = await run();
			expect(chats.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
				{
					text: [
						'Absent today:',
						'Bakker, J; jr: no end yet',
						`${nameOf(1002)}: no end yet`,
						`${nameOf(1003)}: until ${day(0)}`,
						`${nameOf(200001)}: no end yet`,
						`${nameOf(200002)}: no end yet`,
					].join('\n'),
				},
			]);

			const paths = files.map(({ path }) => path);
			expect(paths).toHaveLength(5);
			expect(paths).toContain('/absences/payroll-absence-2.ics');
			const credential = Buffer.from(Object.values(formLogin).join(':')).toString('base64');
			for (const { body, headers } of [...files, ...chats]) {
				expect(body).not.toMatch(/Every week|Flu|Sick|Doctor| %/);
				if (body.startsWith('{')) expect(headers.authorization).toBeUndefined();
				else
					expect(headers).toMatchObject({
						'content-type': 'text/calendar; charset=utf-8',
						authorization: `Basic ${credential}`,
					});
			}
			const date = (days: number): string => day(days).replaceAll('-', '');
			const open = files.find(({ path }) => path?.endsWith('-2.ics'))?.body;
			expect(open).toContain('UID:payroll-absence-2\r\n');
			expect(open).toContain('SUMMARY:Bakker\\, J\\; jr: absent\r\n');
			expect(open).toContain('DTSTART;VALUE=DATE:20260601\r\n');
			// The day after the last one.
			expect(open).toContain(`DTEND;VALUE=DATE:${date(1)}\r\n`);
			const ended = files.find(({ body }) => body.includes('1003'))?.body;
			expect(ended).toContain(`DTSTART;VALUE=DATE:${date(-3)}\r\n`);
			expect(ended).toContain(`DTEND;VALUE=DATE:${date(1)}\r\n`);

			// The same files again, so that nothing is in the calendar twice.
			expect((await run()).files.map(({ path }) => path)).toEqual(paths);
		});
	});

	describe('reports totals of cost centers', () => {
		const example = exampleWorkflow('cost-center-totals.json');

		it('that are not 100 %, and who has none or cannot be read, in a mail with a spreadsheet', async () => {
			const smtp = await stage.api.createCredential('smtp', smtpData(mail), 'SMTP account');
			succeeded(await examples.run(example, { smtp }));
			// Everything is right.
			expect(mail.received()).toEqual([]);

			await examples.setCostCenters(1003, []);
			await examples.setCostCenters(1004, [
				{ CostCenter: { Code: '4100' }, Percentage: 33.34 },
				{ CostCenter: { Code: '4200' }, Percentage: 33.33 },
				{ CostCenter: { Code: '4300' }, Percentage: 33.3 },
			]);
			const unreadable = withParameters(example, 'Get Cost Centers', (parameters) => ({
				...{ ...parameters, period: '={{ $json.Id === 200003 ? 0.5 : 6 }}' },
			}));
			succeeded(await examples.run(unreadable, { smtp }));
			const [report, ...others] = mail.received();
			expect(others).toEqual([]);
			expect(report).toMatchObject({
				to: ['payroll@example.com'],
				subject: expect.stringMatching(
					/^Cost centers that are not 100 %: period \d+ of 20\d\d$/,
				) as string,
				text: '3 employees: see the spreadsheet.',
			});
			expect(await fromXlsx(report?.files.get('cost-centers.xlsx') ?? Buffer.alloc(0))).toEqual([
				['sum_share', 'companyId', 'employeeId', 'number', 'name', 'problem'],
				[99.97, 100, 1004, 4, nameOf(1004), ''],
				[0, 100, 1003, 3, nameOf(1003), 'No cost centers'],
				[0, 200, 200003, 3, nameOf(200003), expect.stringMatching(/^Not read: .*Period/) as string],
			]);
		});
	});
});
