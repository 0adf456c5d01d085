import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import type { RestOperation } from '../../contract/operations';
import { collectAll } from '../../errors/InputError';
import { optionsProperty } from '../../form/options';
import { openSchema } from '../../form/outputSchema';
import { requestProperties } from '../../form/requestForm';
import { identifierInItem, readPathValues } from '../../form/requestValues';
import { readList } from '../../rest/list';
import type { ActionTexts, ReadAction } from '../../run/action';
import { returnAllProperties, pagingOptions, readPaging } from './paging';

/** Creates the action for a paged REST call of the contract (docs/dev/interface.md, section 4.2). */
export function restAction(operation: RestOperation, texts: ActionTexts): ReadAction {
	const { pathParameters, itemNames } = operation;
	const inItem = (name: string): string => itemNames[name] ?? name;
	const named = Object.entries(pathParameters).map(([name, field]) => {
		return [inItem(name), { ...field, isKey: true }];
	});
	return {
		...texts,
		kind: 'read',
		effect: 'read',
		takesDomain: false,
		operation: `${operation.method} ${operation.path}`,
		request: { ...pathParameters, ...(Object.fromEntries(named) as Fields) },
		properties: [
			...requestProperties(pathParameters),
			...returnAllProperties,
			optionsProperty('read', pagingOptions),
		],
		methods: {},
		switchNote: undefined,
		keysInItems: (_, keys) => keys,
		// The interface does not specify the fields of a record.
		outputSchema: () =>
			openSchema(Object.fromEntries(named.map(([name]) => [name, { kind: 'int' } as const]))),
		prepare([item]) {
			const [values, paging] = collectAll(
				() => readPathValues(item, operation),
				() => readPaging(item),
			);
			const keys = Object.entries(values).map(([name, value]) => {
				return [inItem(name), identifierInItem(value)];
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
		},
	};
}
