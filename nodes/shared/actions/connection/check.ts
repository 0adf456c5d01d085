import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ScalarField } from '../../contract/fields';
import { discovery, triedCompany, triedEmployee } from '../../contract/identity';
import { hourCodesGet } from '../../contract/operations';
import { at, collectAll } from '../../errors/InputError';
import { isEmpty } from '../../errors/words';
import type { InputItem } from '../../form/inputItem';
import { parameterName } from '../../form/names';
import { optionsProperty, readSwitch } from '../../form/options';
import { requestProperties } from '../../form/requestForm';
import { checkScalar, identifierInItem } from '../../form/requestValues';
import { fillPath } from '../../rest/path';
import type { Action, ActionTexts } from '../../run/action';
import { checkConnection, checkSchema } from './checkConnection';

const renewTokenOption: INodeProperties = {
	displayName: 'Renew Token',
	name: 'renewToken',
	type: 'boolean',
	// A builder who adds this option wants it on.
	default: true,
	description:
		'Whether to always renew the access token, and the refresh token with it. Without this option, they are only renewed if the access token is about to expire or its expiry cannot be read.',
};

/** The parameters for the company and the employee; either may be empty. */
const [COMPANY, EMPLOYEE] = ['companyId', 'EmployeeId'] as const;
const triedProperties = requestProperties({ [COMPANY]: triedCompany, [EMPLOYEE]: triedEmployee });

/** Reads an optional field; `undefined` if it is empty. */
function readTried(item: InputItem, name: string, field: ScalarField): unknown {
	const value = item.read(parameterName(name), '');
	return isEmpty(value) ? undefined : at(name, () => checkScalar(value, field));
}

/** Reads the company, and validates it as a path parameter before anything is sent. */
function readCompany(item: InputItem): string | undefined {
	const company = readTried(item, COMPANY, triedCompany);
	if (company === undefined) return undefined;
	const companyId = String(company).trim();
	fillPath(hourCodesGet, { companyId });
	return companyId;
}

function readEmployee(item: InputItem): number | undefined {
	const employee = readTried(item, EMPLOYEE, triedEmployee);
	return employee === undefined ? undefined : Number(employee);
}

/**
 * Creates the action that checks the connection and returns one item with the result of each part.
 * It calls endpoints of docs/dev/interface.md, sections 4.1, 4.2 and 4.3.
 */
export function checkAction(texts: ActionTexts): Action {
	return {
		...texts,
		effect: 'read',
		takesDomain: false,
		operation: `${discovery.method} ${discovery.path}`,
		request: { companyId: triedCompany, CompanyId: triedCompany, EmployeeId: triedEmployee },
		properties: [
			...triedProperties.map((property) => ({ ...property, required: false })),
			optionsProperty('read', [renewTokenOption]),
		],
		outputSchema: () => checkSchema,
		prepare([item]) {
			const [companyId, employeeId, renews] = collectAll(
				() => readCompany(item),
				() => readEmployee(item),
				() => readSwitch(item, 'options.renewToken', false),
			);
			const keys: IDataObject = {
				...(companyId === undefined ? {} : { CompanyId: identifierInItem(companyId) }),
				...(employeeId === undefined ? {} : { EmployeeId: employeeId }),
			};
			return {
				subject: JSON.stringify(['connection', companyId, employeeId]),
				keys,
				effect: 'read',
				read: async (access) => await checkConnection(access, { companyId, employeeId, renews }),
			};
		},
	};
}
