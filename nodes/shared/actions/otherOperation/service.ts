/** The service of a call: one that the interface names, or any other by its name. */
import type { ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';
import { services } from '../../contract/operations';
import { at } from '../../errors/InputError';
import { unusableService } from '../../errors/usageErrors';
import { checkSentName } from '../../values/untyped';
import type { ListSearch } from '../designTime';
import { pickedValue, pickProperty } from './pick';

/** Name of the parameter that holds the service. */
export const SERVICE = 'service';

/** Name of the method that n8n calls for the list of services. */
export const SERVICE_LIST = 'searchServices';

/** Returns the parameter that holds the service. @param own the service of the node */
export function serviceProperty(own: string): INodeProperties {
	return {
		displayName: 'Service',
		name: SERVICE,
		required: true,
		description:
			'The web service that has the operation. For one that is not in the list, enter its name as the documentation of the payroll service has it.',
		...pickProperty(SERVICE_LIST, 'e.g. DebtorService'),
		default: { mode: 'list', value: own, cachedResultName: own },
	};
}

/**
 * Validates and returns the name of a service. It becomes a part of an address and of a namespace.
 *
 * @param service value of the parameter
 * @throws {InputError} if the name is missing or malformed
 */
export function checkService(service: unknown): string {
	return at(SERVICE, () => checkSentName(pickedValue(service), 'a service, such as DebtorService'));
}

/**
 * Returns the service that is chosen in the editor.
 *
 * @param own the service of the node, for a workflow that was saved without one
 * @throws {ServiceError} if it is missing, malformed, or an expression that the editor cannot evaluate
 */
export function editedService(context: ILoadOptionsFunctions, own: string): string {
	try {
		return checkService(context.getCurrentNodeParameter(SERVICE) ?? own);
	} catch {
		throw unusableService();
	}
}

/** The list search method for the service. */
export const serviceList: ListSearch = async (filter = '') => {
	const wanted = filter.trim().toLowerCase();
	const found = services.filter((name) => name.toLowerCase().includes(wanted));
	return await Promise.resolve({ results: found.map((name) => ({ name, value: name })) });
};
