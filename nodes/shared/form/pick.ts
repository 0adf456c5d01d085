import type { INodeProperties } from 'n8n-workflow';
import { isObject } from '../values/values';

/** Returns the type, default and modes of an identifier's field: chosen from a list, or typed. */
export function pickProperty(
	searchListMethod: string,
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
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', ...placeholder },
		],
	};
}

/**
 * Returns the identifier in the value of a resource locator. An expression for the whole field gives
 * the plain identifier, which is returned unchanged.
 */
export function pickedValue(value: unknown): unknown {
	return isObject(value) && 'mode' in value && 'value' in value ? value.value : value;
}
