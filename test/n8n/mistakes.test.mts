/** Mistakes that nobody would notice, in each way in which values reach the node: all are reported. */
import type { INodeParameters } from 'n8n-workflow';
import type { Execution } from '../../dev/n8n/api.mts';
import {
	chain,
	itemsNode,
	manualTrigger,
	payrollNode,
	withAgent,
	type NodeDraft,
} from '../../dev/n8n/workflow.mts';
import { createAddress, getCostCenters } from '../../dev/package/calls.mts';
import { fromAi } from '../../dev/package/from-ai.mts';
import { sampleEmployee } from '../../dev/package/sample-records.mts';
import { formAddress, sendForm } from './examples/forms.mts';
import { PATIENCE, useStage, versions, withModel } from './setUp.mts';

/** Texts as they were typed, by name. */
type Typed = Record<string, string>;

interface Mistake {
	typed: Typed;
	/** The node's parameters; `value` gives the expression that reads a typed text. */
	parameters(value: (name: string) => string): INodeParameters;
	/** What the user reads: an error, hints and items. */
	seen: RegExp[];
	/** How often each operation is executed. */
	executed: Record<string, number>;
}

const updateOf = (value: (name: string) => string): INodeParameters => ({
	...{ resource: 'costCenter', operation: 'update', employeeId: '1002' },
	...{ period: value('period'), year: value('year') },
	costCenteren: { row: [{ costCenterCode: value('code'), percentage: value('percentage') }] },
});

const { Street, HouseNumber, PostalCode } = sampleEmployee(1003).addresses[0] as Typed;

const mistakes: Record<string, Mistake> = {
	'a decimal comma': {
		typed: { period: '6', year: '2026', code: '4200', percentage: '33,34' },
		parameters: updateOf,
		seen: [/"33,34" is not a number\. Write 33\.34/],
		executed: {},
	},
	'170 %': {
		typed: { period: '6', year: '2026', code: '4200', percentage: '170' },
		parameters: updateOf,
		seen: [
			/the percentages add up to .*, not to 100: .*not in your rows and .* kept: give .* 0 to end/,
		],
		executed: { CostCenter_Get: 1 },
	},
	'a year and a period that nobody has': {
		typed: { period: '66', year: '20265', code: '4200', percentage: '0' },
		parameters: updateOf,
		seen: [
			/'Year': 20265 is more than one year from now\./,
			/'Period': 66 is below 1 or over 53\. .*turn on 'Any Period'/,
		],
		executed: {},
	},
	'a code that nobody has': {
		typed: { period: '6', year: '2026', code: '4301', percentage: '0' },
		parameters: (value) => ({ ...updateOf(value), dryRun: true }),
		seen: [
			/Cost Center Code is new, since no current record has it: 4301/,
			/"changes":\["4301: added"\]/,
		],
		executed: { CostCenter_Get: 1 },
	},
	'a postal code that is written in another way': {
		typed: {
			street: Street?.toUpperCase() ?? '',
			houseNumber: HouseNumber ?? '',
			postalCode: `${PostalCode?.replace(' ', '').toLowerCase()} `,
		},
		parameters: (value) => ({
			...{ ...createAddress, city: '', postalCode: '', addressFields: {}, employeeId: '1003' },
			...{ skipIfExists: true, onlyTheseFields: true },
			...{ street: value('street'), houseNumber: value('houseNumber') },
			postalCode: value('postalCode'),
		}),
		seen: [/1 already there, nothing inserted/, /"created":false/],
		executed: { Address_GetListCurrent: 1 },
	},
	'the complete SOAP address': {
		typed: { id: '1002' },
		parameters: (value) => ({ ...getCostCenters, employeeId: value('id') }),
		seen: [/"EmployeeId":1002/],
		executed: { CostCenter_Get: 1 },
	},
};

/** What a user sees of the payroll node: its error, its hints and its items. */
function seenIn(execution: Execution): string {
	const [run] = execution.runs('Payroll');
	const items = Object.values(run?.data ?? {}).flat(2);
	const seen = [
		run?.error?.message,
		...(run?.hints ?? []).map(({ message }) => message),
		...items.map((item) => item?.json.error ?? JSON.stringify(item?.json)),
	];
	// The answer of a tool has the error in JSON.
	return seen.join('\n').replaceAll('\\"', '"');
}

/** A form of n8n's own that asks for texts. */
const form = (names: string[], path: string): NodeDraft => ({
	name: 'Form',
	type: 'n8n-nodes-base.formTrigger',
	typeVersion: 2.3,
	webhookId: path,
	parameters: {
		formTitle: 'Payroll',
		formFields: { values: names.map((fieldLabel) => ({ fieldLabel })) },
		options: {},
	},
});

const ofItem = (name: string): string => `={{ $json.${name} }}`;

describe.each(versions)('n8n %s reports', (version) => {
	const stage = useStage({ version });
	beforeAll(async () => {
		const soapUrl = `${stage.sandbox.url}/soap/v3/EmployeeService.asmx`;
		await stage.api.updateCredential(stage.credential, { soapUrl });
	});

	const ways: Record<string, (mistake: Mistake) => Promise<Execution>> = {
		async 'input items'({ typed, parameters }) {
			const node = payrollNode('payrollEmployee', parameters(ofItem));
			const draft = chain('Items', manualTrigger, ...itemsNode([typed]), node);
			return await stage.api.run(await stage.create(draft));
		},
		async "n8n's form"({ typed, parameters }) {
			const trigger = form(Object.keys(typed), `mistake-${Object.keys(typed).join('-')}`);
			const node = payrollNode('payrollEmployee', parameters(ofItem));
			const id = await stage.create(chain('Form', trigger, node));
			await stage.api.activate(id);
			await sendForm(await formAddress(stage, id), typed);
			const [execution] = await stage.api.ended(id, 1, PATIENCE);
			await stage.api.deactivate(id);
			return execution as Execution;
		},
		async 'a model'({ typed, parameters }) {
			const given = parameters((name) => fromAi(name, 'string'));
			const draft = withAgent('Agent', manualTrigger, payrollNode('payrollEmployee', given));
			return await withModel(stage, draft, typed, async (id) => await stage.api.run(id));
		},
	};

	describe.each(Object.entries(mistakes))('%s', (_, mistake) => {
		it.each(Object.entries(ways))('that comes from %s', async (_way, execute) => {
			const execution = await execute(mistake);
			for (const text of mistake.seen) expect(seenIn(execution)).toMatch(text);
			expect((await stage.sandbox.stats()).soapExecuted).toEqual(mistake.executed);
		});
	});
});
