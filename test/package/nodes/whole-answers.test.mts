/** Nothing that the service sent is dropped: elements, attributes and texts that nobody described. */
import type { IDataObject } from 'n8n-workflow';
import {
	callFromList,
	createAddress,
	getCostCenters,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { replying, type Script } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { element, sequenceType, serviceWsdl } from '../../support/wsdl.mts';
import { soapAnswer, XML } from '../soap.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const credential = useCredential(payroll, sandbox, () => ({ soapUrl: server.url }));

const listType = sequenceType(
	'ArrayOfRow',
	element('Row', 'tns:Row', 'minOccurs="0" maxOccurs="unbounded"'),
);

/** The response of each operation has another type. */
const wsdl = serviceWsdl(
	{
		Text: ['', element('R', 's:string')],
		Record: ['', element('R', 'tns:Row')],
		List: ['', element('R', 'tns:ArrayOfRow')],
		Any: ['', '<s:element name="R" minOccurs="0"/>'],
		Nothing: [''],
	},
	sequenceType('Row', element('Id', 's:int')) + listType,
	'http://payroll.example/soap/v3/EmployeeService',
);

/** Serves the description, and answers every call like that. */
function answering(text: string): Script {
	return (response, index, request) => {
		const body = request.path.endsWith('?WSDL') ? wsdl : text;
		return replying(200, XML, body)(response, index, request);
	};
}

/** Calls an operation from the list, which is answered with this in its response element. */
async function call(name: string, content: string) {
	server.play(answering(soapAnswer(name, content)));
	const { error, json } = await payroll.run([{}], credential.employee(callFromList(name)));
	return { error, items: json('Payroll') };
}

const LATE = '<Warning>late</Warning>';

describe('an element that is not described, beside the result of an operation,', () => {
	it.each<[string, string, string, IDataObject[]]>([
		['a text', 'Text', '<R>x</R>', [{ Result: 'x', Warning: 'late' }]],
		['no text', 'Text', '', [{ Result: null, Warning: 'late' }]],
		['a record', 'Record', '<R><Id>1</Id></R>', [{ Id: 1, Warning: 'late' }]],
		[
			'each row of a list',
			'List',
			'<R><Row><Id>1</Id></Row><Row><Id>2</Id></Row></R>',
			[
				{ Id: 1, Warning: 'late' },
				{ Id: 2, Warning: 'late' },
			],
		],
		['a list without rows, as an item', 'List', '<R/>', [{ Warning: 'late' }]],
		['nothing', 'Nothing', '', [{ success: true, Warning: 'late' }]],
		['a value of any type', 'Any', '<R>x</R>', [{ Result: 'x', Warning: 'late' }]],
	])('is in the items: %s', async (_, name, result, items) => {
		expect(await call(name, result + LATE)).toEqual({ error: undefined, items });
		expect(await call(name, LATE + result)).toEqual({ error: undefined, items });
	});

	it('has another name, if the result has that', async () => {
		const record = '<R><Id>1</Id><Warning>own</Warning></R>';
		const items = [{ Id: 1, Warning: 'own', 'RecordResponse.Warning': 'late' }];
		expect(await call('Record', record + LATE)).toEqual({ error: undefined, items });
		// Nobody takes it for a value that a row may have.
		const rows = [{ 'ListResponse.Id': 'x' }, { Id: 2, 'ListResponse.Id': 'x' }];
		const list = '<R><Row/><Row><Id>2</Id></Row></R><Id>x</Id>';
		expect(await call('List', list)).toEqual({ error: undefined, items: rows });
	});
});

it('texts, attributes and types in a value of any type are in the items', async () => {
	const xsi = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"';
	const content = `<R ${xsi} xmlns:a="urn:a" a:id="1" id="2">Owed <b i:type="Days">12</b></R>`;
	const { items } = await call('Any', content);
	const type = '{http://payroll.example/soap/v3/EmployeeService}Days';
	const b = { '@xsi:type': type, '#text': '12' };
	expect(items).toEqual([{ Result: { '@{urn:a}id': '1', '@id': '2', b, '#text': 'Owed ' } }]);
});

it('attributes of a record that are not described are in its item', async () => {
	const { items } = await call('Record', '<R Version="3"><Id>1</Id></R>');
	expect(items).toEqual([{ '@Version': '3', Id: 1 }]);
});

it('a text in place of a record or a list is an error that has it', async () => {
	for (const name of ['Record', 'List']) {
		const { error, items } = await call(name, '<R>You have no rights</R>');
		expect(error?.description).toContain('The answer has the text "You have no rights" in R.');
		expect(items).toEqual([]);
	}
});

describe('an element beside the list of an operation with a form', () => {
	const row = '<EmployeeCostCenter><Id>1</Id></EmployeeCostCenter>';
	const answer = (rows: string) =>
		soapAnswer('CostCenter_Get', `<CostCenter_GetResult>${rows}</CostCenter_GetResult>${LATE}`);
	const read = async () => await payroll.run([{ id: 5 }], credential.employee(getCostCenters));

	it('is in each item', async () => {
		server.play(answering(answer(row)));
		const { error, json } = await read();
		expect(error).toBeUndefined();
		expect(json('Payroll')).toEqual([
			{ EmployeeId: 5, Period: 6, Year: 2026, Id: 1, Warning: 'late' },
		]);
	});

	it('is no record: without rows it is an error, and nothing is written', async () => {
		const update = credential.employee({ ...updateCostCenters, keepOthers: true });
		for (const run of [read, async () => await payroll.run([{ id: 5 }], update)]) {
			server.play(answering(answer('')));
			const { error, items } = await run();
			expect(error?.description).toContain(
				'Expected rows in CostCenter_GetResult, got Warning "late"',
			);
			expect(items('Payroll')).toEqual([]);
			expect(server.received).toHaveLength(1);
		}
	});

	it('is also in the item of a write, and a column with Simplify', async () => {
		const inserted = `<Address_InsertResult>9</Address_InsertResult>${LATE}`;
		server.play(answering(soapAnswer('Address_Insert', inserted)));
		const written = await payroll.run([{ id: 5 }], credential.employee(createAddress));
		expect(written.json('Payroll')).toEqual([expect.objectContaining({ Id: 9, Warning: 'late' })]);
		server.play(answering(answer('<EmployeeCostCenter Version="3"/>')));
		const simple = { ...getCostCenters, simplify: true };
		const { json } = await payroll.run([{ id: 5 }], credential.employee(simple));
		expect(json('Payroll')).toEqual([
			expect.objectContaining({ '@version': '3', warning: 'late' }),
		]);
	});
});
