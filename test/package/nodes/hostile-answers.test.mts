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
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { connectedTo } from '../../support/credential.mts';
import { replying } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { faultAnswer, soapAnswer, soapList, XML } from '../soap.mts';

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
	const addresses = soapList('Address_GetListCurrent', row('EmployeeAddress', ''));
	const nodes = {
		'cost centers': ['employee', getCostCenters, costCenters],
		'simplified cost centers': ['employee', { ...getCostCenters, simplify: true }, costCenters],
		addresses: ['employee', getAddresses, addresses],
		'simplified addresses': ['employee', { ...getAddresses, simplify: true }, addresses],
		'a call by name': ['employee', callByName('X'), soapAnswer('X', row('XResult', ''))],
		'a write': [
			'company',
			updateCompany,
			soapAnswer('Address_Update', XML_HIDDEN, 'CompanyService'),
		],
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

describe('a text where records are expected', () => {
	const NO_RIGHTS = 'You have no rights';
	const row = '<EmployeeCostCenter><Id>1</Id></EmployeeCostCenter>';
	const said = 'The answer has the text "You have no rights" in CostCenter_GetResult';

	it('beside others is no list', async () => {
		server.play(replying(200, XML, soapList('CostCenter_Get', `${row} ${NO_RIGHTS}\n`)));
		const { error, items } = await payroll.run([{ id: 1 }], credential.employee(getCostCenters));
		expect(error?.description).toContain(said);
		expect(items('Payroll')).toEqual([]);
	});

	it('never has Keep Other Cost Centers write the given ones alone', async () => {
		server.play(replying(200, XML, soapList('CostCenter_Get', NO_RIGHTS)));
		const node = credential.employee({ ...updateCostCenters, keepOthers: true });
		const { error } = await payroll.run([{ id: 1 }], node);
		expect(error?.description).toContain(said);
		expect(error?.description).toContain('The change was not applied.');
		expect(server.received).toHaveLength(1);
	});
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
