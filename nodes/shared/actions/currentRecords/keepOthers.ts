import type { IDataObject } from 'n8n-workflow';
import { costCenterGet } from '../../contract/operations';
import { employeeCostCenter } from '../../contract/resources';
import { at } from '../../errors/InputError';
import { truncate } from '../../errors/words';
import { flatten } from '../../form/names';
import { readSwitch } from '../../form/options';
import type { Notice } from '../../run/action';
import { textAt } from '../../values/records';
import { valueAt, type Values } from '../../values/values';
import type { ReadingFirst } from '../builtIn/soap';
import { notSentNotices } from '../notices';
import { readCurrent } from './readCurrent';
import { mergeRows, type MergedRows } from './merge';
import { pickCostCenter } from './pickList';

const NAME = 'keepOthers';
const LIST = 'currentCostCenters';
const CODE = "String($collection.item.value.costCenterCode ?? '')";
const SHARE = "String($collection.item.value.percentage ?? '').replace(/^[^=].*/, '$& %')";
const MATCHED = "'Record ID', else by 'Cost Center Code'";

const codeOf = (row: Values): string => String(valueAt(row, ['CostCenter', 'Code']) ?? '').trim();

/**
 * One line for each change, such as "4200: 62.5 → 50" and "4300: added". A row is named by its code,
 * and by its Record ID if the code is not enough.
 */
function changeLines({ changed, added, rows }: MergedRows): string[] {
	const counts = new Map<string, number>();
	for (const row of rows) counts.set(codeOf(row), (counts.get(codeOf(row)) ?? 0) + 1);
	const rowName = (row: Values): string => {
		const code = codeOf(row);
		const isEnough = row.Id === undefined || (code !== '' && (counts.get(code) ?? 0) < 2);
		return isEnough ? code : `${code} Record ID ${String(row.Id)}`.trim();
	};
	const lines = changed.map(({ before, after }) => {
		const parts = flatten(employeeCostCenter.fields).flatMap((field) => {
			const [from = '', to = ''] = [before, after].map((row) => textAt(row, field));
			const what = field.label === 'Percentage' ? '' : `${field.label} `;
			return from === to ? [] : [`${what}${from || 'empty'} → ${to || 'empty'}`];
		});
		return `${rowName(before)}: ${parts.join(', ')}`;
	});
	const all = [...lines, ...added.map((row) => `${rowName(row)}: added`)];
	return all.length === 0 ? ['nothing would change'] : all;
}

/** Returns the notice about added cost centers: a mistyped code would be one of them. */
function newCodeNotices(added: readonly Values[], whom: string): readonly Notice[] {
	if (added.length === 0) return [];
	const text = 'Cost Center Code is new, since no current record has it';
	const list = added.map((row) => `${truncate(codeOf(row))} for ${whom}`);
	return [{ isProblem: false, text, list }];
}

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
	switchNote: {
		parameter: NAME,
		on: `Keeps current cost centers that are not given; matches those given by ${MATCHED}.`,
		off: 'Give all cost centers: current ones that are not given may be lost.',
	},
	rows: {
		// For example "4100: 40 %". The title cannot evaluate an expression.
		title: `={{ [${CODE}, ${SHARE}].filter((text) => text !== '' && !text.startsWith('=')).join(': ') }}`,
		picked: 'id',
		searchListMethod: LIST,
	},
	lists: { [LIST]: pickCostCenter },
	flag: 'written',
	unread: {
		changes: ['not known, since the current cost centers are not read'],
		changed: null,
		added: null,
		kept: null,
	},
	isOn: (item) => readSwitch(item, NAME, true),
	async decide(access, request, whom) {
		const current = await readCurrent(access, costCenterGet, request);
		const given = request.CostCenteren as Values[];
		const merged = at('CostCenteren', () => mergeRows(current, given));
		const { rows, changed, added, kept, unknown } = merged;
		const changes = { changes: changeLines(merged), changed, added, kept };
		const decision = {
			request: { ...request, CostCenteren: rows },
			changes: changes as unknown as IDataObject,
		};
		return changed.length === 0 && added.length === 0
			? { ...decision, existing: { success: true }, notices: [] }
			: { ...decision, notices: [...newCodeNotices(added, whom), ...notSentNotices(unknown)] };
	},
};
