/** `npm run dev`: a changed source shows in the editor of a running n8n. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOT_RELOAD, watchSources } from '../../dev/n8n/watch.mts';
import { until, useStage, versions } from './setUp.mts';

function edit(checkout: string, file: string, from: string, to: string): void {
	const path = join(checkout, file);
	const text = readFileSync(path, 'utf8');
	expect(text).toContain(from);
	writeFileSync(path, text.replace(from, to));
}

describe.each(versions)('n8n %s', (version) => {
	const stage = useStage({ version, env: HOT_RELOAD });
	const said: string[] = [];
	let end: (() => void) | undefined;
	/** Sources that the test may change. */
	let checkout: string;
	beforeAll(() => {
		checkout = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-watch-'));
		for (const part of ['credentials', 'nodes', 'tsconfig.json']) {
			cpSync(part, join(checkout, part), { recursive: true });
		}
		symlinkSync(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'), 'junction');
	});
	afterAll(() => {
		end?.();
		rmSync(checkout, { recursive: true, force: true });
	});

	it('shows a changed label, of the node and of what it shares with others', async () => {
		end = watchSources(checkout, stage.n8n.userFolder, (line) => said.push(line));
		await until('the compiler has run', () => said.some((line) => line.startsWith('Found ')));
		edit(
			checkout,
			'nodes/PayrollEmployee/PayrollEmployee.node.ts',
			"'Create address'",
			"'Create an edited address'",
		);
		edit(
			checkout,
			'nodes/shared/contract/operations.ts',
			"'State or Province'",
			"'Edited State or Province'",
		);
		const field = 'Edited State or Province';
		await until('the editor shows both, the shared one in two nodes', async () => {
			// While n8n loads the types, it may not answer.
			const types = await stage.api.types().catch(() => undefined);
			const [employee = '', company = ''] = ['payrollEmployee', 'payrollCompany'].map((name) =>
				JSON.stringify(types?.get(`n8n-nodes-payroll.${name}`)),
			);
			const shared = employee.includes(field) && company.includes(field);
			return shared && employee.includes('Create an edited address');
		});
	});
});
