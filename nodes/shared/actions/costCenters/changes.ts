/** What an update does to cost centers, as a person reads it. */
import type { Field, Fields } from '../../contract/fields';
import { employeeCostCenter } from '../../contract/resources';
import { flatten, type FlatField } from '../../form/names';
import { textAt } from '../../values/records';
import { groupedBy, type Values } from '../../values/values';
import { COST_CENTER_CODE, COST_CENTER_ID, IDENTITY } from './identity';
import type { MergedRows } from './merge';

const fields = flatten(employeeCostCenter.fields);

const listOf = (of: Field): Field => ({ kind: 'list', of });
const change = { before: employeeCostCenter, after: employeeCostCenter };
/** What the output item of an update has besides its keys. */
export const changesOutput: Fields = {
	written: { kind: 'boolean' },
	changes: listOf({ kind: 'string' }),
	changed: listOf({ kind: 'record', type: '', fields: change }),
	added: listOf(employeeCostCenter),
	lost: listOf(employeeCostCenter),
	kept: listOf({ kind: 'string' }),
	verified: { kind: 'boolean' },
};

/** The code of a row's cost center; empty if it has none. */
export const costCenterCode = (row: Values): string => textAt(row, COST_CENTER_CODE).trim();

/**
 * Returns what names a row among current ones: its code, and its Record ID if the code is not enough. A new
 * row is named by its code, or by the identifier of its cost center.
 */
export function rowNames(current: readonly Values[]): (row: Values) => string {
	const byCode = groupedBy(current, costCenterCode);
	return (row) => {
		const code = costCenterCode(row);
		if (row.Id === undefined) {
			return code || `${COST_CENTER_ID.label} ${textAt(row, COST_CENTER_ID)}`;
		}
		const isEnough = code !== '' && byCode.get(code)?.length === 1;
		return isEnough ? code : `${code} Record ID ${String(row.Id)}`.trim();
	};
}

const isIdentity = ({ path: [, name = ''] }: FlatField): boolean => IDENTITY.has(name);

/** The texts of a field before and after a change. */
const textsOf = (field: FlatField, before: Values, after: Values) =>
	[textAt(before, field), textAt(after, field)] as const;

/** Whether a field is of a nested record in whose place another one comes, such as another cost center. */
function isReplaced({ path: [record] }: FlatField, before: Values, after: Values): boolean {
	const identities = fields.filter((one) => one.path[0] === record && isIdentity(one));
	return identities.some((one) => {
		const [from, to] = textsOf(one, before, after);
		return from !== '' && to !== '' && from !== to;
	});
}

/** One line for a changed row, such as "4200: 62.5 → 50" and "4100 → 4200, 100 %". */
function changeLine(name: string, before: Values, after: Values): string {
	const [from = '', to = ''] = [before, after].map(costCenterCode);
	const isMoved = from !== '' && to !== '' && from !== to;
	const parts = fields.flatMap((field) => {
		const [was, is] = textsOf(field, before, after);
		const isShare = field.label === 'Percentage';
		if (isMoved && isShare && is === was) return is === '' ? [] : [`${is} %`];
		if (is === was || (isMoved && field.label === COST_CENTER_CODE.label)) return [];
		// The description belongs to the cost center that is replaced, not to the new one.
		const isToldOf = is !== '' && isIdentity(field);
		if (!isToldOf && isReplaced(field, before, after)) return [];
		const change = `${was || 'empty'} → ${is || 'empty'}`;
		if (isShare) return [isMoved ? `${change} %` : change];
		return [`${field.label} ${change}`];
	});
	return isMoved ? [`${name} → ${to}`, ...parts].join(', ') : `${name}: ${parts.join(', ')}`;
}

/** One line for each change; empty if there is none. */
export function changeLines({ before: current, changed, added, lost }: MergedRows): string[] {
	const nameOf = rowNames(current);
	return [
		...changed.map(({ before, after }) => changeLine(nameOf(before), before, after)),
		...added.map((row) => `${nameOf(row)}: added`),
		...lost.map((row) => `${nameOf(row)}: lost`),
	];
}
