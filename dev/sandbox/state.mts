/** Sample data of the payroll service, in memory: companies, employees and hour codes. */

import { Payday } from './payday/state.mts';
import { Records } from './records.mts';

/** A record as SOAP transmits it: elements in order, scalars as written. */
export interface Row {
	[element: string]: string | Row;
}

export interface HourCode {
	id: number;
	code: string;
	description: string;
}

export interface Company {
	number: number;
	name: string;
	/** The payroll period the company is in. */
	current: { year: number; period: number };
	address: Row;
	hourCodes: HourCode[];
}

export interface Employee {
	companyId: number;
	costCenters: Row[];
	addresses: Row[];
}

export interface State {
	companies: Map<number, Company>;
	employees: Map<number, Employee>;
	/** What only operations beyond docs/dev/interface.md read and write. */
	records: Records;
	payday: Payday;
	/** Gives an identifier not used before. */
	newId(): number;
}

/** Employee of the sample data without any address (from 59 employees on). */
export const withoutAddress = 1059;
/** Employees of company 200; all others are of company 100. */
export const employeesOf200 = [200001, 200002, 200003];
/** Employee of the sample data without any cost center (from 60 employees on). */
export const withoutCostCenter = 1060;

const at = <T,>(list: readonly T[], index: number): T => list[index % list.length] as T;

const costCenters = [
	['4100', 'Magazijn'],
	['4200', 'R&D <lab> "Noord"'],
	['4300', 'Café & Keuken'],
	['4400', "Directie 's-Hertogenbosch"],
	['4500', 'Überwachung / Ärztlicher Dienst'],
	['4600', 'Buitendienst Curaçao'],
] as const;

const costTypes = [
	['400', 'Salarissen'],
	['410', 'Overwerk > 40 uur'],
	['420', 'Vakantiegeld & 13e maand'],
	['430', 'Reiskosten'],
] as const;

/** Shares that add up to 100, in the notations a payroll clerk types. */
const shares = [
	['100'],
	['62.5', '37.5'],
	['33.34', '33.33', '33.33'],
	['25.00', '12.5', '37.50', '25'],
] as const;

const places = [
	['Keizersgracht', '1016 EA', 'Amsterdam', 'Noord-Holland'],
	["'s-Gravelandseweg", '1217 EJ', 'Hilversum', 'Noord-Holland'],
	['Laan van Meerdervoort', '2517 AK', "'s-Gravenhage", 'Zuid-Holland'],
	['Sint Jansstraat', '5211 JL', "'s-Hertogenbosch", 'Noord-Brabant'],
	['Oude Gracht & Werf', '3511 AP', 'Utrecht', 'Utrecht'],
	['Prinsesseweg', '9717 BH', 'Groningen', 'Groningen'],
	['Curaçaostraat', '2000 AA', 'Haarlem', 'Noord-Holland'],
	['Sint Pietersstraße', '6211 LN', 'Maastricht', 'Limburg'],
] as const;

const addressTypes = [
	'HomeAddress',
	'PostAddress',
	'WorkAddress',
	'AbsenceAddress',
	'HolidaysAddress',
	'WeekendAddress',
] as const;

function address(id: number, seed: number, isDefault: boolean): Row {
	const [street, postalCode, city, province] = at(places, seed);
	return {
		Id: String(id),
		Default: String(isDefault),
		Street: street,
		HouseNumber: String(1 + ((seed * 37) % 241)),
		HouseNumberAddition: seed % 3 === 0 ? 'B' : '',
		PostalCode: postalCode,
		City: city,
		StateProvince: province,
		CountryISOCode: 'NL',
	};
}

function employee(id: number, newId: () => number, companyId = 100): Employee {
	const seed = id - 1001;
	const center = (share: string, index: number): Row => {
		const which = seed + index;
		const [code, description] = at(costCenters, which);
		const [typeCode, typeDescription] = at(costTypes, which);
		const centerId = String(11 + (which % costCenters.length));
		return {
			Id: String(newId()),
			CostCenter: { Code: code, Description: description, Id: centerId },
			Kostensoort: { Code: typeCode, Description: typeDescription },
			Percentage: share,
			Default: String(index === 0),
		};
	};
	const home = (index: number): Row => ({
		...address(newId(), seed + index, index === 0),
		Type: at(addressTypes, index === 0 ? 0 : seed + index),
	});
	const addressCount = id === withoutAddress ? 0 : 1 + (seed % 3);
	return {
		companyId,
		costCenters: id === withoutCostCenter ? [] : at(shares, seed).map(center),
		addresses: Array.from({ length: addressCount }, (_none, index) => home(index)),
	};
}

const hourKinds = [
	'Normale uren',
	'Overuren 150%',
	'Verlof',
	'Ziekte & verzuim',
	'Café-dienst <nacht>',
];

function hourCodes(count: number, firstId: number): HourCode[] {
	return Array.from({ length: count }, (_none, index) => ({
		id: firstId + index,
		code: `U${String(index + 1).padStart(3, '0')}`,
		description: `${at(hourKinds, index)} ${Math.floor(index / hourKinds.length) + 1}`,
	}));
}

/**
 * Takes a number of employees and {soap_namespace} of docs/dev/interface.md; gives the sample data:
 * companies 100 and 200, employees from 1001, and a few of company 200.
 */
export function sampleState(
	employeeCount: number,
	namespace = 'http://payroll.example/soap/v3',
): State {
	let lastId = 5000;
	const newId = () => (lastId += 1);
	const companies = new Map<number, Company>([
		[
			100,
			{
				...{ number: 1, name: 'Bakkerij De Vries & Zn. B.V.' },
				current: { year: 2026, period: 6 },
				address: address(9001, 0, true),
				hourCodes: hourCodes(37, 301),
			},
		],
		[
			200,
			{
				...{ number: 2, name: "Café 't Hoekje" },
				current: { year: 2026, period: 5 },
				address: address(9002, 2, true),
				hourCodes: hourCodes(3, 401),
			},
		],
	]);
	const ids = Array.from({ length: employeeCount }, (_none, index) => 1001 + index);
	const employees = new Map(ids.map((id) => [id, employee(id, newId)]));
	for (const id of employeesOf200) employees.set(id, employee(id, newId, 200));
	return { companies, employees, records: new Records(namespace), payday: new Payday(), newId };
}
