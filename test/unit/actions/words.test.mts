/** The words by which the list of operations is searched. */
import { searchFor } from '../../../nodes/shared/form/words.ts';

const operations = {
	Absence_GetList: 'Gets the absences of an employee.',
	CostCenter_Get: 'Gets all cost centers',
	Employment_GetList: 'Gets the employments of an employee, all of them or those at a date.',
	HourComponentVar_Insert: 'Inserts a variable hour component',
	List_GetByCompany: 'Returns the employees of a company',
	PersonalInfo_GetCurrent: 'Présent data, <b>since</b> always',
	SalaryDocuments_GetPaySlip: '',
	Verlof_Toevoegen: 'Voegt verlof toe',
};
const found = (search: string): string[] => {
	const isFound = searchFor(search);
	const entries = Object.entries(operations).filter((entry) => isFound(entry.join(' ')));
	return entries.map(([name]) => name);
};

it.each<[string, string[]]>([
	['', Object.keys(operations)],
	['kostenplaatsen', ['CostCenter_Get']],
	['cost_center', ['CostCenter_Get']],
	['dienstverband', ['Employment_GetList']],
	['urencomponenten', ['HourComponentVar_Insert']],
	['medewerkers bedrijf', ['List_GetByCompany']],
	['persoonsgegevens', ['PersonalInfo_GetCurrent']],
	['add leave', ['Verlof_Toevoegen']],
	['additional', []],
	['vakantie', ['Verlof_Toevoegen']],
	// In the whole text, with parts of words, without accents.
	['GetCurrent', ['PersonalInfo_GetCurrent']],
	['present since', ['PersonalInfo_GetCurrent']],
	['présent', ['PersonalInfo_GetCurrent']],
	// All words are wanted.
	['verzuim loonstrook', []],
])('%j finds %j', (search, expected) => {
	expect(found(search)).toEqual(expected);
});

it('a word stands for the beginnings of words only', () => {
	// "run" is in "trunk", and is no payroll run there.
	expect(searchFor('verloning')('Trunk_Get')).toBe(false);
	expect(searchFor('verloning')('Run_Get')).toBe(true);
});
