import type { RecordPick } from '../../contract/fields';
import type { Rewriting } from '../../contract/soapOperation';
import type { Values } from '../../values/values';
import { failure, texts } from '../../errors/ServiceError';
import { joinNames } from '../../errors/words';
import { editedValues, pickItems } from '../../form/editor';
import type { RequestList } from '../../form/requestForm';
import type { ListSearch } from '../../run/action';
import { callSoap } from '../../soap/call';
import { atDesignTime } from '../designTime';

function pickList(
	{ read }: Rewriting,
	{ list }: RequestList,
	identifier: string,
	pick: RecordPick,
): ListSearch {
	return async function (filter) {
		const { values, missing } = editedValues(this, read.request);
		const results = await atDesignTime(this, async ({ exchange, connection }) => {
			if (missing.length > 0) {
				throw failure(texts.editor.valuesMissing, { fields: joinNames(missing) });
			}
			const records = (await callSoap(exchange, connection, read, values)) as Values[];
			return pickItems(list.of, pick, identifier, records, filter);
		});
		return { results };
	};
}

/**
 * Returns the list search methods for the record identifiers in the form of a writing operation, by
 * the list's name.
 */
export function pickLists(rewriting: Rewriting, request: RequestList): Record<string, ListSearch> {
	const lists = Object.entries(request.list.of.fields).flatMap(([name, field]) =>
		field.kind === 'int' && field.pick !== undefined
			? [[field.pick.list, pickList(rewriting, request, name, field.pick)] as const]
			: [],
	);
	return Object.fromEntries(lists);
}
