/** Cost Center: Update, with the current cost centers and the total of the percentages. */
import type { IDataObject } from 'n8n-workflow';
import { costCenterGet, costCenterUpdate } from '../../contract/operations';
import { employeeCostCenter } from '../../contract/resources';
import { at } from '../../errors/InputError';
import { truncate } from '../../errors/words';
import type { ActionTexts, Notice, WriteAction } from '../../run/action';
import { unmatchedRecords } from '../../values/records';
import { isSet, type Values } from '../../values/values';
import { readCurrent } from '../builtIn/readCurrent';
import { standing, withoutId } from '../builtIn/standing';
import { writeAction, type WriteRules } from '../builtIn/write';
import { notSentNotices } from '../soapCall';
import { changeLines, changesOutput, rowNames } from './changes';
import { identifiedRows } from './identity';
import { mergeRows, type MergedRows } from './merge';
import { addsUp, checkTotal, isEnded, shareNotices, totalInItem } from './shares';

const CODE_TEXT = "String($collection.item.value.costCenterCode ?? '')";
const SHARE_TEXT = "String($collection.item.value.percentage ?? '').replace(/^[^=].*/, '$& %')";

/** Returns notices about added cost centers: a mistyped code would be one of them, and a share may be missing. */
function addedNotices({ before, added }: MergedRows, whom: string): readonly Notice[] {
	const nameOf = rowNames(before);
	const noticeOf = (isProblem: boolean, text: string, rows: readonly Values[]): Notice[] => {
		const list = rows.map((row) => `${truncate(nameOf(row))} for ${whom}`);
		return list.length === 0 ? [] : [{ isProblem, text, list }];
	};
	const bare = added.filter(({ Percentage }) => !isSet(Percentage));
	return [
		...noticeOf(false, 'Cost Center Code is new, since no current record has it', added),
		...noticeOf(true, 'Cost Center is added without a Percentage', bare),
	];
}

/** Returns what changes, as an output item and a dry run have it. @param nothing if there is no change */
function changesOf(merged: MergedRows, nothing: string): IDataObject {
	const { before, changed, added, lost, kept } = merged;
	const lines = changeLines(merged);
	const changes = lines.length === 0 ? [nothing] : lines;
	return { changes, changed, added, lost, kept: kept.map(rowNames(before)) } as IDataObject;
}

/** The rules of an update. Their switches take no expression: the tool description depends on them. */
export const costCenterRules: WriteRules<'keepOthers' | 'totalMustBe100'> = {
	switches: {
		keepOthers: {
			displayName: 'Keep Other Cost Centers',
			default: true,
			noDataExpression: true,
			description:
				"Whether the current cost centers that are not given here are kept. They are read first and sent, too. Those given are matched by 'Record ID', else by 'Cost Center Code'; their fields that are not given keep their values. If off, cost centers that are not given are not sent, and are lost.",
		},
		totalMustBe100: {
			displayName: 'Total Must Be 100 %',
			default: true,
			noDataExpression: true,
			description:
				'Whether to refuse percentages that are below 0 or above 100, or that do not add up to 100, before anything is sent. They are added up with those of the cost centers that are kept; if one has no percentage, the total is not checked. If off, the output item has the field <code>percentageTotal</code>.',
		},
	},
	output: changesOutput,
	readsFirst: () => true,
	check({ request, options: { keepOthers, totalMustBe100 }, isSplit }) {
		const rows = request.CostCenteren as Values[];
		const given = at('CostCenteren', () => identifiedRows(rows));
		// Whatever else stands there is lost then.
		if (totalMustBe100 && !keepOthers) {
			at('CostCenteren', () => checkTotal(given, { given, others: [], isSplit }));
		}
		return { ...request, CostCenteren: given };
	},
	async decide(access, { request: asked, options, whom, isSplit }) {
		const given = asked.CostCenteren as Values[];
		const current = await readCurrent(access, costCenterGet, asked);
		const merged = at('CostCenteren', () => mergeRows(current, given, options.keepOthers));
		const { rows, changed, added, lost, others, unknown } = merged;
		const isUnchanged = [changed, added, lost].every(({ length }) => length === 0);
		const sources = { given, others, isSplit };
		if (options.totalMustBe100 && !isUnchanged) at('CostCenteren', () => checkTotal(rows, sources));
		const total = options.totalMustBe100 ? {} : totalInItem(rows);
		const notices = shareNotices(rows, whom);
		const done = { ...changesOf(merged, 'nothing changed'), ...total };
		const shown = { ...changesOf(merged, 'nothing would change'), ...total };
		if (isUnchanged) {
			const record = { success: true, written: false, ...done };
			return { kind: 'nothingToDo', record, shown, notices };
		}
		return {
			kind: 'send',
			request: { ...asked, CostCenteren: rows },
			added: { written: true, ...done },
			shown,
			notices: [...notices, ...addedNotices(merged, whom), ...notSentNotices(unknown)],
		};
	},
	async find(access, { request, options }) {
		const current = await readCurrent(access, costCenterGet, request);
		const rows = request.CostCenteren as Values[];
		const isThere = unmatchedRecords(employeeCostCenter, current, rows).missing.length === 0;
		// A rerun only knows the rows that were given. The total shows whether the others were kept.
		const isChecked = options.keepOthers && options.totalMustBe100;
		if (!isThere || (isChecked && !addsUp(current))) return undefined;
		return { success: true, written: true };
	},
	async verify(access, request) {
		const current = await readCurrent(access, costCenterGet, request);
		// A cost center of 0 % has ended, whether or not the service still has it.
		const [there = [], sent = []] = [current, request.CostCenteren as Values[]].map((rows) =>
			rows.filter((row) => !isEnded(row)),
		);
		const record = withoutId(employeeCostCenter);
		const { missing, others } = unmatchedRecords(record, there, sent);
		return standing(record, missing, others);
	},
};

/** The title of a row, for example "4100: 40 %". It cannot evaluate an expression. */
const ROW_TITLE = `={{ [${CODE_TEXT}, ${SHARE_TEXT}].filter((text) => text !== '' && !text.startsWith('=')).join(': ') }}`;

/**
 * Creates the action that updates the cost centers of an employee: those given are merged into the
 * current ones, so that fields that are not given stay unchanged. With *Keep Other Cost Centers*, so do
 * cost centers that are not given.
 */
export function updateCostCenters(texts: ActionTexts): WriteAction {
	return writeAction(costCenterUpdate, texts, costCenterRules, ROW_TITLE);
}
