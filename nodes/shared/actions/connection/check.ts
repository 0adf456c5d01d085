import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { discovery, triedCompany, triedEmployee } from '../../contract/identity';
import { hourCodesGet } from '../../contract/operations';
import { collectAll } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { identifierInItem } from '../../form/requestValues';
import { optionsProperty, readSwitch } from '../../form/options';
import { fillPath } from '../../rest/path';
import type { Action, ActionTexts } from '../../run/action';
import { checkConnection, checkSchema, noticesOf } from './checkConnection';
import { readCompany, readEmployee, triedProperties } from './connectionForm';

const renewTokenOption: INodeProperties = {
	displayName: 'Renew Token',
	name: 'renewToken',
	type: 'boolean',
	// A builder who adds this option wants it on.
	default: true,
	description:
		'Whether to always renew the access token, and the refresh token with it. Without this option, they are only renewed if the access token is about to expire or its expiry cannot be read.',
};

/** Reads the company and validates it as a path parameter before anything is sent. */
function readTriedCompany(item: InputItem): string | undefined {
	const companyId = readCompany(item);
	if (companyId !== undefined) fillPath(hourCodesGet, { companyId });
	return companyId;
}

/**
 * Creates the action that checks the connection and returns one item with the result of each part.
 * It calls endpoints of docs/interface.md, sections 4.1, 4.2 and 4.3.
 */
export function checkAction(texts: ActionTexts): Action {
	return {
		...texts,
		effect: 'read',
		takesDomain: false,
		operation: `${discovery.method} ${discovery.path}`,
		request: { companyId: triedCompany, CompanyId: triedCompany, EmployeeId: triedEmployee },
		keys: [],
		subjects: ['CompanyId', 'EmployeeId'],
		properties: [...triedProperties, optionsProperty('read', [renewTokenOption])],
		outputSchema: () => checkSchema,
		prepare([item]) {
			const [companyId, employeeId, renews] = collectAll(
				() => readTriedCompany(item),
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
				async read(access) {
					const record = await checkConnection(access, { companyId, employeeId, renews });
					return { records: [record], notices: noticesOf(record) };
				},
			};
		},
	};
}
