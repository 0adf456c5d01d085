/** What an update does to cost centers, as a person reads it. */
import { employeeCostCenter } from '../../contract/resources';
import { flatten } from '../../form/names';
import { textAt } from '../../values/records';
import { groupedBy, type Values } from '../../values/values';
import { CODE, codeOf, COST_CENTER_ID, IDENTITY, type MergedRows } from './rows';

const SHARE = 'Percentage';
const fields = flatten(employeeCostCenter.fields);

/**
 * Returns what names a row among records: its code, and its Record ID if the code is not enough. A new row
 * is named by its code, or by the identifier of its cost center.
 */
export function rowNames(records: readonly Values[]): (row: Values) => string {
	const byCode = groupedBy(records, codeOf);
	return (row) => {
		const code = codeOf(row);
		if (row.Id === undefined)
			return code || `${COST_CENTER_ID.label} ${textAt(row, COST_CENTER_ID)}`;
		const isEnough = code !== '' && byCode.get(code)?.length === 1;
		return isEnough ? code : `${code} Record ID ${String(row.Id)}`.trim();
	};
}

/** One text for a changed row, such as "4200: 62.5 → 0 %, ends" and "4100 → 4200, 100 %". */
function changeText(name: string, before: Values, after: Values): string {
	const all = fields.map((field) => {
		const [was, is] = [textAt(before, field), textAt(after, field)];
		const [record, ...inner] = field.path;
		const isIdentity = IDENTITY.has(inner.at(-1) ?? '');
		return { label: field.label, record, isIdentity, was, is, isSame: was === is };
	});
	const moves = all.filter(({ isIdentity, was, is, isSame }) => isIdentity && was && is && !isSame);
	const [from, to] = [codeOf(before), codeOf(after)];
	const isMoved = from !== '' && to !== '' && from !== to;
	const parts = all.flatMap(({ label, record, isIdentity, was, is, isSame }) => {
		if (label === SHARE) {
			if (isSame) return isMoved && is !== '' ? [`${is} %`] : [];
			return [`${was || 'empty'} → ${is || 'empty'} %${Number(is || NaN) === 0 ? ', ends' : ''}`];
		}
		if (isSame || (isMoved && label === CODE.label)) return [];
		// A description belongs to the cost center that is replaced, not to the new one.
		const isReplaced = moves.some((move) => move.record === record);
		if (isReplaced && !(isIdentity && is !== '')) return [];
		return [`${label} ${was || 'empty'} → ${is || 'empty'}`];
	});
	return isMoved ? [`${name} → ${to}`, ...parts].join(', ') : `${name}: ${parts.join(', ')}`;
}

/** One text for an added row, such as "4200: added, 100 %, Default". */
function additionText(name: string, row: Values): string {
	const given = fields
		.map((field) => ({ label: field.label, text: textAt(row, field) }))
		.filter(({ label, text }) => text !== '' && !/^(?:Cost Center|Record) /.test(label));
	const share = given.filter(({ label }) => label === SHARE).map(({ text }) => `${text} %`);
	const others = given.filter(({ label, text }) => label !== SHARE && text !== 'false');
	const texts = others.map(({ label, text }) => (text === 'true' ? label : `${label} ${text}`));
	return [`${name}: added`, ...share, ...texts].join(', ');
}

/** Returns what changes as one text: "4100: 60 → 0 %, ends · 4200: added, 100 %"; empty if nothing does. */
export function changesText({ before, changed, added, removed }: MergedRows): string {
	const nameOf = rowNames(before);
	const texts = [
		...changed.map((row) => changeText(nameOf(row.before), row.before, row.after)),
		...added.map((row) => additionText(nameOf(row), row)),
		...removed.map((row) => `${nameOf(row)}: removed`),
	];
	return texts.join(' · ');
}
