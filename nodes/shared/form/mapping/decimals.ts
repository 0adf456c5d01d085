/** Numbers in the texts of cells: with a decimal point, or with a decimal comma. */
import type { RecordContent } from '../../contract/fields';
import { at, collect, invalidValue } from '../../errors/InputError';
import { emptyValues, setterOf, valueAt, type Values } from '../../values/values';
import { formOf } from './mapper';

/** The label of the switch. */
export const DECIMAL_COMMA_LABEL = 'Decimal Comma';

/** "33,34" and "1.234,56". */
const WITH_COMMA = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/;
/** "33.34", and "1.234", which may be thousands. */
const WITH_POINT = /^[+-]?\d*\.\d+$/;

const KINDS: ReadonlySet<string> = new Set(['decimal', 'float']);

/**
 * Returns the text of a cell with a decimal point: "1.234,56" → "1234.56". A text that is no number is
 * left to the check of its field.
 *
 * @param isComma whether the builder says that the texts have a decimal comma
 * @throws {InputError} if the text is written the other way
 */
function decimalText(cell: string, isComma: boolean): string {
	const text = cell.trim();
	if (WITH_COMMA.test(text)) {
		const number = text.replaceAll('.', '').replace(',', '.');
		if (isComma) return number;
		throw invalidValue(
			cell,
			`is not a number. Turn on '${DECIMAL_COMMA_LABEL}', or write ${number}.`,
		);
	}
	if (isComma && WITH_POINT.test(text)) {
		throw invalidValue(
			cell,
			`has a decimal point, but '${DECIMAL_COMMA_LABEL}' is on. Write ${text.replace('.', ',')}, or turn it off.`,
		);
	}
	return cell;
}

/**
 * Returns the cells of a row with a decimal point in each text for a decimal number, see
 * {@link decimalText}. Numbers stay as they are.
 *
 * @throws {InputError} with every text that is written the other way
 */
export function withDecimalPoints(content: RecordContent, cells: Values, isComma: boolean): Values {
	const values = Object.assign(emptyValues(), cells);
	const set = setterOf(values);
	const decimals = [...formOf(content).fields.values()].filter(({ field }) =>
		KINDS.has(field.kind),
	);
	collect(decimals, ({ path }) => {
		const cell = valueAt(values, path);
		if (typeof cell === 'string')
			set(
				path,
				at(path, () => decimalText(cell, isComma)),
			);
	});
	return values;
}
