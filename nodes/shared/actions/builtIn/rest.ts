/** The lists of the REST interface (docs/dev/interface.md, section 4.2). */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { type Fields, INT_MAX } from '../../contract/fields';
import { hourCodesGet } from '../../contract/operations';
import { at, collectAll } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { formatKeys } from '../../form/names';
import {
	emptyItemOption,
	optionsProperty,
	readEmptyItem,
	readNumber,
	readSwitch,
} from '../../form/options';
import { openSchema, outputProperties } from '../../form/output';
import { requestProperties } from '../../form/requestForm';
import { identifierInItem, readScalarParameter } from '../../form/requestValues';
import { AS_TOOL } from '../../host/forms';
import { FIRST_PAGE, type PagingOptions, readList, type RestList } from '../../rest/list';
import { fillPath, pathSegment } from '../../rest/path';
import type { ActionTexts, ReadAction } from '../../run/action';
import { isEmpty } from '../../values/values';
import { noticeOf } from '../soapCall';

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

const firstPage: INodeProperties = {
	displayName: 'First Page',
	name: 'firstPage',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: FIRST_PAGE,
	description:
		'Number of the first page at the service. Without this option, the node begins with page 1 and also looks for a page 0.',
};

const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	description: 'How many records to ask for in one request',
};

/** The options of a paged list. */
export const pagingOptions = [firstPage, pageSize];

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

/** Reads how a list is paged, and how many of its records. @throws {InputError} with every value that is not allowed */
export function readPaging(item: InputItem): PagingOptions {
	const isGiven = ({ name }: INodeProperties) => !isEmpty(item.read(`options.${name}`, null));
	const [isWhole, size, first, limit] = collectAll(
		() => readSwitch(item, `options.${notPagedOption.name}`, false),
		() => readNumber(item, pageSize, 1, INT_MAX),
		() => (isGiven(firstPage) ? readNumber(item, firstPage, 0, INT_MAX) : undefined),
		() =>
			readSwitch(item, returnAll.name, false)
				? undefined
				: readNumber(item, limitProperty, 1, INT_MAX, limitProperty.name),
	);
	return { isWhole, pageSize: size, firstPage: first, limit };
}

/** What a builder asks for: a list, and the keys of its items. */
export interface ListRequest extends RestList {
	readonly keys: IDataObject;
}

/** The form of a list. */
interface ListForm extends ActionTexts, Pick<ReadAction, 'operation' | 'properties' | 'request'> {
	/** The keys of its items, as far as they are known. */
	readonly keys: Fields;
	/** The options of its pages. */
	readonly options: readonly INodeProperties[];
	/** @throws {InputError} with the values that are missing or not allowed */
	read(item: InputItem): ListRequest;
}

/** Creates the action for a list. */
export function listAction({
	properties,
	options,
	keys: known,
	read,
	...form
}: ListForm): ReadAction {
	return {
		...form,
		kind: 'read',
		effect: 'read',
		takesDomain: false,
		properties: [
			...properties,
			...[returnAll, limitProperty, limitOfTool],
			...outputProperties,
			optionsProperty([...options, emptyItemOption]),
		],
		keysInItems: (_, keys) => keys,
		// The interface does not specify the fields of a record.
		outputSchema: () => openSchema(known),
		prepare([item]) {
			const [{ keys, ...list }, paging, isItemIfEmpty] = collectAll(
				() => read(item),
				() => readPaging(item),
				() => readEmptyItem(item),
			);
			return {
				subject: list.path,
				keys,
				effect: 'read',
				async read({ exchange, connection }) {
					const { records: rows, leftOut } = await readList(exchange, connection, list, paging);
					const records = rows.length === 0 && isItemIfEmpty ? [{}] : rows;
					if (leftOut === undefined) return { records, notices: [] };
					const { more, total } = leftOut;
					const text = `'Limit' ${more === true ? 'cut' : 'may have cut'} the list`;
					const of = total === undefined ? 'records' : `of ${total} records`;
					const notices = noticeOf(false, text, [`${rows.length} ${of} of ${list.name}`]);
					return { records, notices, leftOut: { limit: paging.limit, ...leftOut } };
				},
			};
		},
	};
}

const { method, path, pathParameters } = hourCodesGet;
const { companyId } = pathParameters;

/** Reads the company whose hour codes are asked for. @throws {InputError} if it is missing or not an identifier */
export function readHourCodes(item: InputItem): ListRequest {
	return at('companyId', () => {
		const id = String(readScalarParameter(item, 'companyId', companyId));
		return {
			path: fillPath(path, () => pathSegment(id)),
			name: formatKeys(pathParameters, { companyId: id }),
			keys: { CompanyId: identifierInItem(id) },
		};
	});
}

/** Creates the action for the hour codes of a company. */
export function hourCodesAction(texts: ActionTexts): ReadAction {
	return listAction({
		...texts,
		operation: `${method} ${path}`,
		properties: requestProperties(pathParameters),
		options: pagingOptions,
		request: { companyId, CompanyId: { ...companyId, isKey: true } },
		// As the SOAP services name it.
		keys: { CompanyId: { kind: 'int' } },
		read: readHourCodes,
	});
}
