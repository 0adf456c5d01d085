import type { RestOperation } from '../contract/operations';
import { limitProperties, readLimit } from '../form/limit';
import { optionsProperty, pagingOptions, readPaging } from '../form/options';
import { requestProperties } from '../form/properties';
import { readPathValues } from '../form/request';
import { readList } from '../rest/list';
import type { Action, ActionTexts } from './action';

/** Offers a paged REST call of the contract. */
export function restAction(operation: RestOperation, texts: ActionTexts): Action {
	return {
		...texts,
		effect: 'read',
		operation: `${operation.method} ${operation.path}`,
		request: operation.pathParameters,
		keys: Object.keys(operation.pathParameters),
		properties: [
			...requestProperties(operation.pathParameters),
			...limitProperties,
			optionsProperty('read', pagingOptions),
		],
		// The fields of a record are not specified, so nothing is promised.
		outputSchema: () => undefined,
		prepare(context, [itemIndex = 0]) {
			const values = readPathValues(context, operation, itemIndex);
			const paging = { ...readPaging(context, itemIndex), limit: readLimit(context, itemIndex) };
			return {
				subject: `${operation.subject}:${String(values[operation.subject])}`,
				keys: { ...values },
				async send(exchange, connection) {
					return await readList(exchange, connection, operation, values, paging);
				},
			};
		},
	};
}
