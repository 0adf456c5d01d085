/** How users and n8n's AI builder find the nodes: by the descriptions in the built package. */
import { sublimeSearch } from '../../../dev/engine/n8n.mts';
import { usePackage } from '../../support/setUp.mts';

const payroll = usePackage();

/** The nodes that the node panel finds, best first. */
function found(word: string): string[] {
	const nodes = payroll.host.descriptions.map((properties) => ({ properties }));
	return sublimeSearch(word, nodes).map(({ item }) => item.properties.displayName);
}

describe('the node panel', () => {
	it.each<[string, string[]]>([
		...['payroll', 'salary', 'salaris', 'HR'].map((word): [string, string[]] => [
			word,
			['Payroll Company', 'Payroll Employee', 'Payroll Hour Codes'],
		]),
		['wage', ['Payroll Employee', 'Payroll Hour Codes']],
		['loon', ['Payroll Company', 'Payroll Employee', 'Payroll Hour Codes']],
		['payslip', ['Payroll Company', 'Payroll Employee']],
		['verzuim', ['Payroll Employee']],
		['wages', ['Payroll Employee', 'Payroll Hour Codes']],
		['werknemer', ['Payroll Employee']],
		['medewerker', ['Payroll Employee']],
		['employee cost centre', ['Payroll Employee']],
		['employee cost center', ['Payroll Employee']],
		['people', ['Payroll Employee']],
		['cost centre', ['Payroll Employee']],
		['cost center', ['Payroll Employee']],
		['kostenplaats', ['Payroll Employee']],
		['uren', ['Payroll Hour Codes']],
	])('finds by %s: %j', (word, names) => {
		expect(found(word).sort()).toEqual(names);
	});

	it('lists Payroll Hour Codes first for hours', () => {
		expect(found('hours')[0]).toBe('Payroll Hour Codes');
	});
});

describe("n8n's AI builder", () => {
	it('has a hint for each node, and related nodes that exist', () => {
		const own = payroll.host.descriptions.map(({ name }) => `n8n-nodes-payroll.${name}`);
		const others = ['filter', 'scheduleTrigger', 'set'].map((name) => `n8n-nodes-base.${name}`);
		for (const { name, builderHint } of payroll.host.descriptions) {
			expect(builderHint?.searchHint).toMatch(/^One input item is one /);
			const related = builderHint?.relatedNodes?.map(({ nodeType }) => nodeType) ?? [];
			expect(related).not.toContain(`n8n-nodes-payroll.${name}`);
			expect(related.filter((type) => ![...own, ...others].includes(type))).toEqual([]);
			expect(related.length).toBeGreaterThan(0);
		}
	});
});
