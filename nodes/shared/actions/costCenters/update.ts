/** Cost Center: Update, with the current cost centers and the total of the percentages. */
import type { IDataObject } from 'n8n-workflow';
import { costCenterGet, costCenterUpdate } from '../../contract/operations';
import { employeeCostCenter } from '../../contract/resources';
import { at } from '../../errors/InputError';
import { truncate } from '../../errors/words';
import { flatten } from '../../form/names';
import type { ActionTexts, Notice, WriteAction } from '../../run/action';
import { hasRecords, textAt } from '../../values/records';
import { groupedBy, type Values } from '../../values/values';
import { readCurrent } from '../builtIn/readCurrent';
import { writeAction, type WriteRules } from '../builtIn/write';
import { notSentNotices } from '../soapCall';
import { COST_CENTER_CODE, identifiedRows, mergeRows, type MergedRows } from './merge';
import { addsUp, checkTotal, shareNotices, totalInItem } from './shares';

const CODE_TEXT = "String($collection.item.value.costCenterCode ?? '')";
const SHARE_TEXT = "String($collection.item.value.percentage ?? '').replace(/^[^=].*/, '$& %')";

const costCenterCode = (row: Values): string => textAt(row, COST_CENTER_CODE).trim();

/**
 * One line for each change, such as "4200: 62.5 → 50" and "4300: added". A row is named by its code,
 * and by its Record ID if the code is not enough.
 */
function changeLines({ changed, added, rows }: MergedRows): string[] {
	const byCode = groupedBy(rows, costCenterCode);
	const rowName = (row: Values): string => {
		const code = costCenterCode(row);
		const isEnough = row.Id === undefined || (code !== '' && byCode.get(code)?.length === 1);
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
	const list = added.map((row) => `${truncate(costCenterCode(row))} for ${whom}`);
	return [{ isProblem: false, text, list }];
}

function changesOf(merged: MergedRows): IDataObject {
	const { changed, added, kept } = merged;
	return { changes: changeLines(merged), changed, added, kept };
}

/** What a dry run shows in place of the changes if the current cost centers are not read. */
const UNREAD: IDataObject = {
	changes: ['not known, since the current cost centers are not read'],
	changed: null,
	added: null,
	kept: null,
};

/** The rules of an update. Their switches take no expression: the tool description depends on them. */
export const costCenterRules: WriteRules<'keepOthers' | 'totalMustBe100'> = {
	switches: {
		keepOthers: {
			displayName: 'Keep Other Cost Centers',
			default: true,
			noDataExpression: true,
			description:
				"Whether to read the current cost centers first, change or add only those given here, and write all of them. Those given are matched by 'Record ID', else by 'Cost Center Code'; their fields that are not given keep their values. If off, only what is given here is sent: cost centers that are not given may be lost.",
		},
		totalMustBe100: {
			displayName: 'Total Must Be 100 %',
			default: true,
			noDataExpression: true,
			description:
				'Whether to refuse percentages that are below 0 or above 100, or that do not add up to 100, before anything is sent. They are added up with those of the cost centers that are kept; if one has no percentage, the total is not checked. If off, the output item has the field <code>percentageTotal</code>.',
		},
	},
	readsFirst: ({ keepOthers }) => keepOthers,
	async decide(access, { request: asked, options, whom, isSplit }) {
		const given = at('CostCenteren', () => identifiedRows(asked.CostCenteren as Values[]));
		const current = options.keepOthers
			? await readCurrent(access, costCenterGet, asked)
			: undefined;
		const merged = current && at('CostCenteren', () => mergeRows(current, given));
		const rows = merged?.rows ?? given;
		const isUnchanged = merged?.changed.length === 0 && merged.added.length === 0;
		const sources = { given, others: merged?.others ?? [], isSplit };
		if (options.totalMustBe100 && !isUnchanged) at('CostCenteren', () => checkTotal(rows, sources));
		const total = options.totalMustBe100 ? {} : totalInItem(rows);
		const changes = { ...(merged && changesOf(merged)), ...total };
		const notices = shareNotices(rows, whom);
		if (isUnchanged) {
			// The dry run of a list always has the same columns.
			const nothing = { operation: costCenterUpdate.name, request: null, envelope: null };
			return {
				kind: 'nothingToDo',
				record: { success: true, written: false, ...changes },
				preview: () => ({ ...changes, ...nothing }),
				notices,
			};
		}
		return {
			kind: 'send',
			request: { ...asked, CostCenteren: rows },
			added: { ...(merged && { written: true }), ...changes },
			shown: { ...(!merged && UNREAD), ...changes },
			notices: [
				...notices,
				...newCodeNotices(merged?.added ?? [], whom),
				...notSentNotices(merged?.unknown ?? []),
			],
		};
	},
	async find(access, { request, options }) {
		const current = await readCurrent(access, costCenterGet, request);
		const isThere = hasRecords(employeeCostCenter, current, request.CostCenteren as Values[]);
		// A rerun only knows the rows that were given. The total shows whether the others were kept.
		const isChecked = options.keepOthers && options.totalMustBe100;
		if (!isThere || (isChecked && !addsUp(current))) return undefined;
		return { success: true, ...(options.keepOthers && { written: true }) };
	},
};

/** The title of a row, for example "4100: 40 %". It cannot evaluate an expression. */
const ROW_TITLE = `={{ [${CODE_TEXT}, ${SHARE_TEXT}].filter((text) => text !== '' && !text.startsWith('=')).join(': ') }}`;

/**
 * Creates the action that updates the cost centers of an employee. With *Keep Other Cost Centers*,
 * they are merged into the current ones, so that those that are not given, and fields that are not
 * given, stay unchanged.
 */
export function updateCostCenters(texts: ActionTexts): WriteAction {
	return writeAction(costCenterUpdate, texts, costCenterRules, ROW_TITLE);
}
