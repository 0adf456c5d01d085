import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import { soapOperations } from '../contract/operations';
import type { FaultAdvice, SoapOperation } from '../contract/soapOperation';
import type { UntypedElements } from '../contract/untyped';
import { isObject } from '../contract/values';
import { UNKNOWN_OPERATION } from '../errors/advice';
import { collectAll } from '../errors/InputError';
import { customProperties, readCustom } from '../form/customForm';
import {
	domainOption,
	dryRunProperty,
	optionsProperty,
	readDryRun,
	storedDryRunOption,
} from '../form/options';
import type { Action, ActionTexts } from '../run/action';
import { callUntyped, type SoapTarget } from '../soap/call';
import { writeUntyped, type UntypedValue } from '../soap/untyped';
import { preview } from './preview';

/** The request elements that the known operations use as keys (employee or company, and period). */
const KEYS: Fields = Object.fromEntries(
	soapOperations.flatMap(({ request, keys }: SoapOperation) =>
		Object.entries(request).filter(([name]) => keys.includes(name)),
	),
);
const SUBJECTS: ReadonlySet<string> = new Set(soapOperations.map(({ subject }) => subject));

function isScalar(value: unknown): boolean {
	return ['string', 'number'].includes(typeof value);
}

/** Converts values to items. A value that is not an object becomes the property `value`. */
function untypedRecords(values: readonly UntypedValue[], isWhole: boolean): IDataObject[] {
	// An empty response only confirms that the call was carried out.
	if (isWhole && values[0] === '') return [{ success: true }];
	return values.map((value) => (isObject(value) ? (value as IDataObject) : { value }));
}

/** The parameters as one object, for the preview. A repeated name gets an array of its values. */
function asObject(parameters: UntypedElements): IDataObject {
	const values = new Map<string, unknown[]>();
	for (const [name, value] of parameters) values.set(name, [...(values.get(name) ?? []), value]);
	const entries = [...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
	return Object.fromEntries(entries) as IDataObject;
}

/** The service of another node. */
export interface OtherService {
	readonly service: string;
	/** Display name of that node. */
	readonly node: string;
}

/** Advice for a service that does not know the operation. */
function unknownOperation(name: string, service: string, other: OtherService): FaultAdvice {
	const isOf = (known: string): boolean =>
		soapOperations.some((one) => one.name === name && one.service === known);
	const text =
		isOf(other.service) && !isOf(service)
			? `${name} is an operation of the ${other.service}: use the node ${other.node}.`
			: `The ${service} does not know ${name}: check 'Operation Name', and 'SOAP Namespace' in the credential. For an operation of the ${other.service}, use the node ${other.node}.`;
	return { fault: UNKNOWN_OPERATION, text };
}

/**
 * Creates the action that calls any operation of a service by name (docs/interface.md, section 1:
 * the interface does not list all operations).
 *
 * @param known an operation of that service, for the examples in the form
 * @param other the other service, for advice if the operation belongs to it
 */
export function customAction(
	known: SoapOperation,
	other: OtherService,
	texts: ActionTexts,
): Action {
	const { service } = known;
	return {
		...texts,
		// The operation's effect is unknown, so no call is retried if its outcome is unknown.
		effect: 'write',
		operation: `Any of the ${service}`,
		takesDomain: true,
		request: KEYS,
		// If a call cannot be prepared, its keys are unknown: they are among its parameters.
		keys: [],
		properties: [
			...customProperties(known),
			dryRunProperty,
			optionsProperty('write', [domainOption, storedDryRunOption]),
		],
		outputSchema: () => undefined,
		prepare(context, [itemIndex = 0]) {
			const [{ operation, parameters, resultPath }, isPreview] = collectAll(
				() => readCustom(context, itemIndex),
				() => readDryRun(context, itemIndex),
			);
			const children = writeUntyped(parameters);
			const advice = [unknownOperation(operation, service, other)];
			const target: SoapTarget = { service, name: operation, effect: 'write', advice };
			const scalars = parameters.filter(([, value]) => isScalar(value));
			const subject = scalars.filter(([name]) => SUBJECTS.has(name));
			return {
				isDryRun: isPreview,
				change: JSON.stringify([service, operation, children]),
				// Calls without a known subject keep their order among themselves.
				subject: JSON.stringify(subject.map(([name, value]) => [name, String(value)])),
				keys: Object.fromEntries(
					scalars.filter(([name]) => Object.hasOwn(KEYS, name)),
				) as IDataObject,
				async send(exchange, connection) {
					if (isPreview) {
						const request = asObject(parameters);
						const records = [preview(connection, target, request, children)];
						return { records, nothingWritten: true };
					}
					const values = await callUntyped(exchange, connection, target, children, resultPath);
					return { records: untypedRecords(values, resultPath === undefined) };
				},
			};
		},
	};
}
