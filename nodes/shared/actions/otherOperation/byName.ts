/** Calls by name, of operations whose types are not known: values as JSON, and the whole answer. */
import { isExpression, type INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../contract/operation';
import { at, invalidValue, missing } from '../../errors/InputError';
import { exampleOf } from '../../form/example';
import type { InputItem } from '../../form/inputItem';
import { parseJsonField } from '../../form/requestValues';
import { isTool } from '../../host/runs';
import { checkUntyped } from '../../soap/writeUntyped';
import { isObject } from '../../values/values';
import { plannedWrite } from '../soapCall';
import type { GivenParameters } from './operationName';

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
		description: `The elements of the request by name, in the order that the service expects. An object becomes child elements, a list repeats its element, null omits it. The whole response becomes one item, with strings as its values. Example: <code>${JSON.stringify(example)}</code>.`,
	};
}

/**
 * Reads the parameters of a call by name.
 *
 * @throws {InputError} with every name that is malformed and every value that XML cannot represent
 */
export function readByName(item: InputItem): GivenParameters {
	const parameter = item.read(PARAMETERS);
	const isModels = isTool(item.node) && isExpression(item.stored(PARAMETERS));
	const values = at(PARAMETERS, () => {
		const given = parseJsonField(parameter);
		if (!isObject(given)) throw invalidValue(given, 'is not an object with element names.');
		checkUntyped(given);
		// A model that leaves out the values would call an operation without any.
		if (isModels && Object.keys(given).length === 0) throw missing();
		return given;
	});
	return {
		values,
		plan: async (access, operation) =>
			await Promise.resolve(plannedWrite(access, operation, values, [])),
	};
}
