/**
 * A list of one employee with very many rows: the time grows with their number, not with its square. And a batch of very
 * many items that all fail, during which n8n answers others.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { getCostCenters, updateCostCenters } from '../../../dev/package/calls.mts';
import { allowBlock } from '../../support/eventLoop.mts';
import { atNight } from '../../support/runs.mts';
import { replying, type Script } from '../../support/scripted.mts';
import { useConnected, usePackage, useScriptedServer } from '../../support/setUp.mts';
import { faultAnswer, soapAnswer, soapList, XML } from '../../support/soap.mts';

const payroll = usePackage();
const service = useScriptedServer();
const credential = useConnected(payroll, service);

const COUNT = 20_000;

const indexes = Array.from({ length: COUNT }, (_, i) => i);

const current = indexes
	.map(
		(i) => `<Id>${i + 1}</Id><CostCenter><Code>C${i}</Code></CostCenter><Percentage>0</Percentage>`,
	)
	.map((fields) => `<EmployeeCostCenter>${fields}</EmployeeCostCenter>`)
	.join('');

/** A service that has these rows. If it has others after a write, it loses the answer to the write. */
const having =
	(rows: string, afterwards?: string): Script =>
	(response, _, { body }) => {
		if (!body.includes('<CostCenter_Update ')) {
			const isWritten = service.received.some((one) => one.body.includes('<CostCenter_Update '));
			const found = isWritten ? (afterwards ?? rows) : rows;
			response.writeHead(200, { 'Content-Type': XML }).end(soapList('CostCenter_Get', found));
		} else if (afterwards !== undefined) response.destroy();
		else response.writeHead(200, { 'Content-Type': XML }).end(soapAnswer('CostCenter_Update', ''));
	};

async function update(input: IDataObject[], parameters: INodeParameters) {
	allowBlock(5, 'the rows of one employee are one document');
	const node = { ...updateCostCenters, keepOthers: true, totalMustBe100: false, ...parameters };
	return await payroll.run(input, credential.employee(node));
}

async function updateWith(rows: IDataObject[], parameters: INodeParameters = {}) {
	const json = { specifyCostCenteren: 'json', costCenterenJson: '={{ $json.rows }}' };
	const { json: items, error } = await update([{ id: 1001, rows }], { ...json, ...parameters });
	expect(error).toBeUndefined();
	return items('Payroll')[0] ?? {};
}

const changesIn = (item?: IDataObject) => String(item?.changes).split(' · ');

atNight(
	'new rows, given as input items, are added in one call',
	async () => {
		service.play(having(''));
		const input = indexes.map((i) => ({
			...{ EmployeeId: 1001, Period: 6, Year: 2026 },
			...{ costCenterCode: `N${i}`, percentage: 1 },
		}));
		const { json, error } = await update(input, { specifyCostCenteren: 'items' });
		expect(error).toBeUndefined();
		expect(json('Payroll')).toHaveLength(1);
		expect(changesIn(json('Payroll')[0])).toHaveLength(COUNT);
	},
	30_000,
);

atNight.each<[string, (i: number) => IDataObject]>([
	['Id', (i) => ({ Id: i + 1, Percentage: 1 })],
	['code', (i) => ({ CostCenter: { Code: `C${i}` }, Percentage: 1 })],
])(
	'current rows are changed by their %s',
	async (_, rowOf) => {
		service.play(having(current));
		expect(changesIn(await updateWith(indexes.map(rowOf)))).toHaveLength(COUNT);
	},
	30_000,
);

atNight(
	'rows are looked for after the answer was lost',
	async () => {
		service.play(having(current, current.replaceAll('<Percentage>0', '<Percentage>1')));
		const rows = indexes.map((i) => ({
			Id: COUNT - i,
			Percentage: 1,
			...(i % 2 && { CostCenter: { Code: `C${COUNT - i - 1}` } }),
		}));
		expect(await updateWith(rows, { keepOthers: false })).toMatchObject({ outcome: 'applied' });
	},
	30_000,
);

atNight.each<[string, INodeParameters, string, number]>([
	['by their values', { ...getCostCenters, employeeId: '=no {{ $json.id }}' }, 'VALUE_INVALID', 0],
	['by faults', getCostCenters, 'FAULT_UNCLEAR', 3_000],
	[
		'by faults, 300 rows each',
		{
			...{ ...updateCostCenters, specifyCostCenteren: 'items' },
			...{ keepOthers: false, totalMustBe100: false },
		},
		'FAULT_UNCLEAR',
		10,
	],
])('3,000 items fail %s, and others are answered meanwhile', async (_, parameters, code, calls) => {
	const trace = '\r\n   at Payroll.Services.Step(Int32 id) in D:\\src\\Payroll.cs:line 3'.repeat(
		60,
	);
	service.play(replying(500, XML, faultAnswer(`System.Exception: Lost${trace}`)));
	const input = Array.from({ length: 3_000 }, (_item, id) => ({
		...{ id, EmployeeId: 1001 + (id % 10), Period: 6, Year: 2026 },
		...{ Percentage: 0.1, 'CostCenter.Code': `C${id}` },
	}));
	const node = credential.employee(parameters, { onError: 'continueRegularOutput' });
	const { json } = await payroll.run(input, node);
	expect(json('Payroll').map(({ error }) => (error as IDataObject).code)).toEqual(
		input.map(() => code),
	);
	expect(service.received).toHaveLength(calls);
});
