/** Asks whether a connection works: one item, with the answers to five questions. */
import type { IDataObject } from 'n8n-workflow';
import { type Fields, type RecordField, rowElement } from '../../contract/fields';
import {
	addressGetListCurrent,
	hourCodesGet,
	identityServer,
	services,
	soapOperations,
} from '../../contract/operations';
import type { Operation } from '../../contract/operation';
import { at, collectAll } from '../../values/InputError';
import { ServiceError, serviceError } from '../../errors/ServiceError';
import { joinNames } from '../../errors/words';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { optionsProperty } from '../../form/options';
import { itemSchema } from '../../form/output';
import { requestProperties } from '../../form/requestForm';
import { readScalarParameter } from '../../form/requestValues';
import { asksToRetry } from '../../http/failures';
import { exchangeUnsigned } from '../../http/send';
import { FIRST_PAGE, readList } from '../../rest/list';
import type { ReadAction } from '../../run/action';
import { describeError } from '../../messages/describe';
import { redactorOf, serviceErrorData } from '../../run/redact';
import { callForRecords } from '../../soap/records';
import { fetchWsdl } from '../../soap/wsdl/fetch';
import type { Wsdl } from '../../soap/wsdl/Wsdl';
import { checkSentName } from '../../values/scalars';
import { isEmpty, ownEntry } from '../../values/values';
import { hourCodes } from '../builtIn/rest';

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
			'Another web service that your workflows call. The node reads its description, too.',
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

/** The codes of failures of a call that are about the tokens; so is any with HTTP 401. */
const ABOUT_TOKENS = /^(?:CREDENTIAL|IDENTITY|RENEWAL|TOKEN)_/;

/** The codes of errors that leave a question open. */
const OPEN: readonly string[] = ['DESCRIPTION_UNREADABLE', 'UNDECIDED'];

function failureOf(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

async function errorOf(call: Promise<unknown>): Promise<ServiceError | undefined> {
	return await call.then(() => undefined, failureOf);
}

/** Lists elements, such as `Address.Street (string)`, as deep as the known ones: described records may hold themselves. */
function listElements(fields: Fields, known: Fields, path = ''): string[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		const [of, knownOf] = [field, ownEntry(known, name)].map((own) =>
			own?.kind === 'list' ? own.of : own,
		);
		// A description cannot state that a text is a country.
		const named = field.kind === 'country' ? 'string' : field.kind;
		const kind = field.kind === 'list' ? `list of ${rowElement(field)}` : named;
		const values = of?.kind === 'enumeration' ? `: ${joinNames(of.values, 'or')}` : '';
		const namespace = field.namespace === undefined ? '' : ` of "${field.namespace}"`;
		const isRecord = of?.kind === 'record' && knownOf?.kind === 'record';
		return [
			`${path}${name} (${kind}${values}${namespace})`,
			...(isRecord ? listElements(of.fields, knownOf.fields, `${path}${name}.`) : []),
		];
	});
}

/**
 * Says how the service's description differs from an operation of the contract: in names, kinds and order of
 * elements. Which are required is no part of the contract.
 */
export function drift(wsdl: Wsdl, { name, request, response }: Operation): string[] {
	let described: Operation;
	try {
		described = wsdl.operation(name);
	} catch (error) {
		return describeError(failureOf(error)).slice(0, 1);
	}
	const parts = [
		[name, described.request.fields, request.fields],
		[`The answer of ${name}`, described.response.fields, response.fields],
	] as const;
	return parts.flatMap(([title, fields, contract]) => {
		const found = listElements(fields, contract);
		const expected = listElements(contract, contract);
		const added = found.filter((element) => !expected.includes(element));
		const missing = expected.filter((element) => !found.includes(element));
		const differences = [
			...(added.length > 0 ? [`also has ${joinNames(added)}`] : []),
			...(missing.length > 0 ? [`has no ${joinNames(missing, 'or')}`] : []),
		];
		if (differences.length > 0) return [`${title} ${differences.join(' and ')}`];
		return found.join() === expected.join() ? [] : [`${title} has its elements in another order`];
	});
}

function readTried(item: InputItem) {
	const isGiven = (parameter: string) => !isEmpty(item.read(parameter, ''));
	const readService = () => checkSentName(item.read('service'), 'a service, such as DebtorService');
	const readEmployee = () => Number(readScalarParameter(item, 'EmployeeId', tried.EmployeeId));
	const [company, employeeId, service] = collectAll(
		() => (isGiven('companyId') ? hourCodes.read(item) : undefined),
		() => (isGiven('employeeId') ? at('EmployeeId', readEmployee) : undefined),
		() => (isGiven('service') ? at('service', readService) : undefined),
	);
	return { company, employeeId, service };
}

/**
 * Asks each question about a connection (docs/dev/interface.md, sections 4.1, 4.2 and 4.3). It always
 * exchanges the refresh token, which proves that the tokens can be renewed.
 *
 * @throws {CancelledError} if the user cancelled the run
 */
