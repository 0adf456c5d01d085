import type { IDataObject } from 'n8n-workflow';
import type { RestOperation } from '../../contract/operations';
import { collectAll } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { optionsProperty } from '../../form/options';
import { openSchema } from '../../form/outputSchema';
import { requestProperties } from '../../form/requestForm';
import { identifierInItem, readPathValues } from '../../form/requestValues';
import { readList } from '../../rest/list';
import type { ActionTexts, ReadAction, ReadCall } from '../../run/action';
import { returnAllProperties, pagingOptions, readPaging } from './paging';

function prepareList(operation: RestOperation, item: InputItem): ReadCall {
	const [values, paging] = collectAll(
		() => readPathValues(item, operation),
		() => readPaging(item),
	);
	const keys = Object.entries(values).map(([name, value]) => {
		return [operation.itemNames[name] ?? name, identifierInItem(value)];
	});
	return {
		subject: `${operation.subject}:${String(values[operation.subject])}`,
		keys: Object.fromEntries(keys) as IDataObject,
		effect: 'read',
		async read({ exchange, connection }) {
			const records = await readList(exchange, connection, operation, values, paging);
			return { records, notices: [] };
		},
	};
}

/** Creates the action for a paged REST call of the contract (docs/dev/interface.md, section 4.2). */
export function restAction(operation: RestOperation, texts: ActionTexts): ReadAction {
	const { method, path, pathParameters, itemNames } = operation;
	const named = Object.entries(pathParameters).map(([name, field]) => {
		return [itemNames[name] ?? name, { ...field, isKey: true }] as const;
	});
	return {
		...texts,
		kind: 'read',
		effect: 'read',
		takesDomain: false,
		operation: `${method} ${path}`,
		request: { ...pathParameters, ...Object.fromEntries(named) },
		properties: [
			...requestProperties(pathParameters),
			...returnAllProperties,
			optionsProperty('read', pagingOptions),
		],
		keysInItems: (_, keys) => keys,
		// The interface does not specify the fields of a record.
		outputSchema: () =>
			openSchema(Object.fromEntries(named.map(([name]) => [name, { kind: 'int' } as const]))),
		prepare: ([item]) => prepareList(operation, item),
	};
}
