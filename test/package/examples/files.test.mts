import { readFileSync } from 'node:fs';
import type { IConnection, IDataObject, INode } from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { parameterProblems } from '../../../dev/package/node-parameters.mts';
import { exampleWorkflows, linked } from '../../../dev/package/workflow-file.mts';
import { useSandbox } from '../../support/setUp.mts';

const note = 'n8n-nodes-base.stickyNote';
const httpRequest = 'n8n-nodes-base.httpRequest';

const { payroll, credential } = useSandbox();

const isOwn = ({ type }: INode): boolean => type.startsWith('n8n-nodes-payroll.');

describe.each([...exampleWorkflows()])('examples/%s', (_, draft) => {
	const { nodes, connections } = draft;
	const names = nodes.map(({ name }) => name);
	const lines = Object.values(connections).flatMap((byType) =>
		Object.values(byType).flatMap((outputs) => outputs.flat() as IConnection[]),
	);

	it('holds a workflow, and nothing of the instance it came from', () => {
		expect(Object.keys(draft)).toEqual(['name', 'nodes', 'connections', 'settings']);
		expect(draft.settings).toEqual({ executionOrder: 'v1' });
		const known =
			/^(parameters|id|name|type|typeVersion|position|credentials|webhookId|executeOnce|onError|alwaysOutputData|disabled)$/;
		expect(nodes.flatMap((node) => Object.keys(node)).filter((key) => !known.test(key))).toEqual(
			[],
		);
		expect(new Set(names).size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
	});

	it('names its credentials, without their data', () => {
		for (const { credentials = {} } of nodes) {
			for (const credential of Object.values(credentials)) {
				expect(credential).toEqual({ id: null, name: expect.any(String) as string });
			}
		}
		for (const node of nodes.filter(isOwn)) {
			expect(node.credentials).toEqual({
				[CREDENTIAL_TYPE]: { id: null, name: 'Payroll account' },
			});
		}
	});

	it('uses nodes of this package with the parameters that their forms show', () => {
		const own = nodes.filter(isOwn);
		// One that starts another workflow leaves the calls to that one.
		expect(own.length > 0 || nodes.some(({ type }) => type === httpRequest)).toBe(true);
		for (const node of own) {
			const { description } = payroll.host.nodeTypes.getByNameAndVersion(
				node.type,
				node.typeVersion,
			);
			expect([description.version].flat()).toContain(node.typeVersion);
			expect({ [node.name]: parameterProblems(description, node) }).toEqual({ [node.name]: [] });
		}
	});

	it('connects nodes that exist, and leaves none unconnected', () => {
		expect(Object.keys(connections).filter((name) => !names.includes(name))).toEqual([]);
		expect(lines.map(({ node }) => node).filter((name) => !names.includes(name))).toEqual([]);
		const joined = [...Object.keys(connections), ...lines.map(({ node }) => node)];
		const alone = nodes.filter(({ name, type }) => type !== note && !joined.includes(name));
		expect(alone.map(({ name }) => name)).toEqual([]);
	});

	it('has a note that says what it does and what to change', () => {
		const notes = nodes.filter(({ type }) => type === note);
		expect(notes).toHaveLength(1);
		const text = String(notes[0]?.parameters.content);
		expect(text).toMatch(/^## .+\n.+/);
		expect(text).toMatch(/\*\*To change\*\*/);
		// Every name that a note mentions exists.
		const called = [...text.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, name = '']) => name);
		const fields = JSON.stringify(nodes);
		expect(
			called.filter((name) => !names.includes(name) && !fields.includes(`"name":"${name}"`)),
		).toEqual([]);
	});
});

it.each([...exampleWorkflows()])(
	'examples/%s has the fields that the editor offers',
	async (_, draft) => {
		const all = linked(draft.nodes, { [CREDENTIAL_TYPE]: credential.id });
		for (const node of all.filter(({ parameters }) => parameters.resource === 'custom')) {
			const { mappingMode, ...mapper } = node.parameters.operationParameters as IDataObject;
			// The columns of the items decide.
			if (mappingMode === 'autoMapInputData') continue;
			const { fields } = await payroll.fields(node, 'getOperationParameters');
			// Which optional fields are added is the example's choice.
			const offered = fields.map(({ removed: _, ...field }) => field);
			expect({ [node.name]: mapper }).toMatchObject({ [node.name]: { schema: offered } });
		}
	},
);

it('are all listed in docs/examples.md', () => {
	const page = readFileSync('docs/examples.md', 'utf8');
	const listed = page.matchAll(/\[(.+?\.json)\]\(\.\.\/examples\/\1\)/g);
	expect([...listed].map(([, file]) => file).sort()).toEqual([...exampleWorkflows().keys()]);
});
