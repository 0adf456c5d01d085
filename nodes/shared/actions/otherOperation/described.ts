/** Typed calls of operations that the service's own description defines. */
import type { IDataObject } from 'n8n-workflow';
import { TEXT, type DescribedOperation, type SchemaField } from '../../contract/schemaFields';
import { at, texts } from '../../errors/InputError';
import { ServiceError } from '../../errors/ServiceError';
import type { ServiceAccess } from '../../exchange/exchange';
import type { Plan } from '../../run/action';
import { callDescribed, type SoapTarget } from '../../soap/call';
import { serviceNamespace, writeDescribedRequest } from '../../soap/envelope';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import { WsdlError } from '../../soap/wsdl/documents';
import { isObject, type Values } from '../../values/values';
import { notSentNotices } from '../notices';
import { preview } from '../preview';
import { MAPPED, type TypedRequest } from './customForm';
import { automaticValues, mappedValues } from './mapper';

/** Name of the property that holds a result that is not a record. */
const RESULT = 'Result';

/** A record as it is; a single value, also one with its type or attributes, as a property. */
function recordOf(value: unknown): IDataObject {
	const isRecord = isObject(value) && !Object.hasOwn(value, TEXT);
	return isRecord ? (value as IDataObject) : { [RESULT]: value as IDataObject[string] };
}

/** Converts the result of an operation to items, as for the operations that have a form. */
function resultRecords({ response }: DescribedOperation, values: IDataObject): IDataObject[] {
	const fields = Object.entries(response.fields);
	const [[name, field] = ['', undefined]] = fields;
	if (field === undefined || fields.length > 1) {
		return [Object.keys(values).length === 0 && field === undefined ? { success: true } : values];
	}
	const value = values[name];
	if (!isList(field)) return [recordOf(value ?? null)];
	return ((value ?? []) as unknown[]).map(recordOf);
}

function isList({ kind }: SchemaField): boolean {
	return kind === 'list' || kind === 'repeated';
}

/** The error for an operation that the description does not define, or only in part. */
function notTyped(error: unknown): unknown {
	if (!(error instanceof WsdlError)) return error;
	const { advice: description } = texts.descriptions.untyped;
	return new ServiceError('notBegun', error.message, { description });
}

/** The description of an operation, from the service that is called. */
async function operationOf(access: ServiceAccess, target: SoapTarget): Promise<DescribedOperation> {
	const description = await fetchWsdl(access, target.service);
	try {
		return description.operation(target.name);
	} catch (error) {
		throw notTyped(error);
	}
}

/**
 * Plans the call of an operation with the types of the service's own description. Without a
 * description that can be read, nothing is sent.
 *
 * @throws {InputError} with every value that the description does not allow
 * @throws {ServiceError} if there is no description
 */
export async function planDescribed(
	access: ServiceAccess,
	target: SoapTarget,
	{ isAutomatic, given }: TypedRequest,
): Promise<Plan> {
	const operation = await operationOf(access, target);
	const namespace = serviceNamespace(access.connection.soapNamespace, target.service);
	const [children, request, notSent] = at(MAPPED, () => {
		const automatic = isAutomatic
			? automaticValues(operation.request, given as IDataObject)
			: { values: mappedValues(operation.request, given), unknown: [] };
		const { values }: { values: Values } = automatic;
		const written = writeDescribedRequest(operation.request, values, namespace);
		return [written, values as IDataObject, automatic.unknown] as const;
	});
	return {
		kind: 'write',
		preview: preview(access.connection, target, request, children),
		notices: notSentNotices(notSent),
		async send({ exchange, connection }) {
			const { effect, advice = [] } = target;
			const called = { ...operation, advice };
			const values = await callDescribed(exchange, connection, called, effect, children);
			return resultRecords(operation, values);
		},
	};
}
