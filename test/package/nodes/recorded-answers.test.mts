/**
 * Answers with the shapes that public payroll services send, read through a description as ASP.NET
 * writes it. The documents are written by hand, and so is what must come of them.
 */
import type { IDataObject } from 'n8n-workflow';
import { writeWsdl } from '../../../dev/wsdl.mts';
import { credentialData } from '../../../dev/package/payroll.mts';
import { Connected, usePackage, useScriptedServer } from '../../support/setUp.mts';
import { soapAnswer, XML } from '../soap.mts';

const payroll = usePackage();
const server = useScriptedServer();

const NAMESPACE = 'http://payroll.example/soap/v3';

const element = (name: string, type: string, min = 0): string =>
	`<s:element minOccurs="${min}" maxOccurs="1" name="${name}" type="${type}"/>`;
const int = (name: string): string => element(name, 's:int', 1);
const text = (name: string): string => element(name, 's:string');
/** A date that is always there, and may be nil. */
const date = (name: string): string =>
	`<s:element minOccurs="1" maxOccurs="1" name="${name}" nillable="true" type="s:dateTime"/>`;
const record = (name: string, content: string): string =>
	`<s:complexType name="${name}"><s:sequence>${content}</s:sequence></s:complexType>`;
const listOf = (name: string): string =>
	record(
		`ArrayOf${name}`,
		`<s:element minOccurs="0" maxOccurs="unbounded" name="${name}" nillable="true" type="tns:${name}"/>`,
	);
const global = (name: string, content: string): string =>
	`<s:element name="${name}">${record('', content).replace(' name=""', '')}</s:element>`;
const operation = (name: string, request: string, row: string): string =>
	global(name, request) +
	global(`${name}Response`, element(`${name}Result`, `tns:ArrayOf${row}`)) +
	listOf(row);

const types = [
	operation('List_GetAll', '', 'Company'),
	record('Company', int('ID') + text('Name') + text('Email') + element('Period', 'tns:Period', 1)),
	'<s:simpleType name="Period"><s:restriction base="s:string">' +
		'<s:enumeration value="Month"/><s:enumeration value="Week4"/></s:restriction></s:simpleType>',
	operation('Absence_GetList', int('EmployeeId'), 'Absence'),
	record(
		'Absence',
		int('AbsenceId') +
			text('Comment') +
			element('Start', 's:dateTime', 1) +
			date('End') +
			date('RegistrationEndDate') +
			text('Dossier'),
	),
	operation('Absence_GetAll', int('CompanyId'), 'EmployeeAbsence'),
	'<s:complexType name="EmployeeAbsence"><s:complexContent><s:extension base="tns:Absence">' +
		`<s:sequence>${int('EmployeeId')}</s:sequence></s:extension></s:complexContent></s:complexType>`,
	operation('Employment_GetAll', int('CompanyID'), 'EmploymentItem'),
	record('EmploymentItem', int('EmployeeId') + element('Employments', 'tns:ArrayOfEmployment')),
	listOf('Employment') + record('Employment', int('EmploymentId') + date('StartDate')),
	global('AuthHeaderWithDomain', text('Domain')),
];
const names = ['List_GetAll', 'Absence_GetList', 'Absence_GetAll', 'Employment_GetAll'];
const target = `${NAMESPACE}/EmployeeService`;
const description = writeWsdl({
	service: 'EmployeeService',
	target,
	address: 'http://payroll.example/soap/v3/EmployeeService.asmx',
	schemas: [
		`<s:schema elementFormDefault="qualified" targetNamespace="${target}">${types.join('')}</s:schema>`,
	],
	operations: names.map((name) => ({ name })),
});

