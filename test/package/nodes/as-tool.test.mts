/** Every operation as a tool of an AI agent: what a model is given, sends and is told. */
import type { IDataObject, INode } from 'n8n-workflow';
import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { resources as company } from '../../../nodes/PayrollCompany/actions.ts';
import { resources as employee } from '../../../nodes/PayrollEmployee/actions.ts';
import { resources as hourCodes } from '../../../nodes/PayrollHourCodes/actions.ts';
import type { Action, Resources } from '../../../nodes/shared/run/action.ts';
import { workflow } from '../../../dev/engine/index.mts';
import type { Argument } from '../../../dev/package/from-ai.mts';
import {
	answerToModel,
	callTool,
	everyTool,
	givenToModel,
	withTool,
	type GivenTool,
	type OfferedTool,
} from '../../../dev/package/tools.mts';
import { promptsPage } from '../../../dev/pages/tools.mts';
import { replying } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { faultAnswer, XML } from '../soap.mts';

const { sandbox, payroll } = useSandbox({ schemaValidation: true });
const service = useScriptedServer();
const credential = useCredential(payroll, sandbox);
const scripted = useCredential(payroll, sandbox, () => ({ soapUrl: service.url }));
let tools: OfferedTool[];
let given: Map<OfferedTool, GivenTool>;

beforeAll(async () => {
	tools = everyTool(payroll);
	given = new Map();
	for (const tool of tools) given.set(tool, await givenToModel(payroll, credential.id, tool.draft));
});

const offered: Readonly<Record<string, Resources>> = {
	payrollEmployee: employee,
	payrollCompany: company,
	payrollHourCodes: hourCodes,
};

function actionOf({ choice: [node, resource, operation] }: OfferedTool): Action {
	const action = offered[node]?.[resource]?.operations[operation];
	if (action === undefined) throw new Error(`${node} offers no ${operation} of ${resource}`);
	return action;
}

function find(title: string): OfferedTool {
	const tool = tools.find((one) => one.title === title);
	if (tool === undefined) throw new Error(`There is no ${title}`);
	return tool;
}

/** The line about an argument in the tool's description. */
function lineOf(tool: OfferedTool, { property }: Argument): string {
	const lines = given.get(tool)?.description.split('\n') ?? [];
	const line = lines.find((one) => one.startsWith(`${property.displayName}: `));
	return line?.slice(property.displayName.length + 2) ?? '';
}

/** What a line says of an argument: its meaning, its type and an example. */
const KINDS: ReadonlyArray<readonly [fits: (argument: Argument) => boolean, line: RegExp]> = [
	[({ property: { type } }) => type === 'boolean', /^Whether \w/],
	[({ property: { type } }) => type === 'options', /(^|; )one of \w+(, \w+)+$/],
	[
		({ property: { type, typeOptions } }) =>
			typeOptions?.numberPrecision === 0 || type === 'resourceLocator',
		/(^|; )whole number( from \d+)?, e\.g\. -?\d+$/,
	],
	[({ property: { type } }) => type === 'number', /(^|; )decimal number, e\.g\. -?\d+(\.\d+)?$/],
	[({ property: { type } }) => type === 'string', /(^|; )text, e\.g\. .+$/],
	[({ property: { type } }) => type === 'json', /Example: [[{].+[\]}]$/],
];

/** Arguments whose description only repeats the label. */
const selfExplanatory = ['City', 'Postal Code', 'Street'];

