/** Cost Center: Update, with the records that stand there and the total of the percentages. */
import { costCenterGet, costCenterUpdate } from '../../contract/operations';
import { employeeCostCenter } from '../../contract/resources';
import { at, InputError } from '../../values/InputError';
import { truncate } from '../../errors/words';
import type { InputItem } from '../../form/inputItem';
import { matchedPath } from '../../form/mapping/mapper';
import { rowsOfItems } from '../../form/names';
import { noticeOf, notSentNotices } from '../../form/requestValues';
import type { ActionTexts, WriteAction } from '../../run/action';
import type { Seen } from '../../run/judge';
import { textAt } from '../../values/records';
import { readScalar } from '../../values/scalars';
import { isSet, type Values } from '../../values/values';
import { writeAction, type WriteRules } from '../builtIn/soap';
import { changesText, rowNames } from './changes';
import { CODE, codeOf, COST_CENTER_ID, identifiedRows, isDefault, mergeRows } from './rows';
import { shareNotices, shareOf, totalOf, totalProblems } from './shares';

const COST_TYPE = {
	path: ['Kostensoort', 'Code'],
	field: employeeCostCenter.fields.Kostensoort.fields.Code,
};

/** Returns which cost center a record is, and how much: what the service assigns or describes is not compared. */
function seen(row: Values): Seen {
	const code = codeOf(row);
	const share = shareOf(row);
	return {
		isNothing: share !== '' && Number(share) === 0,
		values: {
			[CODE.label]: code || undefined,
			// The identifier of a cost center stands for its code where that is not given.
			[COST_CENTER_ID.label]: code === '' ? textAt(row, COST_CENTER_ID) || undefined : undefined,
			'Cost Type Code': textAt(row, COST_TYPE).trim() || undefined,
			Percentage: share === '' ? undefined : Number(share),
			Default: isDefault(row) || undefined,
		},
	};
}

/** Whether input items are the rows of a call. */
const areRows = (item: InputItem): boolean =>
	rowsOfItems(item, costCenterUpdate.request.fields) !== undefined;

/** The rules of an update. Their switches take no expression: the tool description depends on them. */
const rules: WriteRules<'keepOthers' | 'totalMustBe100'> = {
	switches: {
		keepOthers: {
			displayName: 'Keep Other Cost Centers',
			default: true,
			noDataExpression: true,
			description:
				'Whether to keep the cost centers that you do not enter. If off, they are removed.',
		},
		totalMustBe100: {
			displayName: 'Total Must Be 100 %',
			default: true,
			noDataExpression: true,
			description:
				'Whether to refuse percentages that are below 0 or above 100, or that do not add up to 100, before the cost centers of the employee are written. The cost centers that are kept count, too; if one has no percentage, the total is not checked.',
		},
	},
	output: {
		written: { kind: 'boolean' },
		changes: { kind: 'string' },
		percentageTotal: { kind: 'decimal' },
	},
	reads: costCenterGet,
	isRepeatable: () => true,
	rerun: () => 'That is safe here, because what is as wanted already is not written again.',
	seen,
	exclusive: ({ keepOthers }) =>
		keepOthers
			? undefined
			: "for the same employee and period, and with 'Keep Other Cost Centers' off, each removes what the other writes. To write such rows in one call, choose 'From Input Items'.",
	check({ request, options: { keepOthers, totalMustBe100 }, item, isPartial }) {
		const matchedOn = matchedPath(costCenterUpdate.request.fields, item);
		const all = request.CostCenteren as ReadonlyArray<Values | undefined>;
		const { results: given, problems } = identifiedRows(all, matchedOn);
		const rows = given.filter(isSet);
		// Whatever else stands there is removed then. A row that cannot be used has a share, too.
		const isTotal = totalMustBe100 && !keepOthers && !isPartial && problems.length === 0;
		const total = isTotal ? totalProblems(rows, rows, [], areRows(item)) : [];
		return {
			request: { ...request, CostCenteren: given },
			problems: new InputError([...problems, ...total]).at('CostCenteren').problems,
		};
	},
	plan({ request, options, whom, item, isPartial }, before = []) {
		const all = request.CostCenteren as ReadonlyArray<Values | undefined>;
		const merged = at('CostCenteren', () => mergeRows(before, all, options.keepOthers));
		const { rows, changed, added, removed, others, unknown } = merged;
		const isNeeded = [changed, added, removed].some(({ length }) => length > 0);
		if (options.totalMustBe100 && isNeeded && !isPartial) {
			const problems = totalProblems(rows, all.filter(isSet), others, areRows(item));
			if (problems.length > 0) throw new InputError(problems).at('CostCenteren');
		}
		const changes = changesText(merged);
		const total = totalOf(rows);
		const percentageTotal =
			total === undefined ? null : (readScalar({ kind: 'decimal' }, total) ?? null);
		const shown = { changes: changes || 'nothing would change', percentageTotal };
		const notices = shareNotices(rows, whom);
		if (!isNeeded) {
			const none = { changes: 'nothing changed', percentageTotal };
			const item = { ...none, success: true, written: false, outcome: 'unchanged' };
			return { request: undefined, item, shown, notices };
		}
		const beforeOf = new Map(changed.map((row) => [row.after, row.before]));
		const records = rows.map((row): Seen => {
			const { values, ...record } = seen(row);
			const was = beforeOf.get(row);
			// A service may make a cost center the default by itself, but not keep one that is sent not to be it.
			const isEnded = was && isDefault(was) && !isDefault(row);
			return { ...record, values: isEnded ? { ...values, Default: false } : values };
		});
		const nameOf = rowNames(merged.before);
		const names = added.map((row) => truncate(nameOf(row)));
		return {
			request: { ...request, CostCenteren: rows },
			wanted: { kind: 'all', records },
			item: { changes, percentageTotal, written: true },
			shown,
			notices: [
				...notices,
				// A mistyped code would be new.
				...noticeOf('new', 'Cost Center Codes that are new', names),
				...notSentNotices(unknown),
			],
		};
	},
};

const CODE_TEXT = "String($collection.item.value.costCenterCode ?? '')";
const SHARE_TEXT = "String($collection.item.value.percentage ?? '').replace(/^[^=].*/, '$& %')";

/** The title of a row, for example "4100: 40 %". It cannot evaluate an expression. */
const ROW_TITLE = `={{ [${CODE_TEXT}, ${SHARE_TEXT}].filter((text) => text !== '' && !text.startsWith('=')).join(': ') }}`;

/** Creates the action that merges given cost centers into the records of an employee. */
export function updateCostCenters(texts: ActionTexts): WriteAction {
	return writeAction(costCenterUpdate, texts, rules, ROW_TITLE);
}
