import { isEmpty } from '../../values/values';
import type { INodeProperties } from 'n8n-workflow';
import { INT_MAX } from '../../contract/fields';
import { collectAll } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { readNumber, readSwitch } from '../../form/options';
import { AS_TOOL } from '../../host/forms';
import { FIRST_PAGE, type PagingOptions } from '../../rest/list';

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limitProperty: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] }, hide: AS_TOOL },
};

/** In a tool, the model gives a text: agents of version 2 end at an argument of another type. */
const limitOfTool: INodeProperties = {
	...limitProperty,
	type: 'string',
	default: '50',
	placeholder: 'e.g. 50',
	displayOptions: { show: { returnAll: [false], ...AS_TOOL } },
};

/** n8n's standard parameters of a list. */
export const returnAllProperties = [returnAll, limitProperty, limitOfTool];

const firstPageOption: INodeProperties = {
	displayName: 'First Page',
	name: 'firstPage',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: FIRST_PAGE,
	description:
		'Number of the first page at the service. Without this option, the node begins with page 1 and also looks for a page 0.',
};

const pageSizeOption: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	description: 'How many records to ask for in one request',
};

/** The options of a paged list. */
export const pagingOptions = [firstPageOption, pageSizeOption];

/** The option for a list that the service sends at once. */
export const notPagedOption: INodeProperties = {
	displayName: 'Not Paged',
	name: 'notPaged',
	type: 'boolean',
	// A builder who adds this option wants it on.
	default: true,
	description:
		'Whether the service sends the whole list at once. It is then asked for once, without pageNumber and pageSize.',
};

/**
 * Reads how a list is paged, and how many of its records (docs/dev/interface.md, section 4.2).
 *
 * @throws {InputError} with every value that is not allowed
 */
export function readPaging(item: InputItem): PagingOptions {
	const [isWhole, pageSize, firstPage, limit] = collectAll(
		() => readSwitch(item, `options.${notPagedOption.name}`, false),
		() => readNumber(item, pageSizeOption, 1, INT_MAX),
		() =>
			isEmpty(item.read(`options.${firstPageOption.name}`, null))
				? undefined
				: readNumber(item, firstPageOption, 0, INT_MAX),
		() =>
			readSwitch(item, returnAll.name, false)
				? undefined
				: readNumber(item, limitProperty, 1, INT_MAX, limitProperty.name),
	);
	return { isWhole, pageSize, firstPage, limit };
}
