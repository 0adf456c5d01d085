/** Any operation of a service in the editor: chosen from the service's own description, or by its name. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { n8nVersions } from '../../../dev/n8n/install.mts';
import { chain, manualTrigger, payrollNode, withAgent } from '../../../dev/n8n/workflow.mts';
import { startChatModel } from '../../../dev/n8n/chat-model.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { until, useStage } from '../setUp.mts';
import { openBrowser, openWindow } from './browser.mts';
import { Canvas } from './canvas.mts';
import type { NodeView } from './node-view.mts';
import { picture } from './pictures.mts';

type NodeName = Parameters<typeof payrollNode>[0];

const call: INodeParameters = { resource: 'custom', operation: 'call' };

/** An operation as the editor stores it when it is chosen from the list. */
const chosen = (value: string): INodeParameters => ({
	...call,
	operationName: { __rl: true, mode: 'list', value },
});

const operations = [
	'Absence_GetList: Gets the absences of an employee, of all causes or of some.',
	'Absence_Insert: Adds an absence to an employee, either as a percentage or in hours. Returns i...',
	'Address_GetListCurrent (has its own form): Gets all currently active addresses of an employee.',
	'Address_Insert (has its own form): Inserts an address of an employee into the given period.',
	'CostCenter_Get (has its own form): Gets all cost centers of an employee.',
	'CostCenter_Update (has its own form): Updates the cost centers of an employee.',
	'Document_Get: Gets a document with its content.',
	'Document_Upload: Stores a document in the file of an employee. Returns its identifier.',
	'Employee_Get: Gets the personal data of an employee.',
	'Employee_Update: Replaces the personal data of an employee. Returns the new version & any warn...',
	'Employment_GetList: Gets the employments of an employee, all of them or those at a date.',
	'Employment_Insert: Adds an employment of any type to an employee. Returns its identifier.',
	'Wage_GetHistory: Gets the wages of an employee, either of a year or from a date on.',
	'Wage_Insert: Adds the wage of a period to an employee.',
];

/** What the sandbox tells of employee 1001. */
const absences: IDataObject[] = [
	{
		EmployeeId: 1001,
		Id: 1,
		Start: '2026-02-03T08:30:00',
		End: '2026-02-10T17:00:00',
		Percentage: 50,
		Cause: 'Sick',
		Case: { Number: '17' },
	},
	{
		EmployeeId: 1001,
		Id: 2,
		Start: '2026-06-01T00:00:00+02:00',
		End: null,
		Hours: 4.5,
		Remark: 'Every week',
		Cause: "Doctor's visit & check-up",
	},
];