async function askAll(
	access: ServiceAccess,
	{ company, employeeId, service }: ReturnType<typeof readTried>,
): Promise<IDataObject> {
	const { exchange, connection, session, host, limits } = access;
	const renewal = await errorOf(session.renew(access, connection.accessToken, false));
	// 0 is the default of a number in .NET, so probably nobody's Id: a fault may be about that.
	const employee = { EmployeeId: employeeId ?? 0 };
	let soapApi = await errorOf(
		callForRecords(exchange, connection, addressGetListCurrent, employee),
	);
	if (soapApi?.code.startsWith('FAULT_') && employeeId === undefined) {
		const { httpStatus, serviceCode, details } = soapApi.facts;
		const [fault] = describeError(soapApi);
		soapApi = serviceError('UNDECIDED/fault', { fault, httpStatus, serviceCode, details });
	}
	// The smallest request that the REST API supports.
	const oneRecord = { limit: 1, pageSize: 1, firstPage: FIRST_PAGE };
	const restApi =
		company === undefined
			? serviceError('UNDECIDED/noCompany')
			: await errorOf(readList(exchange, connection, company, oneRecord));
	let descriptions: ServiceError | undefined = serviceError('UNDECIDED/soapFailed');
	if (soapApi === undefined || soapApi.code === 'UNDECIDED') {
		const described = [...new Set([...services, ...(service ? [service] : [])])];
		const read = async (name: string) => await fetchWsdl(access, name, true).catch(failureOf);
		const found = await Promise.all(described.map(read));
		const differences = found.flatMap((wsdl, i) => {
			if (wsdl instanceof ServiceError) return [];
			const known = soapOperations.filter((operation) => operation.service === described[i]);
			return known.flatMap((operation) => drift(wsdl, operation));
		});
		descriptions =
			differences.length > 0
				? serviceError('DESCRIPTIONS_DIFFER', { differences: differences.join('. ') })
				: found.find((error) => error instanceof ServiceError);
	}
	const askTokenEndpoint = async () => {
		if (renewal?.code === 'IDENTITY_SERVER_BUSY') throw serviceError('UNDECIDED/busy');
		// Asked without any secret, which it refuses. n8n's OAuth client would follow a redirect, with the refresh
		// token (`host/requests`).
		const url = `${connection.identityUrl}${identityServer.token}`;
		const address = 'Identity Address';
		const request = { method: 'GET', url, address, headers: {}, effect: 'read' } as const;
		const response = await exchangeUnsigned(host, request, limits);
		if (asksToRetry(response)) throw serviceError('UNDECIDED/busy');
		const { status: httpStatus } = response;
		if (httpStatus < 300 || httpStatus >= 400) return;
		throw serviceError('REDIRECTED/tokenEndpoint', { httpStatus });
	};
	const tokenEndpoint = await errorOf(askTokenEndpoint());
	const isOfToken = (error?: ServiceError) =>
		error && (ABOUT_TOKENS.test(error.code) || error.facts.httpStatus === 401);
	const token = renewal ?? [soapApi, restApi].find(isOfToken);
	const errors = { token, soapApi, restApi, descriptions, tokenEndpoint };
	const redactor = redactorOf(access);
	const answers = Object.entries(QUESTIONS).map(([name, message]) => {
		const error = errors[name as keyof typeof QUESTIONS];
		if (error === undefined) return [name, { ok: true, message }] as const;
		const isOpen = OPEN.includes(error.code) ? null : false;
		return [name, { ok: isOpen, ...serviceErrorData(error, redactor) }] as const;
	});
	const oks = answers.map(([, { ok }]) => ok);
	const ok = oks.includes(false) ? false : oks.every(Boolean) || null;
	return { ok, ...Object.fromEntries(answers) };
}

/** Checks the connection: one item, with the answers to the questions. */
export const checkAction: ReadAction = {
	name: 'Check',
	action: 'Check connection',
	description:
		'Check which parts of the connection work; run once a week, it also keeps the connection alive',
	kind: 'read',
	effect: 'read',
	takesDomain: false,
	operation: `GET ${identityServer.token}`,
	request: { ...tried, CompanyId: tried.companyId },
	properties: [
		...requestProperties(tried).map((property) => ({ ...property, required: false })),
		optionsProperty(),
	],
	outputSchema() {
		const ok = { kind: 'boolean' } as const;
		const fields: Fields = { ok, message: { kind: 'string' } };
		const answer: RecordField = { kind: 'record', type: '', fields };
		const answers = Object.fromEntries(Object.keys(QUESTIONS).map((name) => [name, answer]));
		return itemSchema({ CompanyId: { kind: 'int' }, EmployeeId: { kind: 'int' }, ok, ...answers });
	},
	prepare([item]) {
		const given = readTried(item);
		const { company, employeeId } = given;
		const employee = employeeId === undefined ? {} : { EmployeeId: employeeId };
		return {
			subject: JSON.stringify(['connection', given]),
			keys: { ...company?.keys, ...employee },
			effect: 'read',
			async read(access) {
				return { records: [await askAll(access, given)], notices: [] };
			},
		};
	},
};
