import type { IDataObject } from 'n8n-workflow';
import { costCenterGet } from '../../contract/operations';
import { at } from '../../errors/InputError';
import { readSwitch } from '../../form/options';
import type { Values } from '../../values/values';
import type { ReadingFirst } from '../builtIn/soap';
import { readCurrent } from './readCurrent';
import { mergeRows } from './merge';
import { pickCostCenter } from './pickList';

const NAME = 'keepOthers';
const LIST = 'currentCostCenters';
const CODE = "String($collection.item.value.costCenterCode ?? '')";
const SHARE = "String($collection.item.value.percentage ?? '').replace(/^[^=].*/, '$& %')";
const MATCHED = "'Record ID', else by 'Cost Center Code'";

/**
 * *Keep Other Cost Centers*: the cost centers of a request are merged into the current ones, so that
 * those that are not given, and fields that are not given, stay unchanged.
 */
export const keepOtherCostCenters: ReadingFirst = {
	form: [
		{
			displayName: 'Keep Other Cost Centers',
			name: NAME,
			type: 'boolean',
			default: true,
			// Without expressions, since the tool description depends on the value.
			noDataExpression: true,
			description: `Whether to read the current cost centers first, change or add only those given here, and write all of them. Those given are matched by ${MATCHED}; their fields that are not given keep their values. If off, only what is given here is sent: cost centers that are not given may be lost.`,
		},
	],
	options: [],
	switchNote: {
		parameter: NAME,
		on: `Keeps current cost centers that are not given; matches those given by ${MATCHED}.`,
		off: 'Give all cost centers: current ones that are not given may be lost.',
	},
	rows: {
		shown: ['costCenterCode', 'percentage'],
		// For example "4100: 40 %". The title cannot evaluate an expression.
		title: `={{ [${CODE}, ${SHARE}].filter((text) => text !== '' && !text.startsWith('=')).join(': ') }}`,
		picked: 'id',
		searchListMethod: LIST,
	},
	lists: { [LIST]: pickCostCenter },
	isOn: (item) => readSwitch(item, NAME, true),
	async decide(access, request) {
		const current = await readCurrent(access, costCenterGet, request);
		const given = request.CostCenteren as Values[];
		const merged = at('CostCenteren', () => mergeRows(current, given));
		const { rows, changed, added, kept, unknown } = merged;
		return {
			request: { ...request, CostCenteren: rows },
			flag: 'written',
			changes: { changed, added, kept } as unknown as IDataObject,
			unknown,
			...(changed.length === 0 && added.length === 0 && { existing: { success: true } }),
		};
	},
};
