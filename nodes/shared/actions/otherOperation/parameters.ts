/**
 * The parameters of a call: typed, of operations that the service's own description defines; or by name, of
 * operations whose types are not known: values as JSON, and the whole answer.
 */
import {
	type ILoadOptionsFunctions,
	type INodeProperties,
	isExpression,
	type ResourceMapperFields,
} from 'n8n-workflow';
import type { Operation } from '../../contract/operation';
import {
	at,
	givesNothing,
	InputError,
	invalidValue,
	missing,
	type Path,
} from '../../errors/InputError';
import type { ServiceAccess } from '../../exchange/exchange';
import { exampleOf } from '../../form/fieldForm';
import type { InputItem } from '../../form/inputItem';
import {
	automaticValues,
	labelledPath,
	mappedValues,
	mapperFields,
	readMapper,
	requireColumns,
} from '../../form/mapping/mapper';
import { decimalCell } from '../../form/mapping/columns';
import { DECIMAL_COMMA } from '../../form/names';
import { decimalCommaProperty } from '../../form/requestForm';
import { parseJsonField } from '../../form/requestValues';
import { AS_TOOL } from '../../host/forms';
import { isTool } from '../../host/runs';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import { escapeXml } from '../../soap/xml';
import { mapScalars } from '../../values/records';
import { checkReadable } from '../../values/scalars';
import { isObject, type Values } from '../../values/values';
import { atDesignTime } from '../designTime';
import { normalised, notSentNotices, plannedWrite } from '../soapCall';
import { editedOperation, editedService, FROM_LIST, OPERATION, SERVICE } from './choice';
import { filesNamedIn, requireGiven } from './files';

/** The parameters of a call, as one of the two forms gives them. */
interface GivenParameters {
	/** By the names of elements or columns. */
	readonly values: Values;
	/**
	 * Decides what to send, see `WriteCall`.
	 *
	 * @param operation with its types, if the service's description has them
	 */
	plan(access: ServiceAccess, operation: Operation): Promise<ReturnType<typeof plannedWrite>>;
}

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

export const typedProperties: readonly INodeProperties[] = [
	...[false, true].map(typedProperty),
	{ ...decimalCommaProperty, displayOptions: { show: FROM_LIST, hide: AS_TOOL } },
];

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
	const { request, response, canBeSilent = false } = description.operation(named.name);
	return { ...named, request, response, canBeSilent };
}

/**
 * Reads the parameters of a typed call. They are checked when the call is planned, with the types of
 * {@link withTypes}.
 */
export function readTyped(item: InputItem): GivenParameters {
	const { isAutomatic, stored, given } = readMapper(item, MAPPED);
	at(MAPPED, () => checkReadable(given));
	return {
		values: given,
		async plan(access, operation) {
			const { request } = operation;
			const named = <T>(work: () => T): T => {
				try {
					return work();
				} catch (error) {
					const pathOf = (path: Path) => [MAPPED, ...labelledPath(request, path, isAutomatic)];
					throw error instanceof InputError ? error.renamed(pathOf) : error;
				}
			};
			const { known, unknown } = named(() => {
				if (!isAutomatic) {
					const absent = () => (isTool(item.node) ? missing() : givesNothing());
					requireGiven(request, stored, given, absent);
					return { known: mappedValues(request, given), unknown: [] };
				}
				const values = automaticValues(request, given);
				requireColumns(request, values.known);
				return values;
			});
			const bytesOf = await filesNamedIn(item, known);
			const isComma = item.readShared(DECIMAL_COMMA, false) === true;
			const hasSwitch = !isTool(item.node);
			return named(() => {
				const content = { kind: 'record', type: '', ...request } as const;
				const pointed = hasSwitch
					? mapScalars(content, known, (field, value) => decimalCell(field, value, isComma))
					: known;
				const { values, notices } = normalised(request, pointed as Values);
				return plannedWrite(
					access,
					operation,
					values,
					[...notSentNotices(unknown), ...notices],
					bytesOf,
				);
			});
		},
	};
}

const PARAMETERS = 'parametersJson';

/**
 * Returns the form of a call by name.
 *
 * @param known an operation that the contract defines, for the example
 */
export function byNameProperty(known: Operation): INodeProperties {
	const example = exampleOf({ kind: 'record', type: '', ...known.request });
	return {
		displayName: 'Parameters (JSON)',
		name: PARAMETERS,
		type: 'json',
		required: true,
		default: '{}',
		typeOptions: { rows: 8 },
		description: `The elements of the request, in the order that the service expects. A list repeats its element, and null omits it. Example: <code>${JSON.stringify(example)}</code>.`,
	};
}

/**
 * Reads the parameters of a call by name. Their names and values are checked when the call is planned.
 *
 * @throws {InputError} if they are no object, or JSON cannot hold them
 */
export function readByName(item: InputItem): GivenParameters {
	const parameter = item.read(PARAMETERS);
	const isModels = isTool(item.node) && isExpression(item.stored(PARAMETERS));
	const values = at(PARAMETERS, () => {
		const given = parseJsonField(parameter);
		if (!isObject(given)) throw invalidValue(given, 'is not an object with element names.');
		checkReadable(given);
		// A model that leaves out the values would call an operation without any.
		if (isModels && Object.keys(given).length === 0) throw missing();
		return given;
	});
	return {
		values,
		plan: async (access, operation) =>
			await Promise.resolve(at(PARAMETERS, () => plannedWrite(access, operation, values, []))),
	};
}
