/** Where each item's call goes: the Domain of its options; and a credential that refuses writes. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { NodeDraft } from '../../../dev/engine/index.mts';
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';
import { createAddress, soapCalls, updateCostCenters } from '../../../dev/package/calls.mts';
import { sentTexts, sentWrites } from '../requests.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const plain = useCredential(payroll, sandbox);

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const OTHER = 'other-company';

function employee(
	credential: string,
	parameters: INodeParameters,
	more: Partial<NodeDraft> = CONTINUE,
): NodeDraft {
	return payroll.node('payrollEmployee', credential, parameters, more);
}

/** The employees whose calls failed, with title and description of the error. */
function failures(items: IDataObject[]): string[] {
	return items.flatMap(({ id, error }) => {
		const { message, description } = (error ?? {}) as IDataObject;
		return error === undefined ? [] : [`${String(id)}: ${String(message)}. ${String(description)}`];
	});
}

describe('the option Domain', () => {
	const options = { domain: '={{ $json.dom }}' };

	it.each(soapCalls)(
		'is sent with $name, for each item its own',
		async ({ node, parameters, id }) => {
			const isEmployee = node === 'payrollEmployee';
			const domains = [sandbox.domain, OTHER, sandbox.domain];
			const input = domains.map((dom, index) => ({ id: isEmployee ? id + index : id, dom }));
			const draft = payroll.node(node, plain.id, { ...parameters, options }, CONTINUE);
			const { json } = await payroll.run(input, draft);
			const sent = await sentTexts(sandbox, 'Domain');
			const others = sent.filter((domain) => domain !== sandbox.domain);
			expect(others).toEqual([OTHER]);
			expect(sent.length).toBeGreaterThan(2);
			const failed = failures(json('Payroll'));
			expect(failed).toHaveLength(1);
		},
	);

	it('fails an item for which it is empty or not usable, with nothing sent', async () => {
		const input = [{ id: 1001 }, { id: 1002, dom: sandbox.domain }, { id: 1003, dom: 'a\nb' }];
		const { json } = await payroll.run(input, employee(plain.id, { ...createAddress, options }));
		expect(failures(json('Payroll'))).toEqual([
			expect.stringMatching(
				/^1001: The Domain of this item is not usable\. .*it is empty for this item/,
			),
			expect.stringMatching(/^1003: The Domain of this item is not usable\. .*control character/),
		]);
		expect(await sentTexts(sandbox, 'EmployeeId')).toEqual(['1002']);
	});

	it('puts rows of different Domains into different calls', async () => {
		const rows = [sandbox.domain, OTHER, sandbox.domain].map((dom, i) => ({
			...{ EmployeeId: 1001, Period: 6, Year: 2026, dom },
			...{ CostCenter: { Code: `${4100 + 100 * i}` }, Percentage: [50, 100, 50][i] ?? 0 },
		}));
		const parameters = { ...updateCostCenters, specifyCostCenteren: 'items', options };
		await payroll.run(rows, employee(plain.id, parameters));
		expect(new Set(await sentTexts(sandbox, 'Domain'))).toEqual(new Set([sandbox.domain, OTHER]));
		const [sent = '', ...others] = await sentWrites(sandbox);
		expect(others).toEqual([]);
		expect([...sent.matchAll(/<Code>(4\d00)</g)].map(([, code]) => code)).toEqual(['4100', '4300']);
	});
});

describe('a read-only credential', () => {
	const readOnly = useCredential(payroll, sandbox, () => ({ readOnly: true }));

	it.each(soapCalls)('refuses $name if it writes, before anything is sent', async (call) => {
		const { node, parameters, id, name } = call;
		const isRead = soapOperations.find((one) => one.name === name)?.effect === 'read';
		const { error } = await payroll.run([{ id }], payroll.node(node, readOnly.id, parameters));
		expect(error?.message).toBe(isRead ? undefined : 'The credential is read-only');
		expect((await sandbox.requests()).length).toBe(isRead ? 1 : 0);
	});

	it('refuses also a write that reads first, and allows a dry run', async () => {
		const run = async (switches: INodeParameters) =>
			await payroll.run(
				[{ id: 1001 }],
				employee(readOnly.id, { ...updateCostCenters, ...switches }, {}),
			);
		expect((await run({ keepOthers: true })).error?.description).toContain("'Read Only'");
		expect(await sandbox.requests()).toEqual([]);
		const { json, error } = await run({ dryRun: true });
		expect([error, json('Payroll')[0]?.dryRun]).toEqual([undefined, true]);
	});
});
