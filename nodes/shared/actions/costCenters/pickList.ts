import { isExpression, type ILoadOptionsFunctions } from 'n8n-workflow';
import { costCenterGet } from '../../contract/operations';
import { valuesMissing } from '../../errors/usageErrors';
import { joinNames, truncate } from '../../errors/words';
import { label, parameterName } from '../../form/names';
import { checkScalar } from '../../form/requestValues';
import { isObject, type Values } from '../../values/values';
import { atDesignTime, type ListSearch } from '../designTime';
import { readRecords } from '../soapCall';

/**
 * Reads the values of the request that are currently entered in the node. The editor evaluates
 * expressions if it has the data for them; a value that is still an expression is missing.
 */
function editedValues(context: ILoadOptionsFunctions): { values: Values; missing: string[] } {
	const values: Values = {};
	const missing: string[] = [];
	for (const [name, field] of Object.entries(costCenterGet.request.fields)) {
		const value = context.getCurrentNodeParameter(parameterName(name)) as unknown;
		try {
			values[name] = checkScalar(isExpression(value) ? undefined : value, field);
		} catch {
			missing.push(`'${label(name, field)}'`);
		}
	}
	return { values, missing };
}

/** Normalizes a text for search: case and whitespace are ignored. */
const searchText = (text: string): string => text.toLowerCase().replace(/\s/g, '');

/** The name of a cost center in the list, for example "4100 Warehouse, 60 % (5003)". */
function entryName({ Id, CostCenter, Percentage }: Values): string {
	const { Code, Description } = isObject(CostCenter) ? CostCenter : {};
	const text = (value: unknown): string => truncate(String(value ?? '').trim());
	const words = [text(Code), text(Description)].filter(Boolean).join(' ');
	const share = text(Percentage) === '' ? '' : `${text(Percentage)} %`;
	return `${[words, share].filter(Boolean).join(', ')} (${text(Id)})`.trim();
}

/**
 * The list search method for *Record ID*: the employee's current cost centers in the service's order.
 * Records without an identifier are omitted.
 */
export const pickCostCenter: ListSearch = async function (filter = '') {
	const { values, missing } = editedValues(this);
	const records = await atDesignTime(this, async (access) => {
		if (missing.length > 0) throw valuesMissing(joinNames(missing));
		return await readRecords(access, costCenterGet, values);
	});
	const entries = records.flatMap((record) =>
		typeof record.Id === 'number' ? [{ name: entryName(record), value: String(record.Id) }] : [],
	);
	const wanted = searchText(filter);
	return { results: entries.filter(({ name }) => searchText(name).includes(wanted)) };
};
