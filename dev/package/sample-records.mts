/** The sandbox's sample data as the nodes return them, derived from the data alone. */
import type { IDataObject } from 'n8n-workflow';
import { sampleState, type Company, type Employee, type Row } from '../sandbox/state.mts';

/** As many employees as the sandbox has by default. */
const { employees, companies } = sampleState(60);

/** Elements that are not texts (docs/dev/interface.md, section 2). */
const kinds: Readonly<Record<string, (text: string) => IDataObject[string]>> = {
	Id: Number,
	Percentage: Number,
	Default: (text) => text === 'true',
};

/** Throws where the sample data have no such employee. */
export function sampleEmployee(id: number): Employee {
	const found = employees.get(id);
	if (found === undefined) throw new Error(`The sample data have no employee ${id}`);
	return found;
}

/** Throws where the sample data have no such company. */
export function sampleCompany(id: number): Company {
	const found = companies.get(id);
	if (found === undefined) throw new Error(`The sample data have no company ${id}`);
	return found;
}

/** A record of the sample data as an item has it: typed, nested records included. */
export function sampleRecord(row: Row): IDataObject {
	const entries = Object.entries(row).map(([name, value]): [string, IDataObject[string]] => [
		name,
		typeof value === 'string' ? (kinds[name]?.(value) ?? value) : sampleRecord(value),
	]);
	return Object.fromEntries(entries);
}
