import type { INodeProperties } from 'n8n-workflow';
import type { RecordPick } from '../contract/fields';
import { isObject } from '../contract/values';

/** The field of an identifier: chosen from a list, or typed. */
export function pickProperty(
	{ list }: RecordPick,
	placeholder: Pick<INodeProperties, 'placeholder'>,
): Pick<INodeProperties, 'type' | 'default' | 'modes'> {
	return {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: list, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', ...placeholder },
		],
	};
}

/**
 * The value of a field that may be picked. Workflows of earlier versions, and expressions in place of
 * the whole field, give it plain.
 */
export function pickedValue(value: unknown): unknown {
	return isObject(value) && 'mode' in value && 'value' in value ? value.value : value;
}
