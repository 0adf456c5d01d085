import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { at, invalid, missing, texts } from '../../errors/InputError';
import { isEmpty } from '../../errors/words';
import { scalars } from '../../values/scalars';

/** n8n's standard parameters of a list: "Return All" and "Limit". */
export const limitProperties: readonly INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/**
 * Reads the maximum number of records for an item; `undefined` for all.
 *
 * @throws {InputError} if the limit is not an integer of at least 1
 */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number | undefined {
	const returnAll = context.getNodeParameter('returnAll', itemIndex, false) as unknown;
	const isAll = at('returnAll', () => scalars.boolean.write(returnAll, { kind: 'boolean' }));
	if (isAll === 'true') return undefined;
	const limit = context.getNodeParameter('limit', itemIndex) as unknown;
	return at('limit', () => {
		if (isEmpty(limit)) throw missing();
		const number = typeof limit === 'string' ? Number(limit) : limit;
		if (typeof number !== 'number' || !Number.isInteger(number) || number < 1) {
			throw invalid(texts.values.count, limit);
		}
		return number;
	});
}
