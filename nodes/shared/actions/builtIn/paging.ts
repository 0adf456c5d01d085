import type { INodeProperties } from 'n8n-workflow';
import { at, collectAll, invalid, missing, texts } from '../../errors/InputError';
import { isEmpty } from '../../errors/words';
import type { InputItem } from '../../form/inputItem';
import { switchOption, wholeOption } from '../../form/options';
import { FIRST_PAGE, type PagingOptions } from '../../rest/list';
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
export function readLimit(item: InputItem): number | undefined {
	const returnAll = item.read('returnAll', false);
	const isAll = at('returnAll', () => scalars.boolean.write(returnAll, { kind: 'boolean' }));
	if (isAll === 'true') return undefined;
	const limit = item.read('limit');
	return at('limit', () => {
		if (isEmpty(limit)) throw missing();
		const number = typeof limit === 'string' ? Number(limit) : limit;
		if (typeof number !== 'number' || !Number.isInteger(number) || number < 1) {
			throw invalid(texts.values.count, limit);
		}
		return number;
	});
}

const PAGE_SIZE = 100;

/** The options of a paged list. */
export const pagingOptions: readonly INodeProperties[] = [
	{
		displayName: 'Check for Changes',
		name: 'checkForChanges',
		type: 'boolean',
		default: true,
		description:
			"Whether to read each page except the last a second time, and fail if the list changed in between or contains a record twice. This takes up to twice as many requests, and only applies if 'Return All' is on.",
	},
	{
		displayName: 'First Page',
		name: 'firstPage',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: FIRST_PAGE,
		description: 'Number that the service gives to its first page',
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: PAGE_SIZE,
		description: 'How many records to ask for in one request',
	},
];

/**
 * Reads the paging options of one item (docs/interface.md, section 4.2).
 *
 * @throws {InputError} with every option whose value is not allowed
 */
export function readPaging(item: InputItem): Omit<PagingOptions, 'limit'> {
	const range = [1, 2 ** 31 - 1] as const;
	const [pageSize, firstPage, checkForChanges] = collectAll(
		() => wholeOption(item, 'pageSize', PAGE_SIZE, range),
		() => wholeOption(item, 'firstPage', FIRST_PAGE, [0, range[1]]),
		() => switchOption(item, 'checkForChanges', true),
	);
	return { pageSize, firstPage, checkForChanges };
}
