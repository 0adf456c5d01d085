import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { scalars } from '../contract/scalars';
import { at, invalid, missing } from '../errors/InputError';
import { isEmpty, shown } from '../errors/words';

/** n8n's usual pair for a list: all of it, or a limited number. */
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
 * How many records one item asks for; `undefined` for all.
 *
 * @throws {InputError} where the limit is no whole number from 1
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
			throw invalid(`${shown(limit)} is not a whole number from 1.`);
		}
		return number;
	});
}
