import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import type { RestOperation } from '../../contract/operations';
import { at, collectAll } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { optionsProperty } from '../../form/options';
import { openSchema } from '../../form/outputSchema';
import { requestProperties } from '../../form/requestForm';
import { identifierInItem, readScalarParameter } from '../../form/requestValues';
import { formatKeys } from '../../form/valueNames';
import { readList, type RestList } from '../../rest/list';
import { fillPath, pathSegment } from '../../rest/path';
import type { ActionTexts, ReadAction } from '../../run/action';
import { returnAllProperties, pagingOptions, readPaging } from './paging';

/** What a builder asks for: a list, and the keys of its items. */
export interface ListRequest extends RestList {
	readonly keys: IDataObject;
}

/** The form of a list. */
interface ListForm extends Pick<ReadAction, 'operation' | 'properties' | 'request'> {
	/** The keys of its items, as far as they are known. */
	readonly keys: Fields;
	/** @throws {InputError} with the values that are missing or not allowed */
	read(item: InputItem): ListRequest;
}

/** Creates the action for a list of the REST interface (docs/dev/interface.md, section 4.2). */
export function listAction(
	{ operation, properties, request, keys: known, read }: ListForm,
	texts: ActionTexts,
): ReadAction {
	return {
		...texts,
		kind: 'read',
		effect: 'read',
		takesDomain: false,
		operation,
		request,
		properties: [...properties, ...returnAllProperties, optionsProperty('read', pagingOptions)],
		keysInItems: (_, keys) => keys,
		// The interface does not specify the fields of a record.
		outputSchema: () => openSchema(known),
		prepare([item]) {
			const [{ keys, ...list }, paging] = collectAll(
				() => read(item),
				() => readPaging(item),
			);
			return {
				subject: list.path,
				keys,
				effect: 'read',
				async read({ exchange, connection }) {
					return { records: await readList(exchange, connection, list, paging), notices: [] };
				},
			};
		},
	};
}

/**
 * Reads the parameters of a list of the contract.
 *
 * @throws {InputError} if a value is missing or not an identifier
 */
export function readContractList(
	item: InputItem,
	{ path, pathParameters, itemNames }: RestOperation,
): ListRequest {
	const values = Object.entries(pathParameters).map(([name, field]) => {
		const value = at(name, () => String(readScalarParameter(item, name, field)));
		return [name, value] as const;
	});
	const given = Object.fromEntries(values);
	const keys = values.map(([name, value]) => [itemNames[name] ?? name, identifierInItem(value)]);
	return {
		path: fillPath(path, (name) => at(name, () => pathSegment(given[name]))),
		name: formatKeys(pathParameters, given),
		keys: Object.fromEntries(keys) as IDataObject,
	};
}

/** Creates the action for a list of the contract (docs/dev/interface.md, section 4.2). */
export function restAction(operation: RestOperation, texts: ActionTexts): ReadAction {
	const { method, path, pathParameters, itemNames } = operation;
	const named = Object.entries(pathParameters).map(([name, field]) => {
		return [itemNames[name] ?? name, field] as const;
	});
	const inItems = named.map(([name, field]) => [name, { ...field, isKey: true }] as const);
	return listAction(
		{
			operation: `${method} ${path}`,
			properties: requestProperties(pathParameters),
			request: { ...pathParameters, ...Object.fromEntries(inItems) },
			keys: Object.fromEntries(named.map(([name]) => [name, { kind: 'int' }])),
			read: (item) => readContractList(item, operation),
		},
		texts,
	);
}
