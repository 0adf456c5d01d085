/** The tarball in n8n's own loader, and its nodes at work. */
import type { IDataObject, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import {
	checkConnection,
	getHourCodes,
	revokeConnection,
	soapCalls,
	type SoapCall,
} from '../../../dev/package/calls.mts';
import { Payroll } from '../../../dev/package/payroll.mts';
import { packAndUnpack, type Packed } from './pack.mts';

const TYPES: Record<string, (value: unknown) => boolean> = {
	array: (value) => Array.isArray(value),
	boolean: (value) => typeof value === 'boolean',
	integer: (value) => Number.isInteger(value),
	number: (value) => typeof value === 'number',
	object: isObject,
	string: (value) => typeof value === 'string',
};

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a value is not what its schema says; no field may be missing or unknown either. */
function valueProblems(schema: unknown, value: unknown, path = '$'): string[] {
	if (!isObject(schema) || !TYPES[String(schema.type)]?.(value)) {
		return [`${path} is ${JSON.stringify(value)}`];
	}
	if (Array.isArray(value)) {
		return value.flatMap((row, index) => valueProblems(schema.items, row, `${path}[${index}]`));
	}
	if (!isObject(value) || !isObject(schema.properties)) return [];
	const { properties } = schema;
	// A record in a list has the fields that were given or read.
	const expected = path.includes('[') ? [] : Object.keys(properties);
	const names = new Set([...expected, ...Object.keys(value)]);
	return [...names].flatMap((name) =>
		valueProblems(properties[name], value[name], `${path}.${name}`),
	);
}

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
	const icons = [...NODES.map((name) => description(name).iconUrl), type.iconUrl];
	// As n8n serves them: `icons/<package>/<file>`.
	const files = icons.flatMap((urls) => Object.values(urls as { light: string; dark: string }));
	const texts = files.map((url) => packed.read(url.replace('icons/n8n-nodes-payroll/', '')));
	for (const text of texts) expect(text).toMatch(/^<svg [^]*<\/svg>\s*$/);
	expect(new Set(texts).size).toBe(8);
});

type Call = Pick<SoapCall, 'name' | 'node' | 'parameters' | 'id'>;

/** The operations on the connection; the second one ends it. */
const onConnection: Call[] = [
	{
		name: 'Check',
		node: 'payrollCompany',
		parameters: { ...checkConnection, employeeId: 1003 },
		id: 100,
	},
	{ name: 'Revoke', node: 'payrollCompany', parameters: revokeConnection, id: 100 },
];

/** Where n8n looks for the schema of an operation's items. */
function schemaFile({
	node,
	parameters: { resource, operation },
}: {
	node: (typeof NODES)[number];
	parameters: INodeParameters;
}): string {
	const folder = node.charAt(0).toUpperCase() + node.slice(1);
	return `dist/nodes/${folder}/__schema__/v1.0.0/${resource}/${operation}.json`;
}

/** The operations whose items the interface does not specify, with the fields that are known. */
const open: Array<[(typeof NODES)[number], INodeParameters, ...string[]]> = [
	['payrollEmployee', { resource: 'custom', operation: 'call' }, 'EmployeeId'],
	['payrollCompany', { resource: 'custom', operation: 'call' }, 'CompanyId'],
	['payrollCompany', { resource: 'list', operation: 'getAll' }],
	['payrollHourCodes', getHourCodes, 'CompanyId'],
];

it('has an output schema for every operation, since the editor asks for each', () => {
	const others = open.map(([node, parameters]) => ({ node, parameters }));
	const expected = [...soapCalls, ...onConnection, ...others].map(schemaFile).sort();
	expect(packed.files.filter((file) => file.includes('__schema__'))).toEqual(expected);
});

it.each(open)('the schema of %s %j has only what is known', (node, parameters, ...keys) => {
	const schema = JSON.parse(packed.read(schemaFile({ node, parameters }))) as IDataObject;
	const properties = Object.fromEntries(keys.map((key) => [key, { type: 'integer' }]));
	expect(schema).toEqual({ type: 'object', properties, version: 1, additionalProperties: true });
});

/** Runs an operation, and checks its schema and its items against it. */
async function expectBySchema(one: Call, used: string): Promise<void> {
	const schema = JSON.parse(packed.read(schemaFile(one))) as IDataObject;
	expect(schema).toMatchObject({ type: 'object', version: 1 });
	const parameters = { ...one.parameters, verify: true, simplify: true };
	const node = payroll.node(one.node, used, parameters);
	const result = await payroll.run([{ id: one.id }], node);
	expect(result.error).toBeUndefined();
	const items = result.json('Payroll');
	expect(items.length).toBeGreaterThan(0);
	for (const item of items) expect(valueProblems(schema, item)).toEqual([]);
}

it.each(soapCalls)('runs $name, whose items match its schema', async (one) => {
	const before = (await sandbox.stats()).soapExecuted[one.name] ?? 0;
	await expectBySchema(one, credential);
	expect((await sandbox.stats()).soapExecuted[one.name]).toBe(before + 1);
});

it.each(onConnection)('runs $name, whose item matches its schema', async (one) => {
	await expectBySchema(one, await payroll.connect(sandbox));
});
