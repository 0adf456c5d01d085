import type { INodeProperties } from 'n8n-workflow';
import { isObject } from '../../values/values';

/** Returns the type, default and modes of a field whose value is chosen from a list, or typed. */
export function pickProperty(
	searchListMethod: string,
	placeholder: string,
): Pick<INodeProperties, 'type' | 'default' | 'modes'> {
	return {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder },
		],
	};
}

/**
 * Returns what is chosen or typed in such a field. An expression for the whole field gives the plain
 * value, which is returned unchanged.
 */
export function pickedValue(value: unknown): unknown {
	return isObject(value) && 'mode' in value && 'value' in value ? value.value : value;
}
