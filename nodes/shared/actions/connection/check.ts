import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import { tokenPath } from '../../contract/identity';
import { addressGetListCurrent, hourCodesGet } from '../../contract/operations';
import { at, collectAll } from '../../errors/InputError';
import { isEmpty } from '../../errors/words';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { optionsProperty } from '../../form/options';
import { itemSchema } from '../../form/outputSchema';
import { requestProperties } from '../../form/requestForm';
import { readScalarParameter } from '../../form/requestValues';
import type { ActionTexts, ReadAction } from '../../run/action';
import { serviceErrorData } from '../../run/errors';
import { redactorOf } from '../../run/targets';
import { checkSentName } from '../../values/untyped';
import { readHourCodes } from '../builtIn/rest';
import { askAll, type Findings, type Tried } from './questions';

/** What to try the services with. All may be empty. */
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
	service: {
		kind: 'string',
		description:
			'A further web service whose description to read, in addition to those of the operations with a form',
		example: 'DebtorService',
	},
} as const;

/** The questions, each with its answer if all is well. */
const QUESTIONS = {
	token: 'The tokens were renewed, and no service refuses the access token.',
	soapApi: 'The SOAP service answers.',
	restApi: 'The REST API answers.',
	descriptions: 'The services describe the operations as this package calls them.',
	tokenEndpoint: 'The token endpoint does not redirect.',
};

/** The codes of errors that leave a question open. */
const UNDECIDED: readonly string[] = [
	'DESCRIPTION_UNREADABLE',
	'FAULT_UNDECIDED',
	'NOT_TRIED',
	'TOKEN_ENDPOINT_BUSY',
];

const answerFields: Fields = { ok: { kind: 'boolean' }, message: { kind: 'string' } };
const answer = { kind: 'record', type: '', fields: answerFields } as const;

const checkSchema = itemSchema({
	CompanyId: { kind: 'int' },
	EmployeeId: { kind: 'int' },
	ok: { kind: 'boolean' },
	...Object.fromEntries(Object.keys(QUESTIONS).map((name) => [name, answer])),
});

/** Reads the company as the list of its hour codes, and the others; `undefined` for what is empty. */
function readTried(item: InputItem): Tried {
	const isGiven = (parameter: string) => !isEmpty(item.read(parameter, ''));
	const readService = () => checkSentName(item.read('service'), 'a service, such as DebtorService');
	const readEmployee = () => Number(readScalarParameter(item, 'EmployeeId', tried.EmployeeId));
	const [company, employeeId, service] = collectAll(
		() => (isGiven('companyId') ? readHourCodes(item) : undefined),
		() => (isGiven('employeeId') ? at('EmployeeId', readEmployee) : undefined),
		() => (isGiven('service') ? at('service', readService) : undefined),
	);
	return { company, employeeId, service };
}

/** Returns the output item, with secrets masked. */
function itemOfFindings(findings: Findings, access: ServiceAccess): IDataObject {
	const redactor = redactorOf(access);
	const answers: Record<string, IDataObject> = {};
	for (const [name, message] of Object.entries(QUESTIONS)) {
		const error = findings[name as keyof Findings];
		const open = UNDECIDED.includes(error?.code ?? '') ? null : false;
		answers[name] = error
			? { ok: open, ...serviceErrorData(error, redactor) }
			: { ok: true, message };
	}
	const oks = Object.values(answers).map(({ ok }) => ok);
	return { ok: oks.includes(false) ? false : oks.every(Boolean) || null, ...answers };
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
			optionsProperty(),
		],
		keysInItems: (_, keys) => keys,
		outputSchema: () => checkSchema,
		prepare([item]) {
			const given = readTried(item);
			const { company, employeeId } = given;
			return {
				subject: JSON.stringify(['connection', given]),
				keys: {
					...company?.keys,
					...(employeeId === undefined ? {} : { EmployeeId: employeeId }),
				},
				effect: 'read',
				async read(access) {
					return {
						records: [itemOfFindings(await askAll(access, given), access)],
						notices: [],
					};
				},
			};
		},
	};
}
