/**
 * A service's answer becomes an item or an error, and does nothing else. test/unit/rest/json.test.mts
 * and test/unit/soap/read.test.mts have the names that stand for a prototype.
 */
import { chain, editFields, runWorkflow } from '../../../dev/engine/index.mts';
import { identityServer } from '../../../nodes/shared/contract/operations.ts';
import {
	callByName,
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	updateCostCenters,
	callFromList,
} from '../../../dev/package/calls.mts';
import { connectedTo } from '../../support/credential.mts';
import { replying, type Script } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { faultAnswer, soapAnswer, soapList, XML } from '../../support/soap.mts';
import type { IDataObject } from 'n8n-workflow';
import { element, sequenceType, serviceWsdl } from '../../support/wsdl.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const credential = useCredential(payroll, sandbox, () => ({
	restUrl: server.url,
	soapUrl: server.url,
}));

async function readXml(body: string, status = 200) {
	server.play(replying(status, 'text/xml', body));
	return await payroll.run([{ id: 1 }], credential.employee(getAddresses));
}

async function readJson(body: string, status = 200) {
	server.play(replying(status, 'application/json', body));
	const parameters = { ...getHourCodes, returnAll: false, limit: 1, options: { firstPage: 1 } };
	return await payroll.run([{ id: 1 }], credential.hourCodes(parameters));
}

it('fields named like what every object has are data, also for the next nodes', async () => {
	const names = { constructor: { prototype: { polluted: '1' } }, toString: 'x', valueOf: 'y' };
	const prototype = Reflect.ownKeys(Object.prototype);
	server.play(replying(200, 'application/json', [names]));
	const parameters = { ...getHourCodes, returnAll: false, limit: 1 };
	const node = credential.hourCodes(parameters);
	const after = { ...node, name: 'After', parameters: { ...parameters, companyId: '7' } };
	const result = await runWorkflow(payroll.workflow(chain([{ id: 1 }], node, after)));
	expect(result.error).toBeUndefined();
	expect(result.json('Payroll')).toEqual([{ CompanyId: 1, ...names }]);
	expect(result.json('After')).toEqual([{ CompanyId: 7, ...names }]);
	expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype);
});

describe('an element or a field that is named like the prototype of an object, in any case,', () => {
	const XML_HIDDEN = '<__Proto__><approved>yes</approved></__Proto__>';
	const row = (name: string, content: string) => `<${name}>${content}${XML_HIDDEN}</${name}>`;
	const costCenters = soapList('CostCenter_Get', row('EmployeeCostCenter', '<Id>1</Id>'));
	const nodes = {
		'cost centers': ['employee', getCostCenters, costCenters],
		'a call by name': ['employee', callByName('X'), soapAnswer('X', row('XResult', ''))],
		'hour codes': [
			'hourCodes',
			{ ...getHourCodes, returnAll: false, limit: 1 },
			'[{"Id":1,"__Proto__":{"approved":"yes"},"a":{"__PROTO__":{"approved":"yes"}}}]',
		],
	} as const;

	it.each(Object.keys(nodes) as Array<keyof typeof nodes>)(
		'gives the items of %s no hidden values',
		async (what) => {
			const [type, parameters, answer] = nodes[what];
			server.play(replying(200, answer.startsWith('<') ? XML : 'application/json', answer));
			const node = credential[type](parameters, { onError: 'continueRegularOutput' });
			const after = editFields({ seen: '={{ String($json.approved) }}' }, 'After');
			const { items, json } = await runWorkflow(payroll.workflow(chain([{ id: 1 }], node, after)));
			expect(json('After')).toMatchObject([{ seen: 'undefined' }]);
			expect(items('Payroll').map(({ json: one }) => Object.getPrototypeOf(one))).toEqual([
				Object.prototype,
			]);
		},
	);
});

describe('the text of an error', () => {
	const texts = ({ error }: Awaited<ReturnType<typeof readXml>>) => {
		const { message, description, context } = error as unknown as {
			message: string;
			description: string;
			context: { data: { details: string } };
		};
		return [message, description, context.data.details];
	};

	it('repeats markup as text, without control characters', async () => {
		const markup = '<img src=x onerror=alert(1)> [here](javascript:alert(1)) {{ 1 + 1 }} $&';
		const escaped = markup.replace(/&/g, '&amp;').replace(/</g, '&lt;');
		const shown = markup.replace('<', '‹');
		const fault = faultAnswer(`5: Not \u009b31mred\u202e&#13;&#10;and\u0085there ${escaped}`);
		const result = await readXml(fault, 500);
		expect(result.error?.message).toBe(`5: Not \ufffd31mred\ufffd\nand\ufffdthere ${shown}`);
		const json = await readJson('\u001b]0;title\u0007\u001b[2Jgone\0\b', 400);
		for (const text of [...texts(result), ...texts(json)]) {
			expect(text.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
		}
		expect(texts(json)[2]).toContain('gone');
	});
});

it('tokens, key and client secret are masked in items, also if the service repeats them; the Domain is data', async () => {
	const { oauthTokenData, subscriptionKey, appSecret, domain } = await payroll.credentials.stored(
		credential.id,
	);
	const { access_token, refresh_token } = oauthTokenData as Record<string, string>;
	const said = [access_token, refresh_token, subscriptionKey, appSecret, domain];
	const masked = ['***', '***', '***', '***', domain].join(' ');
	const { items } = await readXml(
		soapList(
			'Address_GetListCurrent',
			`<EmployeeAddress><Street>${said.join(' ')}</Street></EmployeeAddress>`,
		),
	);
	expect(items('Payroll')[0]?.json.Street).toBe(masked);
	const codes = await readJson(JSON.stringify([{ code: said.join(' '), own: 'data' }]));
	expect(codes.items('Payroll')[0]?.json).toMatchObject({ code: masked, own: 'data' });
});

it('a token that is renewed during the run is masked, also if it is opaque', async () => {
	const renewed = 'f47ac10b58cc4372a5670e02b2c3d479';
	const tokens = { access_token: renewed, refresh_token: 'next', token_type: 'Bearer' };
	server.play(async (response, index, request) => {
		const [, token] = request.headers.authorization?.split(' ') ?? [];
		const reply =
			request.path === identityServer.token
				? replying(200, 'application/json', tokens)
				: replying(token === renewed ? 500 : 401, 'text/plain', `Got ${token}`);
		await reply(response, index, request);
	});
	const stored = await payroll.store(connectedTo(server.url));
	const node = payroll.node('payrollEmployee', stored, createAddress);
	const { error, run } = await payroll.run([{ id: 1001 }], node);
	expect(error?.context.data).toMatchObject({ httpStatus: 500, details: 'Got ***' });
	expect(JSON.stringify(run)).not.toContain(renewed);
});

describe('nothing that the service sent is dropped', () => {
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
			expect(written.json('Payroll')).toEqual([
				expect.objectContaining({ Id: 9, Warning: 'late' }),
			]);
			server.play(answering(answer('<EmployeeCostCenter Version="3"/>')));
			const simple = { ...getCostCenters, simplify: true };
			const { json } = await payroll.run([{ id: 5 }], credential.employee(simple));
			expect(json('Payroll')).toEqual([
				expect.objectContaining({ '@version': '3', warning: 'late' }),
			]);
		});
	});
});
