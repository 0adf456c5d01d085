/** Typed calls, of operations that the service's own description defines: their form and their values. */
import type { ILoadOptionsFunctions, INodeProperties, ResourceMapperFields } from 'n8n-workflow';
import type { Operation } from '../../contract/operation';
import { at, givesNothing, missing, renamed } from '../../errors/InputError';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { AS_TOOL, asGiven, AUTOMATIC } from '../../host/forms';
import { isTool } from '../../host/runs';
import { escapeXml } from '../../soap/xml';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import { checkReadable } from '../../values/untyped';
import { isObject, type Values } from '../../values/values';
import { atDesignTime } from '../designTime';
import { notSentNotices, plannedWrite } from '../soapCall';
import { automaticValues, requireColumns } from '../../form/mapping/automatic';
import { filesNamedIn, requireGiven } from './inputFile';
import { labelledPath, mappedValues, mapperFields } from '../../form/mapping/mapper';
import { editedOperation, FROM_LIST, OPERATION, type GivenParameters } from './operationName';
import { editedService, SERVICE } from './service';

/** Name of the method that n8n calls for the parameters of an operation. */
export const PARAMETER_FIELDS = 'getOperationParameters';

/** Name of the parameter that holds the values. */
const MAPPED = 'operationParameters';

/** The form of a typed call. @param inTool a tool of an AI agent has no columns of input items */
function typedProperty(inTool: boolean): INodeProperties {
	const columns =
		' With automatic mapping, the columns of the input items are sent: a column has the label of its parameter, its name or its path.';
	const description = `The parameters of the operation. A parameter that is not added is not sent.${inTool ? '' : columns}`;
	return {
		displayName: 'Parameters',
		name: MAPPED,
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: { mappingMode: 'defineBelow', value: null },
		description,
		typeOptions: {
			loadOptionsDependsOn: [`${SERVICE}.value`, `${OPERATION}.value`],
			resourceMapper: {
				resourceMapperMethod: PARAMETER_FIELDS,
				mode: 'add',
				addAllFields: false,
				multiKeyMatch: false,
				supportAutoMap: !inTool,
				fieldWords: { singular: 'parameter', plural: 'parameters' },
				noFieldsError: 'There are no parameters to show.',
			},
		},
		displayOptions: {
			show: { ...FROM_LIST, ...(inTool && AS_TOOL) },
			// The editor keeps showing a notice about a missing choice, so there is no form before it.
			hide: { [`/${OPERATION}.value`]: [''], ...(!inTool && AS_TOOL) },
		},
	};
}

export const typedProperties = [false, true].map(typedProperty);

/**
 * Returns the method that lists the parameters of the operation that is chosen in the form.
 *
 * @param own the service of the node
 */
export function parameterFields(own: string) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const name = editedOperation(this);
		if (name === undefined) {
			return { fields: [], emptyFieldsNotice: 'Choose an operation from the list first.' };
		}
		try {
			return await atDesignTime(this, async (access) => {
				const { request } = (await fetchWsdl(access, editedService(this, own))).operation(name);
				return { fields: mapperFields(request, isTool(this.getNode())) };
			});
		} catch (error) {
			const { message, description } = error as Error & { description?: string | null };
			const text = [message, description].filter(Boolean).join('. ');
			// n8n renders a notice as HTML.
			return { fields: [], emptyFieldsNotice: escapeXml(text) };
		}
	};
}

/**
 * Returns an operation with what its service describes of it.
 *
 * @throws {ServiceError} without a description that can be read: then nothing is sent
 */
export async function withTypes(access: ServiceAccess, named: Operation): Promise<Operation> {
	const description = await fetchWsdl(access, named.service);
	const { request, response } = description.operation(named.name);
	return { ...named, request, response };
}

/**
 * Reads the parameters of a typed call. They are checked when the call is planned, with the types of
 * {@link withTypes}.
 */
export function readTyped(item: InputItem): GivenParameters {
	const isAutomatic = item.read(`${MAPPED}.mappingMode`, '') === AUTOMATIC;
	const mapped = isAutomatic ? item.json : item.read(`${MAPPED}.value`, {}, asGiven);
	const given = isObject(mapped) ? mapped : {};
	at(MAPPED, () => checkReadable(given));
	return {
		values: given,
		async plan(access, operation) {
			const { request } = operation;
			const named = <T>(work: () => T): T =>
				renamed((path) => [MAPPED, ...labelledPath(request, path, isAutomatic)], work);
			const { known, unknown } = named(() => {
				if (!isAutomatic) {
					const stored = Object(Object(item.stored(MAPPED)).value) as Values;
					const absent = () => (isTool(item.node) ? missing() : givesNothing());
					requireGiven(request, stored, given, absent);
					return { known: mappedValues(request, given), unknown: [] };
				}
				const values = automaticValues(request, given);
				requireColumns(request, values.known);
				return values;
			});
			const bytesOf = await filesNamedIn(item, known);
			const notices = notSentNotices(unknown);
			return named(() => plannedWrite(access, operation, known, notices, bytesOf));
		},
	};
}