/** Returns the items of a call whose response element has this content. */
async function itemsOf(name: string, item: IDataObject, content: string): Promise<IDataObject[]> {
	const answer = soapAnswer(name, content);
	server.play((response, _index, { method }) => {
		response.writeHead(200, { 'Content-Type': XML });
		response.end(method === 'GET' ? description : answer);
	});
	const data = {
		...credentialData({
			...{ url: server.url, namespace: NAMESPACE, clientId: 'client', clientSecret: 'app-secret' },
			...{ subscriptionKey: 'subscription', domain: 'domain', scopes: [] },
		} as never),
		oauthTokenData: { access_token: 'token', token_type: 'Bearer', refresh_token: 'refresh' },
	};
	const credential = new Connected(payroll, await payroll.store(data as never));
	const node = credential.employee({
		...{ resource: 'custom', operation: 'call' },
		operationName: { __rl: true, mode: 'list', value: name },
		operationParameters: { mappingMode: 'autoMapInputData', value: null },
	});
	const result = await payroll.run([item], node);
	expect(result.error).toBeUndefined();
	return result.json('Payroll');
}

const NIL = 'xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

it('a list of one company is a list, and texts that are left out are no values', async () => {
	const row = '<Company><ID>54</ID><Name>Bakery</Name><Period>Month</Period></Company>';
	const content = `<List_GetAllResult>${row}</List_GetAllResult>`;
	expect(await itemsOf('List_GetAll', {}, content)).toEqual([
		{ ID: 54, Name: 'Bakery', Period: 'Month' },
	]);
});

it.each(['<List_GetAllResult />', '<List_GetAllResult></List_GetAllResult>', ''])(
	'no company is no item: %s',
	async (content) => expect(await itemsOf('List_GetAll', {}, content)).toEqual([]),
);

const open =
	'<AbsenceId>7</AbsenceId><Comment /><Start>2026-08-11T00:00:00</Start>' +
	`<End ${NIL} /><RegistrationEndDate ${NIL}></RegistrationEndDate><Dossier>Ziekte</Dossier>`;
const openAbsence = {
	...{ AbsenceId: 7, Comment: '', Start: '2026-08-11T00:00:00' },
	...{ End: null, RegistrationEndDate: null, Dossier: 'Ziekte' },
};

it('a date that is nil is null, and one that is empty otherwise stays as it is', async () => {
	const ended =
		'<AbsenceId>8</AbsenceId><Start>0001-01-01T00:00:00</Start>' +
		`<End>2026-01-09T00:00:00</End><RegistrationEndDate ${NIL} />`;
	const rows = `<Absence>${open}</Absence>\n<Absence>${ended}</Absence>`;
	const content = `<Absence_GetListResult>${rows}</Absence_GetListResult>`;
	expect(await itemsOf('Absence_GetList', { EmployeeId: 501 }, content)).toEqual([
		{ EmployeeId: 501, ...openAbsence },
		{
			...{ EmployeeId: 501, AbsenceId: 8, Start: '0001-01-01T00:00:00' },
			...{ End: '2026-01-09T00:00:00', RegistrationEndDate: null },
		},
	]);
});

it('a record that extends another has the fields of both, and its own employee', async () => {
	const row = `<EmployeeAbsence>${open}<EmployeeId>502</EmployeeId></EmployeeAbsence>`;
	const content = `<Absence_GetAllResult>${row}</Absence_GetAllResult>`;
	const item = { CompanyId: 54, EmployeeId: 999 };
	expect(await itemsOf('Absence_GetAll', item, content)).toEqual([
		{ CompanyId: 54, ...openAbsence, EmployeeId: 502 },
	]);
});

it('a list in each row is a list, with one record, none, or left out', async () => {
	const employment = `<Employment><EmploymentId>1</EmploymentId><StartDate ${NIL} /></Employment>`;
	const lists = [`<Employments>${employment}</Employments>`, '<Employments />', ''];
	const rows = lists.map(
		(list, i) => `<EmploymentItem><EmployeeId>${i}</EmployeeId>${list}</EmploymentItem>`,
	);
	const content = `<Employment_GetAllResult>${rows.join('')}</Employment_GetAllResult>`;
	expect(await itemsOf('Employment_GetAll', { companyId: 54 }, content)).toEqual([
		{ CompanyId: 54, EmployeeId: 0, Employments: [{ EmploymentId: 1, StartDate: null }] },
		{ CompanyId: 54, EmployeeId: 1, Employments: [] },
		{ CompanyId: 54, EmployeeId: 2 },
	]);
});