describe('a model is given', () => {
	it('every operation, as docs/tool-prompts.md has it (npm run readme updates it)', async () => {
		const page = await readFile('docs/tool-prompts.md', 'utf8');
		expect(page).toBe(promptsPage(tools.map((tool) => [tool, given.get(tool) as GivenTool])));
		const listed = new Set(tools.map(({ choice }) => choice.join()));
		for (const [node, resources] of Object.entries(offered)) {
			for (const [resource, { operations }] of Object.entries(resources)) {
				for (const [operation, { unavailableAsTool = false }] of Object.entries(operations)) {
					const choice = [node, resource, operation].join();
					expect([choice, listed.has(choice)]).toEqual([choice, !unavailableAsTool]);
				}
			}
		}
	});

	it('what docs/tools.md has as its example', async () => {
		const page = await readFile('docs/tools.md', 'utf8');
		const [, example] = /```text\n([^]*?)\n```/.exec(page) ?? [];
		const tool = find('Payroll Employee, Address, Get Many');
		expect(example).toBe(given.get(tool)?.description);
	});

	it('a name and a description that every chat model API accepts', () => {
		for (const { name, description } of given.values()) {
			expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
			expect([name, description.length <= 1024]).toEqual([name, true]);
			expect(description).not.toMatch(/<\/?code>|undefined|\[object/);
		}
	});

	it('what an operation does, whether it changes data, and what it returns', () => {
		for (const tool of tools) {
			const action = actionOf(tool);
			const [head = ''] = given.get(tool)?.description.split('\n') ?? [];
			const [said, ...rest] = head.split('. ');
			expect(said).toBe(action.description);
			expect(rest[0]).toBe(action.effect === 'write' ? 'Changes data' : 'Changes nothing');
			const fields = Object.keys((action.outputSchema()?.properties ?? {}) as object);
			for (const field of fields) expect(rest[1]).toMatch(new RegExp(`\\b${field}\\b`));
			if (fields.length === 0) expect(rest[1]).toContain('the fields that the service sends');
		}
	});

	it('the type of each argument, all of them required', () => {
		for (const tool of tools) {
			const { properties, required } = given.get(tool)?.parameters ?? {};
			expect(Object.keys(properties ?? {})).toEqual(tool.arguments.map(({ key }) => key));
			expect(required).toEqual(tool.arguments.map(({ key }) => key));
			for (const { key, property } of tool.arguments) {
				const type = { number: 'number', boolean: 'boolean', json: undefined }[
					property.type as 'json'
				];
				const isText = ['string', 'options', 'resourceLocator'].includes(property.type);
				expect([key, properties?.[key]]).toEqual([
					key,
					type || isText ? { type: isText ? 'string' : type } : {},
				]);
			}
		}
	});

	it('the meaning, type and an example of each argument; the builder reads the meaning', () => {
		for (const tool of tools) {
			for (const argument of tool.arguments) {
				const { displayName, description = '' } = argument.property;
				const where = `${tool.title}: ${displayName}`;
				const [, line] = KINDS.find(([fits]) => fits(argument)) ?? [];
				if (line === undefined) throw new Error(`${where} has no kind`);
				expect([where, lineOf(tool, argument)]).toEqual([where, expect.stringMatching(line)]);
				expect([where, description]).toEqual([where, expect.stringMatching(/^[A-Z].*\w/)]);
				const isBare = description.toLowerCase() === displayName.toLowerCase();
				expect([where, isBare]).toEqual([where, selfExplanatory.includes(displayName)]);
			}
		}
	});

	it('what happens to cost centers that it leaves out, as the builder chose', async () => {
		const tool = find('Payroll Employee, Cost Center, Update, Using JSON');
		const kept =
			/^Keeps current cost centers that are not given; matches those given by 'Record ID'/m;
		const lost = /^Give all cost centers: current ones that are not given may be lost\./m;
		expect(given.get(tool)?.description).toMatch(kept);
		expect(given.get(tool)?.description).not.toMatch(lost);
		const parameters = { ...tool.draft.parameters, keepOthers: false };
		const off = await givenToModel(payroll, credential.id, { ...tool.draft, parameters });
		expect(off.description).toMatch(lost);
		expect(off.description).not.toMatch(kept);
	});

	it('the columns of the records if the builder simplifies them', async () => {
		const tool = find('Payroll Employee, Cost Center, Get Many');
		expect(given.get(tool)?.description).toMatch(
			/Returns records with EmployeeId, .*Kostensoort \(/,
		);
		const parameters = { ...tool.draft.parameters, simplify: true };
		const simple = await givenToModel(payroll, credential.id, { ...tool.draft, parameters });
		expect(simple.description).toContain(
			'Returns records with employeeId, period, year, recordId, costCenterCode, ' +
				'costCenterDescription, costCenterId, costTypeCode, costTypeDescription, percentage, default;',
		);
	});

	it('that a period before the current one needs Unprotected Mode', () => {
		for (const way of ['Using Fields Below', 'Using JSON']) {
			const tool = find(`Payroll Employee, Address, Create, ${way}`);
			expect(given.get(tool)?.description).toMatch(
				/^Unprotected Mode: .*before the company's current/m,
			);
		}
	});

	it('nothing about the parameters that the builder keeps', () => {
		const kept = [
			...['Dry Run', 'Keep Other Cost Centers', 'Skip If It Exists'],
			...['Concurrency', 'Timeout', 'Input Items', 'Simplify'],
		];
		for (const { description } of given.values()) {
			for (const name of kept) expect(description).not.toContain(name);
		}
	});
});

it('a model is given what the builder writes instead', async () => {
	const { draft } = find('Payroll Employee, Cost Center, Get Many');
	const parameters = {
		...draft.parameters,
		toolDescription: 'Where wages are booked',
		employeeId: "={{ $fromAI('who', 'The number on the badge', 'number') }}",
	};
	const told = await givenToModel(payroll, credential.id, { ...draft, parameters });
	expect(told.description).toBe('Where wages are booked');
	expect(told.parameters.properties['who']).toEqual({
		type: 'number',
		description: 'The number on the badge',
	});
});

it('a node that is no tool has no field for the description of a tool', () => {
	const { displayParameter, getNodeParameters } = workflow.NodeHelpers;
	for (const { choice, draft } of tools) {
		const type = `${payroll.host.packageName}.${choice[0]}`;
		const { description } = payroll.host.nodeTypes.getByNameAndVersion(type);
		const { properties } = description;
		const node = { type, typeVersion: 1 } as INode;
		const { parameters = {} } = draft;
		const values = getNodeParameters(properties, parameters, true, false, node, description);
		const shown = properties.filter((one) =>
			displayParameter(values ?? {}, one, node, description),
		);
		const names = shown.map(({ name }) => name);
		expect(names).toContain('options');
		expect(names).not.toContain('toolDescription');
		expect(values).not.toHaveProperty('toolDescription');
	}
});

/** Arguments made of the examples in the tool's description. */
function examples(tool: OfferedTool): IDataObject {
	const values = tool.arguments.map((argument) => {
		const { type } = argument.property;
		const line = lineOf(tool, argument);
		const [, example = ''] = /(?:, e\.g\. |Example: |; one of )(.*)$/.exec(line) ?? [];
		const value = { number: Number(example), boolean: false, options: example.split(', ')[0] };
		return [
			argument.key,
			type === 'json' ? JSON.parse(example) : (value[type as 'number'] ?? example),
		];
	});
	return Object.fromEntries(values) as IDataObject;
}

const businessRequests = async () =>
	(await sandbox.requests()).filter(({ path }) => /^\/(soap|api)\//.test(path));

describe('a model that calls a tool', () => {
	it.each([
		['Payroll Employee, Address, Create, Using Fields Below', { Id: expect.any(Number) }],
		['Payroll Employee, Address, Create, Using JSON', { Id: expect.any(Number) }],
		['Payroll Employee, Address, Get Many', { City: expect.any(String) }],
		['Payroll Employee, Cost Center, Get Many', { Percentage: expect.any(Number) }],
		['Payroll Employee, Cost Center, Update, Using Fields Below', { success: true }],
		['Payroll Employee, Cost Center, Update, Using JSON', { success: true }],
		['Payroll Company, Address, Update, Using Fields Below', { success: true }],
		['Payroll Company, Address, Update, Using JSON', { success: true }],
		['Payroll Employee, Other Operation, Call, Using JSON', { Percentage: expect.any(String) }],
		['Payroll Company, Connection, Check', { CompanyId: 100, ok: true }],
		['Payroll Hour Codes, Hour Code, Get Many', { CompanyId: 100 }],
	])('%s with the examples gets the records as JSON', async (title, record) => {
		const tool = find(title);
		const result = await callTool(payroll, credential.id, tool.draft, examples(tool));
		const answer = answerToModel(result);
		const records = JSON.parse(answer) as IDataObject[];
		expect(records.length).toBeGreaterThan(0);
		for (const one of records) expect(one).toMatchObject(record);
		expect(answer).toBe(JSON.stringify(records));
		const called = await withTool(payroll, credential.id, tool.draft, async (one) => {
			return await one.invoke(examples(tool));
		});
		expect(Object.keys(JSON.parse(called)[0])).toEqual(Object.keys(records[0] ?? {}));
		const sent = await businessRequests();
		expect(sent.length).toBeGreaterThanOrEqual(2);
		expect(sent.flatMap(({ violations }) => violations)).toEqual([]);
	});
});

it('a whole number may be given as a number', async () => {
	const { draft } = find('Payroll Employee, Address, Get Many');
	const employeeId = "={{ $fromAI('who', 'The number on the badge', 'number') }}";
	const tool = { ...draft, parameters: { ...draft.parameters, employeeId } };
	const records = JSON.parse(
		answerToModel(await callTool(payroll, credential.id, tool, { who: 1001 })),
	) as IDataObject[];
	expect(records[0]).toMatchObject({ EmployeeId: 1001, City: expect.any(String) });
});

interface Failures {
	/** What an agent gives to its model. */
	told: string;
	/** What n8n's other callers of a tool throw. */
	thrown: string;
	/** What n8n would save of the agent's run. */
	saved: string;
}

async function failures(
	tool: OfferedTool,
	input: IDataObject,
	{ id } = credential,
): Promise<Failures> {
	const result = await callTool(payroll, id, tool.draft, input);
	const [answer] = JSON.parse(answerToModel(result)) as [{ error: string }];
	const thrown = await withTool(payroll, id, tool.draft, async (one) => {
		return await one.invoke(input).then(String, (error: Error) => error.message);
	});
	const saved = inspect(result.run, { depth: Infinity, showHidden: true, maxArrayLength: null });
	return { told: answer.error, thrown, saved };
}

describe('a model that makes a mistake is told so, and nothing is sent', () => {
	it.each<[string, IDataObject, string, string]>([
		[
			'of the wrong type',
			{ Employee_ID: 'abc' },
			'\'Employee ID\': "abc" is not a whole number',
			'Period 6, Year 2026',
		],
		['out of range', { Year: 2 ** 31 }, "'Year': 2147483648 is .+", 'Employee ID 1001, Period 6'],
		['left out', { Employee_ID: undefined }, "'Employee ID' is empty", 'Period 6, Year 2026'],
	])('an argument %s', async (_what, wrong, message, rest) => {
		const tool = find('Payroll Employee, Cost Center, Get Many');
		const { told, thrown } = await failures(tool, { ...examples(tool), ...wrong });
		expect(told).toMatch(
			new RegExp(
				`^${message}\\. Nothing was sent for this item\\. Correct the value\\. ${rest}\\.$`,
			),
		);
		// A value that n8n's own schema lets through reaches the node, which says the same.
		expect([told, expect.stringContaining('did not match expected schema')]).toContainEqual(thrown);
		expect(await businessRequests()).toEqual([]);
	});

	it.each([
		['no JSON', 'Herengracht 1', /^'Address \(JSON\)': "Herengracht 1" is not valid JSON\./],
		[
			'an unknown field',
			{ Town: 'Delft' },
			/^'Town' is not a known field\. The known fields are Id, /,
		],
	])('a record: %s', async (_what, Address__JSON_, message) => {
		const tool = find('Payroll Employee, Address, Create, Using JSON');
		const { told } = await failures(tool, { ...examples(tool), Address__JSON_ });
		expect(told).toMatch(message);
		expect(told).toMatch(/Nothing was written for this item\. Correct the value/);
		expect(await businessRequests()).toEqual([]);
	});
});

describe('a model whose call fails is told', () => {
	it('what the service says, and that the change was not applied', async () => {
		const tool = find('Payroll Employee, Address, Create, Using JSON');
		const input = { ...examples(tool), Period: '1', Year: '2020' };
		const { told, thrown } = await failures(tool, input);
		expect(told).toMatch(/^TWK exception: .* turn on 'Unprotected Mode'/);
		expect(told).toMatch(
			/\. The change was not applied\. Employee ID 1001, Period 1, Year 2020\.$/,
		);
		expect(thrown).toBe(told);
	});

	it('that a change may have been applied if that is unknown; the call is not sent again', async () => {
		const tool = find('Payroll Company, Address, Update, Using JSON');
		service.play((response) => void response.socket?.destroy());
		const { told, thrown } = await failures(tool, examples(tool), scripted);
		expect(told).toMatch(/\. The change may have been applied: look in the payroll service/);
		expect(thrown).toBe(told);
		expect(service.received).toHaveLength(2);
	});

	it('no secret, even if the service repeats them', async () => {
		const { oauthTokenData, ...stored } = await payroll.credentials.stored(scripted.id);
		const { subscriptionKey, domain, appSecret } = stored as Record<string, string>;
		const { access_token: token, refresh_token } = oauthTokenData as Record<string, string>;
		const repeated = `key ${subscriptionKey}, domain ${domain}, token ${token}`;
		service.play(replying(500, XML, faultAnswer(`2011: No ${repeated}`)));
		const tool = find('Payroll Employee, Address, Create, Using JSON');
		const { told, thrown, saved } = await failures(tool, examples(tool), scripted);
		expect(told).toMatch(/^2011: No key \*\*\*, domain \*\*\*, token \*\*\*|^No key \*\*\*/);
		for (const secret of [subscriptionKey, token, refresh_token, appSecret]) {
			expect(secret).toMatch(/\w/);
			expect(told + thrown + saved).not.toContain(secret);
		}
		expect(told + thrown + saved).not.toContain(`domain ${domain}`);
	});
});
