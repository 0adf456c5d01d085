/* A list that is read before it is written; test/package/nodes/keep-others.test.mts has it on n8n's engine. */
import type { IDataObject } from 'n8n-workflow';
import {
	addressInsert,
	costCenterGet,
	costCenterUpdate,
} from '../../../nodes/shared/contract/operations.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { rewrite } from '../../../nodes/shared/actions/rewrite.ts';
import { answering, connectionTo, type Canned } from '../../support/exchange.mts';

const NS = 'http://payroll.example/soap/v3/EmployeeService';
const envelope = (body: string) =>
	`<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${body}</e:Body></e:Envelope>`;
const answer = (rows: string): Canned => ({
	type: 'text/xml; charset=utf-8',
	body: envelope(
		`<CostCenter_GetResponse xmlns="${NS}"><CostCenter_GetResult>${rows}</CostCenter_GetResult></CostCenter_GetResponse>`,
	),
});

const rowsOfTwo =
	'<EmployeeCostCenter><Id>1</Id><Percentage>60</Percentage><Color>red</Color></EmployeeCostCenter>' +
	'<EmployeeCostCenter><Id>2</Id><Percentage>40</Percentage></EmployeeCostCenter>';
const first = { Id: 1, Percentage: 60 };
const second = { Id: 2, Percentage: 40 };

/** Lays these rows over those of the service; gives the plan and what was asked for. */
async function plan(given: IDataObject[], canned = answer(rowsOfTwo)) {
	const { exchange, requests } = answering(() => canned);
	const request = { EmployeeId: 1001, CostCenteren: given, Period: 6, Year: 2026 };
	const connection = connectionTo('http://localhost');
	const { rewrites } = costCenterUpdate;
	return {
		plan: await rewrite(exchange, connection, costCenterUpdate, rewrites, request),
		requests,
	};
}

it('reads the list with the keys of the request, and nothing else', async () => {
	const { requests } = await plan([{ Id: 1, Percentage: 50 }]);
	expect(requests).toHaveLength(1);
	expect(requests[0]).toMatchObject({ effect: costCenterGet.effect });
	expect(String(requests[0]?.body)).toContain(
		`<CostCenter_Get xmlns="${NS}"><EmployeeId>1001</EmployeeId><Period>6</Period><Year>2026</Year></CostCenter_Get>`,
	);
});

it('writes the whole list, and says what was changed, added and kept', async () => {
	const added = { CostCenter: { Code: '4500' } };
	const after = { ...first, Percentage: 50 };
	const changes = { changed: [{ before: first, after }], added: [added], kept: [second] };
	expect((await plan([{ Id: 1, Percentage: 50 }, added])).plan).toEqual({
		request: { EmployeeId: 1001, CostCenteren: [after, second, added], Period: 6, Year: 2026 },
		doneFields: { written: true, ...changes },
		previewFields: changes,
		unknown: ['Color'],
	});
});

it('writes where a row is only changed', async () => {
	const { plan: planned } = await plan([{ Id: 1, Percentage: 50 }]);
	expect(planned.existing).toBeUndefined();
	expect(planned.doneFields).toMatchObject({ written: true, added: [] });
});

it('writes where a row is only added', async () => {
	const { plan: planned } = await plan([{ CostCenter: { Code: '4500' } }]);
	expect(planned.existing).toBeUndefined();
	expect(planned.doneFields).toMatchObject({ written: true, changed: [] });
});

it('writes nothing where nothing would change', async () => {
	const changes = { changed: [], added: [], kept: [first, second] };
	expect((await plan([{ Id: 1, Percentage: '60.0' }])).plan).toEqual({
		request: { EmployeeId: 1001, CostCenteren: [first, second], Period: 6, Year: 2026 },
		existing: { success: true, written: false, ...changes },
		previewFields: changes,
	});
});

it('names the place of a row that means no current record', async () => {
	const failing = plan([{ Id: 1 }, { Id: 9 }]);
	await expect(failing).rejects.toThrow(InputError);
	await expect(failing).rejects.toThrow(
		'CostCenteren[1].Id: no current record has 9. The current ones are 1 and 2.',
	);
});

it('a list that cannot be read is an error of a write that was not begun', async () => {
	const fault = envelope(
		'<e:Fault><faultcode>e:Server</faultcode><faultstring>1004: No.</faultstring></e:Fault>',
	);
	const canned = { status: 500, type: 'text/xml; charset=utf-8', body: fault };
	const error: unknown = await plan([{ Id: 1 }], canned).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(ServiceError);
	expect(error).toMatchObject({
		outcome: 'notApplied',
		httpStatus: 500,
		serviceCode: '1004',
		description: expect.stringMatching(/^The current records could not be read\. \S/),
	});
});

it('any other failure of the reading stays what it is', async () => {
	const failure = new TypeError('thrown');
	const exchange = () => Promise.reject(failure);
	const connection = connectionTo('http://localhost');
	const request = { EmployeeId: 1001, CostCenteren: [] };
	const { rewrites } = costCenterUpdate;
	await expect(rewrite(exchange, connection, costCenterUpdate, rewrites, request)).rejects.toBe(
		failure,
	);
});

it('an operation without that list cannot be written so', async () => {
	const { exchange, requests } = answering(() => answer(''));
	const connection = connectionTo('http://localhost');
	const { rewrites } = costCenterUpdate;
	for (const [operation, list] of [
		[addressInsert, 'CostCenteren'],
		[costCenterUpdate, 'Other'],
	] as const) {
		const others = { ...rewrites, list };
		await expect(rewrite(exchange, connection, operation, others, {})).rejects.toThrow(
			`${operation.name} has no list ${list}`,
		);
	}
	expect(requests).toEqual([]);
});
