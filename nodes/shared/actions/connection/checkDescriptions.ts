/**
 * The part of a connection check that compares the services' own descriptions with the operations of
 * this package.
 */
import { soapOperations } from '../../contract/operations';
import { fill, texts } from '../../errors/catalogue';
import type { ServiceAccess } from '../../exchange/exchange';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import { drift } from '../../soap/wsdl/drift';
import { trial, type Part } from './part';

/** The services of this package's operations (docs/dev/interface.md, section 4.3). */
export const describedServices: readonly string[] = [
	...new Set(soapOperations.map(({ service }) => service)),
];

/** How the operations of a service differ, as sentences, or why it has no description. */
type Comparison =
	| { readonly read: true; readonly differences: string[] }
	| { readonly read: false; readonly message: string };

/** Reads the description of a service anew, and compares it with this package's operations. */
async function checkDescription(access: ServiceAccess, service: string): Promise<Comparison> {
	const { value, failure } = await trial(fetchWsdl(access, service, true));
	if (failure !== undefined) {
		return { read: false, message: `${failure.message}. ${failure.description ?? ''}` };
	}
	const own = soapOperations.filter((operation) => operation.service === service);
	return { read: true, differences: own.flatMap((one) => drift(value, one)) };
}

/**
 * Compares the description of each service with this package's operations.
 *
 * @param isTried whether to read the descriptions: not if the services do not work
 * @returns the part of the check; `ok` is `null` if no description differs but one cannot be read,
 * which is no failure
 * @throws {CancelledError} if the user cancelled the run
 */
export async function checkDescriptions(access: ServiceAccess, isTried: boolean): Promise<Part> {
	const notTried: Comparison = { read: false, message: texts.check.noSoap };
	const compared = await Promise.all(
		describedServices.map(async (service) =>
			isTried ? await checkDescription(access, service) : notTried,
		),
	);
	const services = Object.fromEntries(describedServices.map((name, at) => [name, compared[at]]));
	const differences = compared.flatMap((one) => (one.read ? one.differences : []));
	if (differences.length === 0)
		return [{ ok: compared.every(({ read }) => read) || null, ...services }];
	const { title: message, advice } = texts.check.drift;
	const description = fill(advice, { differences: differences.join('. ') });
	return [{ ok: false, message, description, ...services }];
}
