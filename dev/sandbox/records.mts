/** Sample data of the operations that docs/dev/interface.md does not have, as XML, and their state. */
import { readXml, type XmlElement } from './xml.mts';

/** What the service keeps of an employee, beside cost centers and addresses. */
export interface EmployeeRecords {
	employee: XmlElement;
	wages: XmlElement[];
	absences: XmlElement[];
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A Guid that a number makes unique. */
const guidOf = (value: number): string =>
	`7c9e6679-7425-40de-944b-${value.toString(16).padStart(12, '0')}`;

export class Records {
	/** Of every company. */
	readonly settings: ReadonlyMap<string, XmlElement>;
	readonly #employees = new Map<number, EmployeeRecords>();
	#lastId = 7000;

	/** @param namespace {soap_namespace} of docs/dev/interface.md */
	constructor(private readonly namespace: string) {
		const settings = `<all><PayDay xsi:type="xsd:int">25</PayDay>
			<Bookkeeper xsi:type="xsd:string">Anna</Bookkeeper>
			<Started xsi:type="xsd:dateTime">2020-01-01T00:00:00</Started></all>`;
		const { children } = this.#read('CompanyService', settings);
		this.settings = new Map(children.map((value) => [value.name, value]));
	}

	/** Gives an identifier that no record of this kind had before. */
	newId(): number {
		return (this.#lastId += 1);
	}

	/** Gives the records of an employee that exists. */
	employee(id: number): EmployeeRecords {
		const records = this.#employees.get(id) ?? this.#sampleEmployee(id);
		this.#employees.set(id, records);
		return records;
	}

	#sampleEmployee(id: number): EmployeeRecords {
		const seed = id - 1001;
		const year = 1960 + (seed % 45);
		// Who has what is up to the last digit: most are at work, and have an address.
		const addresses = seed % 10 === 4 ? [] : [`e${id}`, `home.${id}`];
		const employee = `<Employee><Id>${guidOf(id)}</Id>
			<PersonnelNumber>${9007199254740993n + BigInt(seed)}</PersonnelNumber>
			<Initials>Ö.J.</Initials><LastName>de Groot-${id} &amp; Zn.</LastName>
			<BirthDate>${year}-${two(1 + (seed % 12))}-28</BirthDate><Gender>Female</Gender>
			<MaritalStatus>Registered partnership</MaritalStatus><CallAfter>17:30:00</CallAfter>
			<Children>${seed % 4}</Children><TaxCredit>true</TaxCredit>
			${addresses.map((name) => `<EmailAddress>${name}@payroll.example</EmailAddress>`).join('')}
			<Phones><string>+31 20 555 ${id}</string></Phones>
			<Partner><LastName>Jansen</LastName><BirthDate>1990-02-28</BirthDate>
				<BankAccount><c:IBAN>NL91ABNA0417164300</c:IBAN></BankAccount></Partner>
			<BankAccount><c:IBAN>NL20INGB0001234567</c:IBAN>
				<c:AccountHolder>de Groot</c:AccountHolder></BankAccount><Version>1</Version></Employee>`;
		const wage = (month: number, amount: string): string => `<Wage Year="2026" Period="${month}">
			<Amount Currency="EUR">${amount}</Amount><Rate>1.0250</Rate><Components>
				<Component><Code>Allowance</Code><Value xsi:type="xsd:decimal">120.50</Value></Component>
				<Component><Code>Leased car</Code><Value xsi:type="xsd:boolean">true</Value></Component>
				<Component><Code>Grade</Code><Value xsi:type="xsd:string">B2</Value></Component>
				<Component><Code>Step</Code><Value xsi:type="xsd:int">7</Value></Component>
				<Component><Code>Note</Code><Value xsi:nil="true" /></Component>
			</Components></Wage>`;
		const open = ['<End xsi:nil="true" />', '<End>0001-01-01T00:00:00</End>'][seed % 10];
		const current = `<Absence><Id>${2 * seed + 2}</Id><Start>2026-06-01T00:00:00+02:00</Start>${open}
			<Hours>4.5</Hours><Remark>Every week</Remark>
			<Cause>Doctor's visit &amp; check-up</Cause></Absence>`;
		const absences = `<all><Absence><Id>${2 * seed + 1}</Id><Start>2026-02-03T08:30:00</Start>
			<End>2026-02-10T17:00:00</End><Percentage>50.00</Percentage><Cause>Sick</Cause></Absence>
			${open === undefined ? '' : current}</all>`;
		const wages = `<all>${[wage(1, '3100.00'), wage(2, '3177.50'), wage(3, '3177.50')].join('')}</all>`;
		const read = (xml: string) => this.#read('EmployeeService', xml);
		return {
			employee: read(employee),
			wages: read(wages).children,
			absences: read(absences).children,
		};
	}

	#read(service: string, xml: string): XmlElement {
		const scope =
			`xmlns="${this.namespace}/${service}" xmlns:c="${this.namespace}/Common"` +
			' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
			' xmlns:xsd="http://www.w3.org/2001/XMLSchema"';
		const [root] = readXml(`<all ${scope}>${xml}</all>`).children;
		if (root === undefined) throw new Error('Sample data without an element');
		return root;
	}
}
