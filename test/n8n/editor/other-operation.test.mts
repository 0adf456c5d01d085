/** Any operation of a service in the editor: chosen from the service's own description, or by its name. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { soapCalls } from '../../../dev/package/calls.mts';
import { describedCalls } from '../../../dev/package/described.mts';
import { sentOperations } from '../../package/requests.mts';
import { until, versions } from '../setUp.mts';
import { picture } from './pictures.mts';
import { useEditor } from './setUp.mts';

const call: INodeParameters = { resource: 'custom', operation: 'call' };

/** Every operation of the service, in alphabetical order. */
const names = [
	...soapCalls.filter(({ node }) => node === 'payrollEmployee'),
	...describedCalls.filter(({ service }) => service === 'EmployeeService'),
]
	.map(({ name }) => name)
	.sort((one, other) => one.localeCompare(other));

describe.each(versions)('any other operation in the editor of n8n %s', (version) => {
	const editor = useEditor(version);
	const { stage } = editor;

	/** The items of the last execution of a workflow. */
	const itemsOf = async (id: string): Promise<IDataObject[]> => {
		const [last] = await stage.api.ended(id, 1);
		return last?.items('Payroll') ?? [];
	};

	/** The last SOAP request, which the sandbox has found valid. */
	const sent = async (): Promise<string> => (await sentOperations(stage.sandbox)).at(-1) ?? '';

	editor.step('is found in the list of all operations of the service', async () => {
		const { canvas } = editor;
		await canvas.newWorkflow();
		const view = await canvas.add('Payroll Employee', 'Call other operation');
		const operation = view.resourceLocator('operationName');
		await operation.open();
		await operation.entries.nth(names.length - 1).waitFor();
		const texts = await operation.entries.allInnerTexts();
		expect(texts.map((text) => /\w+/.exec(text)?.[0])).toEqual(names);
		const wages = 'Wage_GetHistory: Gets the wages of an employee, of a year or from a date on.';
		const form = 'CostCenter_Get (has its own form): Gets all cost centers of an employee.';
		expect(texts.map((text) => text.trim())).toEqual(expect.arrayContaining([form, wages]));
		expect(await view.mapper.root.count()).toBe(0);
		await picture(editor.page, editor.named('other-list'), [view.main], {
			docs: editor.isNewest,
			window: { width: 1400, height: 590 },
		});
		await operation.search('WAGE_GETHIST', 1);
		await operation.entries.first().click();
		await view.mapper.field('EmployeeId').waitFor();
		expect(await operation.input.inputValue()).toBe(wages);
		expect(await view.mapper.names()).toEqual(['EmployeeId']);
	});

	editor.step('is called by its typed form', async () => {
		const { view, id } = await editor.open('payrollEmployee', call);
		await view.resourceLocator('operationName').pick('Absence_Insert');
		const form = view.mapper;
		await form.field('Absence.Cause').waitFor();
		expect(await form.names()).toEqual(['EmployeeId', 'Absence.Start', 'Absence.Cause']);
		await form.add('Absence Percentage');
		await form.field('Absence.Percentage').waitFor();
		await form.typeAll({ EmployeeId: '1001', 'Absence.Percentage': '33.33' });
		await form.type('Absence.Start', '2026-09-01 09:00:00');
		await editor.page.keyboard.press('Enter');
		await form.choose('Absence.Cause', "Doctor's visit & check-up");
		await form.add('Notify Manager');
		await form.turn('NotifyManager');
		await view.execute();
		expect(await itemsOf(id)).toEqual([{ EmployeeId: 1001, Result: 7001 }]);
		const body = await sent();
		expect(body).toContain('<Start>2026-09-01T09:00:00</Start>');
		expect(body).toContain('<Percentage>33.33</Percentage><Cause>Doctor');
		expect(body).toContain('<NotifyManager>true</NotifyManager>');
		await picture(editor.page, editor.named('other-form'), [form.root], {
			...{ docs: editor.isNewest, margin: 4, window: { width: 1800, height: 1220 } },
		});
	});

	editor.step('is still there, with its values, when the page is loaded again', async () => {
		const { view, id } = await editor.open('payrollEmployee', call);
		await view.resourceLocator('operationName').pick('Absence_Insert');
		await view.mapper.field('Absence.Cause').waitFor();
		await view.resourceLocator('operationName').pick('Wage_GetHistory');
		// It gives way to another one with its own fields.
		await view.mapper.field('Absence.Cause').waitFor({ state: 'detached' });
		await view.mapper.field('EmployeeId').waitFor();
		await view.mapper.add('From');
		await view.mapper.type('EmployeeId', '1001');
		await view.mapper.type('From', '2026-10-01 00:00:00');
		await editor.page.keyboard.press('Enter');
		await view.close();
		await editor.page.keyboard.press('ControlOrMeta+S');
		await until('the workflow is saved', async () =>
			JSON.stringify(await stage.api.workflow(id)).includes('2026-10-01'),
		);
		await editor.page.reload();
		const again = await editor.canvas.open('Payroll');
		await again.mapper.field('From').waitFor();
		expect(await again.mapper.names()).toEqual(['EmployeeId', 'From']);
		expect(await again.mapper.field('EmployeeId').locator('input').inputValue()).toBe('1001');
		expect(await again.main.getByText(/outdated|Refresh to see/).count()).toBe(0);
		await again.execute();
		expect(await itemsOf(id)).toMatchObject([{ EmployeeId: 1001, Count: expect.any(Number) }]);
		expect(await sent()).toContain('<From>2026-10-01</From>');
	});
});
