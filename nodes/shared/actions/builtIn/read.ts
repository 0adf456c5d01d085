import type { IDataObject } from 'n8n-workflow';
import { keysOf, type SoapOperation } from '../../contract/soapOperation';
import { domainOption, optionsProperty } from '../../form/options';
import { readCallRequest } from '../../form/items';
import { requestProperties } from '../../form/requestForm';
import { readSimplify, simplify, simplifyNote, simplifyProperty } from '../../form/simplify';
import type { ActionTexts, Notice, ReadAction } from '../../run/action';
import { periodNotices } from '../soapCall';
import { addressed, callRecords, outputSchema } from './soap';

/**
 * Creates the action for a SOAP operation of the contract that reads (docs/dev/interface.md, section
 * 4.3).
 *
 * @param noticesOf returns notices about its records, and whom they are about in the words of the form
 */
export function readAction(
	operation: SoapOperation<'read'>,
	texts: ActionTexts,
	noticesOf: (records: readonly IDataObject[], whom: string) => readonly Notice[] = () => [],
): ReadAction {
	const { request, result } = operation;
	const record = result?.kind === 'list' ? result.of : undefined;
	return {
		...texts,
		kind: 'read',
		effect: 'read',
		operation: operation.name,
		takesDomain: true,
		request,
		properties: [
			...requestProperties(request),
			...(record ? [simplifyProperty] : []),
			optionsProperty('read', [domainOption]),
		],
		methods: {},
		switchNote: record && simplifyNote({ ...keysOf(request), ...record.fields }),
		outputSchema: () => outputSchema(operation),
		keysInItems(item, keys) {
			if (record === undefined || !readSimplify(item)) return keys;
			const known = Object.entries(request).filter(([name]) => Object.hasOwn(keys, name));
			return simplify({ fields: Object.fromEntries(known) }, keys) as IDataObject;
		},
		prepare(items) {
			const asked = readCallRequest(request, items).request;
			const { whom, ...about } = addressed(operation, asked);
			const isSimple = readSimplify(items[0]);
			return {
				...about,
				effect: 'read',
				async read(access) {
					const rows = await callRecords(access, operation, asked);
					const notices = [...periodNotices(about.keys, whom), ...noticesOf(rows, whom)];
					if (record === undefined || !isSimple) return { records: rows, notices };
					return { records: rows.map((row) => simplify(record, row) as IDataObject), notices };
				},
			};
		},
	};
}
