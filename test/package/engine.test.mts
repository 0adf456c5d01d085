/* The tarball in n8n's own loader, and its nodes at work. */
import type { IDataObject, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../sandbox/client.mts';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	Payroll,
	updateCompany,
	updateCostCenters,
} from '../support/payroll.mts';
import { packAndUnpack, type Packed } from './pack.mts';
import { schemaProblems, valueProblems } from './schema.mts';

let packed: Packed;
let payroll: Payroll;
let sandbox: SandboxClient;
let credential: string;

beforeAll(async () => {
	sandbox = await launchSandbox();
	packed = packAndUnpack();
	payroll = await Payroll.load(packed.folder);
	credential = await payroll.connect(sandbox);
});
afterAll(async () => {
	await sandbox.stop();
	packed.remove();
});

const NODES = ['payrollEmployee', 'payrollCompany', 'payrollHourCodes'] as const;

function description(name: string): INodeTypeDescription {
	const found = payroll.host.descriptions.find((node) => node.name === name);
	if (found === undefined) throw new Error(`There is no node ${name}`);
	return found;
}

/** The files of an icon as n8n serves them: `icons/<package>/<file>`. */
function iconFiles(iconUrl: unknown): { light: string; dark: string } {
	const { light, dark } = iconUrl as { light: string; dark: string };
	const inPackage = (url: string): string => url.replace('icons/n8n-nodes-payroll/', '');
	return { light: inPackage(light), dark: inPackage(dark) };
}

function checkIcon(iconUrl: unknown): string {
	const { light, dark } = iconFiles(iconUrl);
	expect(light).not.toBe(dark);
	for (const file of [light, dark]) {
		expect(packed.files).toContain(file);
		expect(packed.read(file)).toMatch(/^<svg [^]*<\/svg>\s*$/);
	}
	expect(packed.read(light)).not.toBe(packed.read(dark));
	return packed.read(light);
}

it('loads as three nodes and one credential', () => {
	expect(payroll.host.packageName).toBe('n8n-nodes-payroll');
	expect(payroll.host.loaded.nodes.sort()).toEqual([...NODES].sort());
	expect(payroll.host.loaded.credentials).toEqual(['payrollOAuth2Api']);
	for (const name of NODES) {
		expect(description(name)).toMatchObject({
			usableAsTool: true,
			credentials: [{ name: 'payrollOAuth2Api', required: true }],
		});
	}
});

it('has an icon of its own, light and dark, for each node and the credential', () => {
	const type = payroll.host.credentialTypes.getByName('payrollOAuth2Api');
	const icons = [...NODES.map((name) => description(name).iconUrl), type.iconUrl].map(checkIcon);
	expect(new Set(icons).size).toBe(4);
});

it('has codex categories and words to be found by', () => {
	for (const name of NODES) {
		const { codex } = description(name);
		expect(codex?.categories).toEqual(['Finance & Accounting']);
		expect(codex?.alias).toContain('Payroll');
	}
});

interface Case {
	name: string;
	node: (typeof NODES)[number];
	parameters: INodeParameters;
	id: number;
}

/** Every SOAP operation, and whom it is about. */
const cases: Case[] = [
	{ name: 'CostCenter_Get', node: 'payrollEmployee', parameters: getCostCenters, id: 1002 },
	{ name: 'CostCenter_Update', node: 'payrollEmployee', parameters: updateCostCenters, id: 1003 },
	{ name: 'Address_GetListCurrent', node: 'payrollEmployee', parameters: getAddresses, id: 1001 },
	{ name: 'Address_Insert', node: 'payrollEmployee', parameters: createAddress, id: 1004 },
	{ name: 'Address_Update', node: 'payrollCompany', parameters: updateCompany, id: 100 },
];

/** Where n8n looks for the schema of an operation's items. */
function schemaFile({ node, parameters: { resource, operation } }: Case): string {
	const folder = node.charAt(0).toUpperCase() + node.slice(1);
	return `dist/nodes/${folder}/__schema__/v1.0.0/${String(resource)}/${String(operation)}.json`;
}

it('has an output schema for each SOAP operation, and no other', () => {
	const expected = cases.map(schemaFile).sort();
	expect(packed.files.filter((file) => file.includes('__schema__'))).toEqual(expected);
});

it.each(cases)('runs $name, whose items are as its schema says', async (one) => {
	const schema = JSON.parse(packed.read(schemaFile(one))) as IDataObject;
	expect(schemaProblems(schema)).toEqual([]);
	expect(schema).toMatchObject({ type: 'object', version: 1 });

	const before = (await sandbox.stats()).soapExecuted[one.name] ?? 0;
	const node = payroll.node(one.node, credential, one.parameters);
	const result = await payroll.run([{ id: one.id }], node);
	expect(result.error).toBeUndefined();
	expect((await sandbox.stats()).soapExecuted[one.name]).toBe(before + 1);
	const items = result.json('Payroll');
	expect(items.length).toBeGreaterThan(0);
	for (const item of items) expect(valueProblems(schema, item)).toEqual([]);
});
