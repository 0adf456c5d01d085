/** Cost Center: Update, with the records that stand there and the total of the percentages. */
import type { Fields } from '../../contract/fields';
import { costCenterGet, costCenterUpdate } from '../../contract/operations';
import { employeeCostCenter } from '../../contract/resources';
import { at, InputError } from '../../errors/InputError';
import { truncate } from '../../errors/words';
import type { InputItem } from '../../form/inputItem';
import { matchedPath } from '../../form/mapping/rows';
import { rowsOfItems } from '../../form/names';
import type { ActionTexts, Notice, WriteAction } from '../../run/action';
import type { Seen } from '../../values/compare';
import { textAt } from '../../values/records';
import { isSet, type Values } from '../../values/values';
import { writeAction, type WriteRules } from '../builtIn/write';
import { notSentNotices } from '../soapCall';
import { changesText, rowNames } from './changes';
import { CODE, codeOf, COST_CENTER_ID, identifiedRows, type MergedRows, mergeRows } from './rows';
import { shareNotices, shareOf, totalInItem, totalProblems } from './shares';

const CODE_TEXT = "String($collection.item.value.costCenterCode ?? '')";
const SHARE_TEXT = "String($collection.item.value.percentage ?? '').replace(/^[^=].*/, '$& %')";

/** What the output item of an update has besides its keys. */
const output: Fields = {
	written: { kind: 'boolean' },
	changes: { kind: 'string' },
	percentageTotal: { kind: 'decimal' },
	verified: { kind: 'boolean' },
	outcome: { kind: 'string' },
};

/** Returns notices about added cost centers: a mistyped code would be one of them, and a share may be missing. */
function addedNotices({ before, added }: MergedRows, whom: string): readonly Notice[] {
	const nameOf = rowNames(before);
	const codes = added.map((row) => truncate(nameOf(row)));
	const bare = added.filter(({ Percentage }) => !isSet(Percentage));
	const isNew = 'Cost Center Codes that are new';
	const isBare = 'Cost Center is added without a Percentage';
	const list = bare.map((row) => `${truncate(nameOf(row))} for ${whom}`);
	return [
		...(codes.length > 0 ? [{ isProblem: false, isTally: true, text: isNew, list: codes }] : []),
		...(bare.length > 0 ? [{ isProblem: true, text: isBare, list }] : []),
	];
}

const { Default, Kostensoort } = employeeCostCenter.fields;
const COST_TYPE = { path: ['Kostensoort', 'Code'], field: Kostensoort.fields.Code };

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
			Default: textAt(row, { path: ['Default'], field: Default }) === 'true' || undefined,
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
				'Whether to refuse percentages that are below 0 or above 100, or that do not add up to 100, before anything is sent. The cost centers that are kept count, too; if one has no percentage, the total is not checked.',
		},
	},
	output,
	reads: costCenterGet,
	isReadBefore: () => true,
	isRepeatable: () => true,
	rerun: () => 'That is safe here, because what is as wanted already is not written again.',
	seen,
	exclusive: ({ keepOthers }) =>
		keepOthers
			? undefined
			: "for the same employee and period, and with 'Keep Other Cost Centers' off, each removes what the other writes. To write such rows in one call, choose 'From Input Items'.",
	check({ request, options: { keepOthers, totalMustBe100 }, item, isPartial }) {
		const matchedOn = areRows(item)
			? matchedPath(costCenterUpdate.request.fields, item)
			: undefined;
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
		const given = all.filter(isSet);
		const merged = at('CostCenteren', () => mergeRows(before, all, options.keepOthers));
		const { rows, changed, added, removed, others, unknown } = merged;
		const isNeeded = [changed, added, removed].some(({ length }) => length > 0);
		if (options.totalMustBe100 && isNeeded && !isPartial) {
			const kept = options.keepOthers ? others : [];
			const problems = totalProblems(rows, given, kept, areRows(item));
			if (problems.length > 0) throw new InputError(problems).at('CostCenteren');
		}
		const text = changesText(merged);
		const total = totalInItem(rows);
		const notices = shareNotices(rows, whom);
		// A service may make a cost center the default by itself, but not keep one that is sent not to be it.
		const endsAsDefault = changed
			.filter(({ before: one, after }) => seen(one).values.Default && !seen(after).values.Default)
			.map(({ after }) => after);
		const records = rows.map((row) => {
			const one = seen(row);
			if (!endsAsDefault.includes(row)) return one;
			return { ...one, values: { ...one.values, Default: false } };
		});
		return {
			request: isNeeded ? { ...request, CostCenteren: rows } : undefined,
			wanted: { kind: 'all', records },
			item: isNeeded
				? { written: true, changes: text, ...total }
				: {
						success: true,
						written: false,
						changes: 'nothing changed',
						...total,
						outcome: 'unchanged',
					},
			shown: { changes: text || 'nothing would change', ...total },
			notices: isNeeded
				? [...notices, ...addedNotices(merged, whom), ...notSentNotices(unknown)]
				: notices,
		};
	},
};

/** The title of a row, for example "4100: 40 %". It cannot evaluate an expression. */
const ROW_TITLE = `={{ [${CODE_TEXT}, ${SHARE_TEXT}].filter((text) => text !== '' && !text.startsWith('=')).join(': ') }}`;

/**
 * Creates the action that updates the cost centers of an employee: those given are merged into the
 * records that stand there, so that fields that are not given stay unchanged. With *Keep Other Cost
 * Centers*, so do cost centers that are not given.
 */
export function updateCostCenters(texts: ActionTexts): WriteAction {
	return writeAction(costCenterUpdate, texts, rules, ROW_TITLE);
}
