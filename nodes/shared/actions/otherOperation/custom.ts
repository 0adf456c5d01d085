import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import { soapOperations } from '../../contract/operations';
import type { FaultAdvice, SoapOperation } from '../../contract/soapOperation';
import { UNKNOWN_OPERATION } from '../../errors/advice';
import { collectAll, fill, texts } from '../../errors/InputError';
import { domainOption, dryRunProperty, optionsProperty, readDryRun } from '../../form/options';
import type { Action, ActionTexts, WriteCall } from '../../run/action';
import { callUntyped, type SoapTarget } from '../../soap/call';
import { writeUntyped, type UntypedValue } from '../../soap/untyped';
import type { UntypedElements } from '../../values/untyped';
import { isObject } from '../../values/values';
import { preview } from '../preview';
import {
	customProperties,
	OPERATION_LIST,
	PARAMETER_FIELDS,
	readCustom,
	type TypedRequest,
	type UntypedRequest,
} from './customForm';
import { planDescribed } from './described';
import { operationList, operationParameters } from './descriptions';
import { checkOnlyReads, declaresOnlyReads, onlyReadsOption } from './onlyReads';

/** The request elements that the known operations use as keys (employee or company, and period). */
const KEYS: Fields = Object.fromEntries(
	soapOperations.flatMap(({ request, keys }: SoapOperation) =>
		Object.entries(request).filter(([name]) => keys.includes(name)),
	),
);
const SUBJECTS: ReadonlySet<string> = new Set(soapOperations.map(({ subject }) => subject));

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
	const values = { name, service, other: other.service, node: other.node };
	const text =
		isOf(other.service) && !isOf(service)
			? fill(texts.refused.otherService.advice, values)
			: fill(texts.refused.operationName.advice, values);
	return { fault: UNKNOWN_OPERATION, text };
}

/** Plans a call by name, whose parameters and result are untyped. */
function planUntyped(
	target: SoapTarget,
	{ parameters, resultPath }: UntypedRequest,
): Pick<WriteCall, 'content' | 'plan'> {
	const children = writeUntyped(parameters);
	return {
		content: children,
		plan: async ({ connection: shown }) => ({
			kind: 'write',
			preview: preview(shown, target, asObject(parameters), children),
			notices: [],
			async send({ exchange, connection }) {
				const values = await callUntyped(exchange, connection, target, children, resultPath);
				return untypedRecords(values, resultPath === undefined);
			},
		}),
	};
}

/** Plans a call of an operation from the list, whose types are read first. */
function planTyped(target: SoapTarget, request: TypedRequest): Pick<WriteCall, 'content' | 'plan'> {
	return {
		content: JSON.stringify([request.isAutomatic, request.given]),
		plan: async (access) => await planDescribed(access, target, request),
	};
}

/** A value as text that is the same for `1001`, `"01001"` and `"1001 "`, which the service may take for one. */
function canonical(value: unknown): string {
	const text = String(value).trim();
	const whole = /^\+?(-?\d+)(?:\.0*)?$/.exec(text)?.[1];
	return whole === undefined ? text : String(BigInt(whole));
}

/** The parameters of a call that have a single value, by name. */
function scalarsOf(request: TypedRequest | UntypedRequest): Array<readonly [string, unknown]> {
	const named = 'given' in request ? Object.entries(request.given) : request.parameters;
	return named
		.map(([name, value]) => [name, isOnly(value) ? value[0] : value] as const)
		.filter(([, value]) => ['string', 'number'].includes(typeof value));
}

function isOnly(value: unknown): value is readonly unknown[] {
	return Array.isArray(value) && value.length === 1;
}

/**
 * Creates the action that calls any operation of a service (docs/interface.md, section 1: the
 * interface does not list all operations): typed, if it is chosen from the service's description, or
 * by name.
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
		declaredEffect: (item) => (declaresOnlyReads(item) ? 'read' : 'write'),
		operation: `Any of the ${service}`,
		takesDomain: true,
		request: KEYS,
		// If a call cannot be prepared, its keys are unknown: they are among its parameters.
		keys: [],
		subjects: [...SUBJECTS],
		properties: [
			...customProperties(known),
			dryRunProperty,
			optionsProperty('write', [domainOption, onlyReadsOption]),
		],
		lists: { [OPERATION_LIST]: operationList(service) },
		mappers: { [PARAMETER_FIELDS]: operationParameters(service) },
		outputSchema: () => undefined,
		prepare([item]) {
			const isRead = declaresOnlyReads(item);
			const [request, isPreview] = collectAll(
				() => readCustom(item),
				() => readDryRun(item),
				() => checkOnlyReads(item),
			);
			const { operation: name } = request;
			const advice = [unknownOperation(name, service, other)];
			const target: SoapTarget = { service, name, effect: isRead ? 'read' : 'write', advice };
			const { content, plan } =
				'given' in request ? planTyped(target, request) : planUntyped(target, request);
			const scalars = scalarsOf(request);
			const subject = scalars.filter(([element]) => SUBJECTS.has(element));
			return {
				// A write, whatever the builder declares: a read-only credential refuses it.
				effect: 'write',
				isDryRun: isPreview,
				resends: isRead ? 'always' : 'never',
				content: JSON.stringify([service, name, content]),
				// Calls without a known subject keep their order among themselves.
				subject: JSON.stringify(subject.map(([element, value]) => [element, canonical(value)])),
				keys: Object.fromEntries(
					scalars.filter(([element]) => Object.hasOwn(KEYS, element)),
				) as IDataObject,
				plan,
			};
		},
	};
}
