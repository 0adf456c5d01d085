import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../contract/fields';
import { hourCodesGet } from '../../contract/operations';
import { at, collectAll } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { emptyItemOption, optionsProperty, readEmptyItem } from '../../form/options';
import { openSchema, outputProperties } from '../../form/output';
import { requestProperties } from '../../form/requestForm';
import { identifierInItem, readScalarParameter } from '../../form/requestValues';
import { formatKeys } from '../../form/names';
import { readList, type RestList } from '../../rest/list';
import { fillPath, pathSegment } from '../../rest/path';
import type { ActionTexts, ReadAction } from '../../run/action';
import { pagingOptions, readPaging, returnAllProperties } from './paging';

/** What a builder asks for: a list, and the keys of its items. */
export interface ListRequest extends RestList {
	readonly keys: IDataObject;
}

/** The form of a list. */
interface ListForm extends Pick<ReadAction, 'operation' | 'properties' | 'request'> {
	/** The keys of its items, as far as they are known. */
	readonly keys: Fields;
	/** The options of its pages. */
	readonly options: readonly INodeProperties[];
	/** @throws {InputError} with the values that are missing or not allowed */
	read(item: InputItem): ListRequest;
}

/** Creates the action for a list of the REST interface (docs/dev/interface.md, section 4.2). */
export function listAction(
	{ operation, properties, request, options, keys: known, read }: ListForm,
	texts: ActionTexts,
): ReadAction {
	return {
		...texts,
		kind: 'read',
		effect: 'read',
		takesDomain: false,
		operation,
		request,
		properties: [
			...properties,
			...returnAllProperties,
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
					const notice = { isProblem: false, text, list: [`${rows.length} ${of} of ${list.name}`] };
					return { records, notices: [notice], leftOut: { limit: paging.limit, ...leftOut } };
				},
			};
		},
	};
}

const { method, path, pathParameters } = hourCodesGet;
const { companyId } = pathParameters;

/**
 * Reads the company whose hour codes are asked for.
 *
 * @throws {InputError} if it is missing or not an identifier
 */
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

/** Creates the action for the hour codes of a company (docs/dev/interface.md, section 4.2). */
export function hourCodesAction(texts: ActionTexts): ReadAction {
	return listAction(
		{
			operation: `${method} ${path}`,
			properties: requestProperties(pathParameters),
			options: pagingOptions,
			request: { companyId, CompanyId: { ...companyId, isKey: true } },
			// As the SOAP services name it.
			keys: { CompanyId: { kind: 'int' } },
			read: readHourCodes,
		},
		texts,
	);
}