describe.each(n8nVersions)('any other operation in the editor of n8n %s', (version) => {
	const isNewest = version === n8nVersions[0];
	const named = (name: string): string => (isNewest ? name : `${name}-${version}`);
	const stage = useStage({ version });
	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		browser = await openBrowser();
		page = await openWindow(browser, stage.api.session);
	});

	afterAll(async () => await browser?.close());

	const newCanvas = (): Canvas => new Canvas(page, stage.n8n.url);

	/** Opens the node of a new workflow; gives its view, and the id of the workflow. */
	const open = async (
		parameters: INodeParameters,
		type: NodeName = 'payrollEmployee',
	): Promise<{ view: NodeView; id: string }> => {
		const node = payrollNode(type, parameters);
		const id = await stage.create(chain('Other', manualTrigger, node));
		await page.goto(`${stage.n8n.url}/workflow/${id}`);
		return { view: await newCanvas().open('Payroll'), id };
	};

	/** The items of the last execution of a workflow. */
	const itemsOf = async (id: string, node = 'Payroll'): Promise<IDataObject[]> => {
		const [last] = await stage.api.ended(id, 1);
		return last?.items(node) ?? [];
	};

	/** Saves the workflow that is open, once its node has the expected parameters. */
	const save = async (id: string, node: string, name: string): Promise<INode | undefined> => {
		let stored: INode | undefined;
		await page.keyboard.press('ControlOrMeta+S');
		await until('the workflow is saved', async () => {
			const { nodes } = await stage.api.workflow(id);
			stored = nodes.find((one) => one.name === node);
			return JSON.stringify(stored?.parameters).includes(name);
		});
		return stored;
	};

	/** A test that takes a picture if it fails. */
	const step = (name: string, go: () => Promise<void>): void => {
		it(name, async () => {
			try {
				await go();
			} catch (error) {
				await picture(page, named(`failure ${name}`)).catch(() => undefined);
				throw error;
			}
		});
	};

	const soapExecuted = async () => (await stage.sandbox.stats()).soapExecuted;

	/** The body of the last SOAP request, which the sandbox has found valid. */
	const sent = async (): Promise<string> => {
		const requests = await stage.sandbox.requests();
		expect(requests.flatMap(({ violations }) => violations)).toEqual([]);
		return requests.at(-1)?.body ?? '';
	};

	step('is found in the list of all operations of the service', async () => {
		const canvas = newCanvas();
		await canvas.newWorkflow();
		const view = await canvas.add('Payroll Employee', 'Call other employee service operation');
		const operation = view.resourceLocator('operationName');
		await operation.open();
		await operation.entries.nth(operations.length - 1).waitFor();
		expect(await operation.entries.allInnerTexts()).toEqual(operations);
		expect(await view.mapper.root.count()).toBe(0);
		await picture(page, named('other-list'), [view.main], {
			docs: isNewest,
			window: { width: 1400, height: 760 },
		});
		await operation.search('WAGE', 2);
		await operation.entries.first().click();
		await view.mapper.field('EmployeeId').waitFor();
		expect(await operation.input.inputValue()).toBe(operations[12]);
		expect(await view.mapper.names()).toEqual(['EmployeeId']);
	});

	step('is called by its typed form', async () => {
		const { view, id } = await open(call);
		await view.resourceLocator('operationName').pick('Absence_Insert');
		const form = view.mapper;
		await form.field('Absence.Cause').waitFor();
		expect(await form.names()).toEqual(['EmployeeId', 'Absence.Start', 'Absence.Cause']);
		await form.add('Absence Percentage');
		await form.field('Absence.Percentage').waitFor();
		await form.typeAll({ EmployeeId: '1001', 'Absence.Percentage': '33.33' });
		await form.type('Absence.Start', '2026-09-01 09:00:00');
		await page.keyboard.press('Enter');
		await form.choose('Absence.Cause', "Doctor's visit & check-up");
		await form.add('Notify Manager');
		await form.turn('NotifyManager');
		await view.execute();
		expect(await itemsOf(id)).toEqual([{ EmployeeId: 1001, Result: 7001 }]);
		const body = await sent();
		expect(body).toContain('<Start>2026-09-01T09:00:00</Start>');
		expect(body).toContain('<Percentage>33.33</Percentage><Cause>Doctor');
		expect(body).toContain('<NotifyManager>true</NotifyManager>');
		await picture(page, named('other-form'), [view.main, view.output], {
			docs: isNewest,
			window: { width: 1800, height: 1120 },
		});

		await form.add('Absence Other Elements (JSON)');
		await form.field('Absence.*').locator('.cm-content').click();
		await page.keyboard.insertText('{ "Case": { "Number": "18" } }');
		await view.execute();
		expect(await sent()).toMatch(/<Cause>[^<]*<\/Cause><Case[^>]*><Number>18<\/Number><\/Case>/);
	});

	step('gives way to another one with its own fields, and gives typed items', async () => {
		const { view, id } = await open(chosen('Absence_Insert'));
		await view.mapper.field('Absence.Cause').waitFor();
		await view.mapper.type('EmployeeId', '1002');
		await view.resourceLocator('operationName').pick('Absence_GetList');
		await view.mapper.field('Absence.Cause').waitFor({ state: 'detached' });
		await view.mapper.field('EmployeeId').waitFor();
		expect(await view.mapper.names()).toEqual(['EmployeeId']);
		expect(await view.mapper.field('EmployeeId').locator('input').inputValue()).toBe('');
		await view.mapper.type('EmployeeId', '1001');
		await view.execute();
		expect(await itemsOf(id)).toEqual(absences);
		await view.rows();
		await picture(page, named('other-items'), [view.main, view.output], {
			docs: isNewest,
			window: { width: 2700, height: 820 },
		});
	});

	step('is still there, with its values, when the page is loaded again', async () => {
		const { view, id } = await open(call);
		await view.resourceLocator('operationName').pick('Wage_GetHistory');
		await view.mapper.field('EmployeeId').waitFor();
		await view.mapper.add('From');
		await view.mapper.type('EmployeeId', '1001');
		await view.mapper.type('From', '2026-10-01 00:00:00');
		await page.keyboard.press('Enter');
		await view.close();
		await save(id, 'Payroll', '2026-10-01');
		await page.reload();
		const again = await newCanvas().open('Payroll');
		await again.mapper.field('From').waitFor();
		expect(await again.mapper.names()).toEqual(['EmployeeId', 'From']);
		expect(await again.mapper.field('EmployeeId').locator('input').inputValue()).toBe('1001');
		expect(await again.main.getByText(/outdated|Refresh to see/).count()).toBe(0);
		await again.execute();
		expect(await itemsOf(id)).toMatchObject([{ EmployeeId: 1001, Count: expect.any(Number) }]);
		expect(await sent()).toContain('<From>2026-10-01</From>');
	});

	step('writes what another one has read, mapped automatically', async () => {
		const get = (name: string): ReturnType<typeof payrollNode> =>
			payrollNode(
				'payrollEmployee',
				{
					...chosen('Employee_Get'),
					operationParameters: { mappingMode: 'defineBelow', value: { EmployeeId: 1001 } },
				},
				{ name },
			);
		const edit = {
			name: 'Edit Fields',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				assignments: {
					assignments: [{ id: '1', name: 'LastName', type: 'string', value: 'Bakker & Zn.' }],
				},
				includeOtherFields: true,
				options: {},
			},
		};
		const write = payrollNode('payrollEmployee', chosen('Employee_Update'), { name: 'Write' });
		const draft = chain('Map', manualTrigger, get('Read'), edit, write, get('Read Again'));
		const id = await stage.create(draft);
		await page.goto(`${stage.n8n.url}/workflow/${id}`);
		const canvas = newCanvas();
		const view = await canvas.open('Write');
		await view.mapper.field('EmployeeId').waitFor();
		await view.mapper.mode('Map Automatically');
		await view.mapper.root.getByText('named the same as the parameters').waitFor();
		await picture(page, named('other-automatic'), [view.main]);
		await view.close();
		await canvas.execute('Read Again');
		const [read] = await itemsOf(id, 'Read');
		expect(await itemsOf(id, 'Write')).toEqual([
			{ EmployeeId: 1001, Employee_UpdateResult: true, Version: 2, Warnings: [] },
		]);
		expect(await itemsOf(id, 'Read Again')).toEqual([
			{ ...read, '@Version': 2, LastName: 'Bakker & Zn.' },
		]);
		await sent();
	});

	step('is called by its name', async () => {
		const { view, id } = await open(call);
		await view.resourceLocator('operationName').mode('By Name');
		await view.resourceLocator('operationName').input.fill('Document_Get');
		expect(await view.mapper.root.count()).toBe(0);
		await view.root.getByTestId('fixed-collection-add').click();
		await view.typeAll({
			name: 'DocumentId',
			value: '7c9e6679-7425-40de-944b-000000001771',
			resultPath: 'Document_GetResult',
		});
		await view.execute();
		expect(await itemsOf(id)).toMatchObject([{ Name: 'Contract.txt', Size: '12' }]);
	});

	step('keeps its name and values in a workflow of an earlier version', async () => {
		const { view } = await open({
			...call,
			operationName: 'Address_GetListCurrent',
			specifyParameters: 'json',
			parametersJson: '{ "EmployeeId": 1001 }',
			resultPath: 'Address_GetListCurrentResult.EmployeeAddress',
		});
		await view.field('resultPath').waitFor();
		const operation = view.resourceLocator('operationName');
		expect(await operation.input.inputValue()).toBe('Address_GetListCurrent');
		expect(await view.mapper.root.count()).toBe(0);
		await view.execute();
		expect((await view.rows())[1]).toMatch(/^1001\s+\d+\s+true\s/);
		expect(await soapExecuted()).toEqual({ Address_GetListCurrent: 1 });
	});

	step('can only be called by its name if there is no description', async () => {
		await stage.sandbox.configure({ description: 'none' });
		const { view, id } = await open(call, 'payrollCompany');
		const operation = view.resourceLocator('operationName');
		await operation.open();
		const error = page.getByTestId('rlc-error-container').filter({ visible: true });
		await error.waitFor();
		await picture(page, named('other-none'), [view.main]);
		expect(await error.innerText()).toMatch(/description[^]*'By Name'/);
		await page.keyboard.press('Escape');
		await operation.mode('By Name');
		await operation.input.fill('Setting_Get');
		await view.choose('specifyParameters', 'Using JSON');
		await view.field('parametersJson').locator('.cm-content').click();
		await page.keyboard.press('ControlOrMeta+A');
		await page.keyboard.insertText('{ "CompanyId": 100, "Name": "PayDay" }');
		await view.execute();
		expect(await itemsOf(id)).toMatchObject([{ CompanyId: 100 }]);
		expect(await soapExecuted()).toEqual({ Setting_Get: 1 });

		const stored = await open(chosen('Setting_Get'), 'payrollCompany');
		const notice = stored.view.mapper.root.getByTestId('empty-fields-notice');
		await notice.waitFor();
		expect(await notice.innerText()).toMatch(/description[^]*'By Name'/);
		await stage.sandbox.configure({ description: 'open' });
	});

	step('is a tool, with the arguments that the builder leaves to the model', async () => {
		const asked = {
			// n8n shortens a label to 63 characters.
			'Absence_Start__e_g__2026-01-31T12_00_00_': '2026-09-01T09:00:00',
			Absence_Percentage: 50,
			Absence_Cause__Sick__Sick_child__Maternity_leave__Doctor_s_visi: 'Sick child',
		};
		const model = await startChatModel(asked);
		try {
			const data = { apiKey: 'stub', url: model.url };
			const openAiApi = await stage.api.createCredential('openAiApi', data, 'Stub');
			const credentials = { [CREDENTIAL_TYPE]: stage.credential, openAiApi };
			const tool = payrollNode('payrollEmployee', call, { name: 'Payroll Tool' });
			const draft = withAgent('Agent', manualTrigger, tool);
			const id = await stage.api.createWorkflow(draft, credentials);
			await page.goto(`${stage.n8n.url}/workflow/${id}`);
			const canvas = newCanvas();
			const view = await canvas.open('Payroll Tool');
			await view.resourceLocator('operationName').pick('Absence_Insert');
			const form = view.mapper;
			await form.field('Absence.Cause').waitFor();
			await form.add('Absence Percentage');
			await form.type('EmployeeId', '1001');
			await form.letModelDefine('Absence.Start', 'Absence.Percentage', 'Absence.Cause');
			await picture(page, named('other-tool'), [view.main], {
				window: { width: 1400, height: 1400 },
			});
			await view.close();
			await save(id, 'Payroll Tool', 'Absence_Percentage');
			await canvas.execute('AI Agent');
			const { parameters } = model.requests[0]?.tools?.[0]?.function ?? {};
			expect(parameters).toMatchObject({
				properties: Object.fromEntries(
					Object.entries(asked).map(([key, value]) => [key, { type: typeof value }]),
				),
			});
			const { required } = parameters as { required: string[] };
			expect([...required].sort()).toEqual(Object.keys(asked).sort());
			const [execution] = await stage.api.ended(id, 1);
			const items = execution?.items('Payroll Tool', 0, 'ai_tool');
			expect(items).toEqual([{ response: [{ EmployeeId: 1001, Result: 7001 }] }]);
			expect(await sent()).toContain('<Percentage>50</Percentage><Cause>Sick child</Cause>');
		} finally {
			await model.stop();
		}
	});
});
