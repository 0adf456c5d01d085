/**
 * The part of a connection check that compares the services' own descriptions with the operations of
 * this package.
 */
import type { IDataObject } from 'n8n-workflow';
import { soapOperations } from '../../contract/operations';
import { fill, texts } from '../../errors/catalogue';
import type { ServiceAccess } from '../../exchange/exchange';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import { drift } from '../../soap/wsdl/drift';
import { attempted } from './attempted';

/** The services of this package's operations (docs/interface.md, section 4.3). */
export const describedServices: readonly string[] = [
	...new Set(soapOperations.map(({ service }) => service)),
];

/** What the description of a service says about this package's operations. */
interface Comparison {
	readonly service: string;
	/** How its operations differ, as sentences; `undefined` if there is no description. */
	readonly differences?: readonly string[];
	/** Why there is no description. */
	readonly reason?: string;
}

async function compare(access: ServiceAccess, service: string): Promise<Comparison> {
	const { value, failure } = await attempted(
		async () => await fetchWsdl(access, service, true),
	);
	if (failure !== undefined) {
		return { service, reason: `${failure.message}. ${failure.description ?? ''}` };
	}
	const own = soapOperations.filter((operation) => operation.service === service);
	return { service, differences: own.flatMap((one) => drift(value, one)) };
}

/** The comparison of services that do not work. */
export const NOT_COMPARED: readonly Comparison[] = describedServices.map((service) => ({
	service,
	reason: texts.check.noSoap,
}));

/**
 * Reads the description of each service anew, and compares it with this package's operations.
 *
 * @throws {CancelledError} if the user cancelled the run
 */
export async function checkDescriptions(access: ServiceAccess): Promise<readonly Comparison[]> {
	return await Promise.all(describedServices.map((service) => compare(access, service)));
}

/**
 * Returns the part of the check's item: `ok` is `null` if no description differs but one cannot be
 * read, which is no failure.
 *
 * @param clean masks secrets in a text
 */
export function descriptionsPart(
	comparisons: readonly Comparison[],
	clean: (text: string) => string,
): IDataObject {
	const differences = comparisons.flatMap((one) => one.differences ?? []);
	const isRead = comparisons.every((one) => one.differences !== undefined);
	const services = comparisons.map(({ service, differences: own = [], reason }) => [
		service,
		reason === undefined
			? { read: true, differences: own.map(clean) }
			: { read: false, message: clean(reason) },
	]);
	if (differences.length === 0) return { ok: isRead || null, ...Object.fromEntries(services) };
	const { title, advice } = texts.check.drift;
	return {
		ok: false,
		message: title,
		description: fill(advice, { differences: differences.map(clean).join('. ') }),
		...Object.fromEntries(services),
	};
}
