/** The operations as tools of an AI agent, as a model is given them and calls them. */
import type { IDataObject } from 'n8n-workflow';
import type { Argument } from '../../../dev/package/from-ai.mts';
import {
	answerToModel,
	callTool,
	everyTool,
	givenToModel,
	type GivenTool,
	type OfferedTool,
} from '../../../dev/package/tools.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';

export function useTools() {
	const { sandbox, payroll, credential } = useSandbox({ schemaValidation: true });
	const service = useScriptedServer();
	const scripted = useCredential(payroll, sandbox, () => ({
		restUrl: service.url,
		soapUrl: service.url,
	}));
	const tools: OfferedTool[] = [];
	const given = new Map<OfferedTool, GivenTool>();

	beforeAll(async () => {
		tools.push(...everyTool(payroll));
		for (const tool of tools)
			given.set(tool, await givenToModel(payroll, credential.id, tool.draft));
	});

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

	/** Arguments made of the examples in the tool's description. */
	function examples(tool: OfferedTool): IDataObject {
		const values = tool.arguments.map((argument) => {
			const { type } = argument.property;
			const line = lineOf(tool, argument);
			const [, given = ''] = /(?:(?:^|[,;] )e\.g\. |Example: |; one of )(.*)$/.exec(line) ?? [];
			const example = /^"/.test(given) ? (JSON.parse(given) as string) : given;
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

	/** What an agent tells its model of a call that ends well: the answer as text, and its only item. */
	async function answer(
		tool: OfferedTool,
		parameters: object,
		input: IDataObject,
		{ id } = scripted,
	) {
		const draft = { ...tool.draft, parameters: { ...tool.draft.parameters, ...parameters } };
		const text = answerToModel(await callTool(payroll, id, draft, input));
		const [item, ...others] = JSON.parse(text) as IDataObject[];
		expect(others).toEqual([]);
		return { text, item };
	}

	const servers = { sandbox, service, payroll, credential, scripted };
	return { ...servers, tools, given, find, examples, businessRequests, answer };
}
