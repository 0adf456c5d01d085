/** A payroll clerk's work in the real editor, by form alone: what protects, and what the errors say. */
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { openStage, type Stage } from '../../../dev/n8n/stage.mts';
import { chain, itemsNode, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { openBrowser, openWindow } from './browser.mts';
import { Canvas } from './canvas.mts';
import { countClicks } from './clicks.mts';
import { CredentialWindow } from './credential-window.mts';
import type { NodeView } from './node-view.mts';
import { picture } from './pictures.mts';

type NodeName = Parameters<typeof payrollNode>[0];

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

const update: INodeParameters = { resource: 'costCenter', operation: 'update' };
const period: INodeParameters = { period: 6, year: 2026 };

describe.each(['2.41.1', '1.123.81'] as const)(
	'a payroll clerk in the editor of n8n %s',
	(version) => {
		const isNewest = version === '2.41.1';
		const named = (picture: string): string => (isNewest ? picture : `${picture}-${version}`);
		let stage: Stage;
		let browser: Browser;
		let page: Page;
		let canvas: Canvas;

		beforeAll(async () => {
			stage = await openStage({ version });
			browser = await openBrowser();
			page = await openWindow(browser, stage.api.session);
			canvas = new Canvas(page, stage.n8n.url);
		}, installing);

		afterAll(async () => {
			await browser?.close();
			await stage?.close();
		});

		beforeEach(async () => await stage.sandbox.reset());

		/** A node in a workflow of its own, opened; what is not given stands as a new node has it. */
		const open = async (
			type: NodeName,
			parameters: INodeParameters,
			{ input = [{ id: 1001 }], ...more }: Partial<INode> & { input?: object[] } = {},
		): Promise<NodeView> => {
			const node = payrollNode(type, parameters, more);
			const draft = chain('Clerk', manualTrigger, ...itemsNode(input), node);
			await page.goto(`${stage.n8n.url}/workflow/${await stage.create(draft)}`);
			return await canvas.open('Payroll');
		};

		/** The error of a node that is executed by itself: its title. */
		const errorOf = async (
			type: NodeName,
			parameters: INodeParameters,
			more: Parameters<typeof open>[2] = {},
		): Promise<string> => {
			const view = await open(type, parameters, more);
			await view.execute();
			return (await view.errorMessage.innerText()).trim();
		};

		/** A test that leaves a picture of what it failed at. */
		const seen = (name: string, go: () => Promise<void>): void => {
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

		const words: Array<[string, string]> = [
			['salary', 'Payroll Employee'],
			['wage', 'Payroll Employee'],
			['payroll', 'Payroll Company'],
			['HR', 'Payroll Employee'],
			['people', 'Payroll Employee'],
			['hours', 'Payroll Hour Codes'],
			['cost centre', 'Payroll Employee'],
			['kostenplaats', 'Payroll Employee'],
			['loon', 'Payroll Employee'],
			['salaris', 'Payroll Employee'],
			['uren', 'Payroll Hour Codes'],
		];
		seen('finds the nodes by the words of the trade', async () => {
			await canvas.newWorkflow();
			await canvas.search('');
			for (const [word, node] of words) {
				// What the word before has found goes first.
				await canvas.type('nothing of this kind');
				await canvas.panel.getByText(node, { exact: true }).waitFor({ state: 'hidden' });
				await canvas.type(word);
				expect(await canvas.listed(node)).toContain(node);
			}
		});

		seen('writes nothing by a dry run of 170 %, which is one switch', async () => {
			const view = await open('payrollEmployee', update);
			await view.type('employeeId', '1002');
			await view.type('period', '6');
			await view.type('year', '2026');
			await view.addRow('costCenteren');
			await view.type('costCenterCode', '4200');
			await view.type('percentage', '170');
			await view.turn('dryRun');
			await view.execute();
			await view.output.getByText('Dry run: nothing was written.').waitFor();
			const [heading = '', row] = await (await view.table()).allInnerTexts();
			expect(heading.split(/\s+/).filter(Boolean)).toEqual(
				['EmployeeId', 'Period', 'Year', 'dryRun', 'changed', 'added', 'kept'].concat([
					'operation',
					'request',
					'envelope',
				]),
			);
			expect(row).toMatch(
				/^1002\s+6\s+2026\s+true\s[^]*Percentage\s*:\s*62.5[^]*Percentage\s*:\s*170/,
			);
			await picture(page, named('dry-run'), [view.main, view.output], {
				docs: isNewest,
				window: { width: 2100, height: 1000 },
			});
			expect(await soapExecuted()).toEqual({ CostCenter_Get: 1 });
		});

		seen('changes one percentage and keeps the rest in few clicks', async () => {
			const clicks = await countClicks(page);
			const view = await open('payrollEmployee', update);
			await view.type('employeeId', '1002');
			await view.type('period', '6');
			await view.type('year', '2026');
			await view.addRow('costCenteren');
			await view.type('costCenterCode', '4300');
			await view.type('percentage', '30');
			await view.execute();
			expect(await clicks()).toBe(4);
			expect(await soapExecuted()).toEqual({ CostCenter_Get: 1, CostCenter_Update: 1 });
			const { body = '' } = (await stage.sandbox.requests()).at(-1) ?? {};
			expect(body.match(/<EmployeeCostCenter>/g)).toHaveLength(2);
		});

		seen('sees which required fields are empty before the run', async () => {
			const view = await open('payrollEmployee', update);
			for (const name of ['employeeId', 'period', 'year']) {
				await view.field(name).locator('input').focus();
				await view.field(name).locator('input').blur();
			}
			expect(await view.main.getByTestId('parameter-issues').count()).toBe(3);
			await picture(page, named('empty'), [view.main]);
		});

		const comma = { costCenterCode: '4200', percentage: '={{ "33,34" }}' };
		const errors: Array<[string, NodeName, INodeParameters, RegExp]> = [
			[
				'a decimal comma',
				'payrollEmployee',
				{ ...update, ...period, employeeId: '1001', costCenteren: { row: [comma] } },
				/^Row 1, 'Percentage': "33,34" is not a number\. Write 33\.34\.?$/,
			],
			[
				'an expression that gives nothing',
				'payrollEmployee',
				{ resource: 'address', operation: 'getAll', employeeId: '={{ $json.none }}' },
				/^'Employee ID' is empty\.$/,
			],
			[
				'a company that there is not',
				'payrollHourCodes',
				{ companyId: '999' },
				/^Company 999 was not found, or /,
			],
			[
				'a revocation that is not confirmed',
				'payrollCompany',
				{ resource: 'connection', operation: 'revoke' },
				/^Turn on the switch 'I Understand That the Connection Ends'/,
			],
		];
		for (const [what, type, parameters, title] of errors) {
			seen(`reads in plain words: ${what}`, async () => {
				expect(await errorOf(type, parameters)).toMatch(title);
				expect(await soapExecuted()).toEqual({});
			});
		}

		seen('is told which records have the same code', async () => {
			await stage.sandbox.configure({ costCenterUpdate: 'replace' });
			const row = (percentage: number) => ({ costCenterCode: '4200', percentage });
			const twice = { row: [row(60), row(40)] };
			const of = { ...update, ...period, employeeId: '1002' };
			const first = await open('payrollEmployee', {
				...of,
				costCenteren: twice,
				keepOthers: false,
			});
			await first.execute();
			const title = await errorOf('payrollEmployee', { ...of, costCenteren: { row: [row(70)] } });
			await stage.sandbox.configure({ costCenterUpdate: 'change' });
			expect(title).toMatch(
				/^Row 1, 'Cost Center Code': two current records have the code 4200 \(Record IDs \d+ and \d+\)\. Give a Record ID\.$/,
			);
		});

		seen('is told what is true of a call by name with a wrong path', async () => {
			const view = await open('payrollEmployee', {
				...{ resource: 'custom', operation: 'call', operationName: 'Address_GetListCurrent' },
				...{ specifyParameters: 'json', parametersJson: '{"EmployeeId": 1001}' },
				resultPath: 'Addresses.Address',
			});
			await view.execute();
			const description = await view.errorDescription.innerText();
			expect(description).not.toContain('may have been applied');
			expect(description).toContain('The service carried the call out.');
		});

		seen('is sent to the node of the other service', async () => {
			const view = await open('payrollCompany', {
				...{ resource: 'custom', operation: 'call', operationName: 'CostCenter_Get' },
				...{ specifyParameters: 'json', parametersJson: '{"EmployeeId": 1001}' },
			});
			await view.execute();
			expect(await view.errorDescription.innerText()).toContain('Payroll Employee');
		});

		seen('sees which item failed where the node continues', async () => {
			const ids = [1001, 1002, 999999, 1003, 1004].map((id) => ({ id }));
			const view = await open(
				'payrollEmployee',
				{ resource: 'address', operation: 'getAll', employeeId: '={{ $json.id }}' },
				{ input: ids, onError: 'continueRegularOutput' },
			);
			await view.execute();
			await view.output.getByText('1 of 5 items failed: Employee ID 999999.').waitFor();
			await picture(page, named('failed-item'), [view.main, view.output]);
		});

		seen('finds a broken SOAP address by Check', async () => {
			const parameters = { resource: 'connection', operation: 'check', companyId: '100' };
			const view = await open('payrollCompany', { ...parameters, employeeId: '1001' });
			const address = async (value: string): Promise<void> => {
				const window = await CredentialWindow.edit(page);
				await window.field('soapUrl').locator('input').fill(value);
				await window.save();
				await window.close();
			};
			await address(`${stage.sandbox.url}/elsewhere`);
			await view.execute();
			const [, broken = ''] = await (await view.table()).allInnerTexts();
			expect(broken).toMatch(/^100\s[^]*false/);
			await view.output.getByText(/^SOAP services: .*'SOAP Address'/).waitFor();
			await picture(page, named('check-broken'), [view.main, view.output], {
				window: { width: 2100, height: 800 },
			});
			await address(stage.sandbox.url);
			// The editor does not run a step again whose credential was changed since.
			const again = await open('payrollCompany', { ...parameters, employeeId: '1001' });
			await again.execute();
			const [, good = ''] = await (await again.table()).allInnerTexts();
			expect(good).toMatch(/^100\s[^]*true/);
		});
	},
);
