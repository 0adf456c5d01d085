import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { InputError } from '../errors/InputError';

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
	if (returnAll === true || returnAll === 'true') return undefined;
	if (returnAll !== false && returnAll !== 'false') {
		throw new InputError('Return All', 'true or false', returnAll);
	}
	const limit = context.getNodeParameter('limit', itemIndex) as unknown;
	const number = typeof limit === 'string' && limit.trim() !== '' ? Number(limit) : limit;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < 1) {
		throw new InputError('Limit', 'a whole number from 1', limit);
	}
	return number;
}
