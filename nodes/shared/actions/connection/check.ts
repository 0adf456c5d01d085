import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../../contract/fields';
import { tokenPath } from '../../contract/identity';
import { addressGetListCurrent, hourCodesGet } from '../../contract/operations';
import { at, collectAll } from '../../errors/InputError';
import { ServiceError } from '../../errors/ServiceError';
import { isEmpty } from '../../errors/words';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { optionsProperty } from '../../form/options';
import { itemSchema } from '../../form/outputSchema';
import { requestProperties } from '../../form/requestForm';
import { identifierInItem, readPathValues, readScalarParameter } from '../../form/requestValues';
import type { ActionTexts, ReadAction } from '../../run/action';
import { serviceErrorData } from '../../run/errors';
import { redactorOf } from '../../run/targets';
import { askAll, type Answer, type CheckRequest } from './questions';

/** What to try the services with. Both may be empty. */
const tried = {
	companyId: {
		...hourCodesGet.pathParameters.companyId,
		description:
			'Company to read one hour code of, to try the REST API. If empty, the REST API is not tried.',
	},
	EmployeeId: {
		...addressGetListCurrent.request.fields.EmployeeId,
		isKey: false,
		description:
			'Employee to read the addresses of, to try the SOAP service. If empty, the check asks for employee 0; a fault may then be about that employee.',
	},
} as const;

const answer: Field = {
	kind: 'record',
	type: '',
	fields: { ok: { kind: 'boolean' }, message: { kind: 'string' } },
};

/** The item if a company and an employee are given and all is well. */
const checkSchema = itemSchema({
	CompanyId: { kind: 'int' },
	EmployeeId: { kind: 'int' },
	ok: { kind: 'boolean' },
	...{ token: answer, soapApi: answer, restApi: answer, descriptions: answer },
	tokenEndpoint: answer,
});

function readRequest(item: InputItem): CheckRequest {
	const isGiven = (parameter: string) => !isEmpty(item.read(parameter, ''));
	const readEmployee = () => Number(readScalarParameter(item, 'EmployeeId', tried.EmployeeId));
	const [company, employeeId] = collectAll(
		() => (isGiven('companyId') ? readPathValues(item, hourCodesGet) : undefined),
		() => (isGiven('employeeId') ? at('EmployeeId', readEmployee) : undefined),
	);
	return { company, employeeId };
}

/** Checks the connection, and returns the output item, with secrets masked. */
async function checkConnection(access: ServiceAccess, request: CheckRequest): Promise<IDataObject> {
	const { descriptions, ...answers } = await askAll(access, request);
	const redactor = redactorOf(access);
	const shown = ({ ok, reason }: Answer): IDataObject => ({
		ok,
		...(reason instanceof ServiceError ? serviceErrorData(reason, redactor) : { message: reason }),
	});
	const oks = Object.values(answers).map(({ ok }) => ok);
	const isFailed = [...oks, descriptions.ok].includes(false);
	return {
		ok: isFailed ? false : oks.every(Boolean) || null,
		...Object.fromEntries(
			Object.entries({ ...answers, descriptions }).map(([name, one]) => [name, shown(one)]),
		),
	};
}

/** Creates the action that checks the connection: one item, with the answers to five questions. */
export function checkAction(texts: ActionTexts): ReadAction {
	return {
		...texts,
		kind: 'read',
		effect: 'read',
		takesDomain: false,
		operation: `GET ${tokenPath}`,
		request: { ...tried, CompanyId: tried.companyId },
		properties: [
			...requestProperties(tried).map((property) => ({ ...property, required: false })),
			optionsProperty('read'),
		],
		methods: {},
		switchNote: undefined,
		keysInItems: (_, keys) => keys,
		outputSchema: () => checkSchema,
		prepare([item]) {
			const request = readRequest(item);
			const { company, employeeId } = request;
			return {
				subject: JSON.stringify(['connection', request]),
				keys: {
					...(company?.companyId && { CompanyId: identifierInItem(company.companyId) }),
					...(employeeId === undefined ? {} : { EmployeeId: employeeId }),
				},
				effect: 'read',
				async read(access) {
					return { records: [await checkConnection(access, request)], notices: [] };
				},
			};
		},
	};
}
