import { employeeAddress, employeeCostCenter } from '../../../nodes/shared/contract/resources.ts';
import { soapOperation } from '../../../nodes/shared/contract/soapOperation.ts';
import type { Text } from '../../../nodes/shared/errors/catalogue.ts';

// These tests are made by the compiler (`npm run typecheck`): a wrong type does not compile.

describe('an entry of the contract does not compile with', () => {
	const id = { kind: 'int' } as const;
	const list = { kind: 'list', of: employeeCostCenter } as const;
	const entry = {
		service: 'EmployeeService',
		name: 'Test_Update',
		effect: 'write',
		subject: 'EmployeeId',
		keys: ['EmployeeId'],
		request: { EmployeeId: id, Rows: list, Address: employeeAddress, Forced: { kind: 'boolean' } },
	} as const;
	const read = {
		...entry,
		effect: 'read',
		request: { EmployeeId: id },
		result: list,
	} as const;

	it('an unknown service, subject or key', () => {
		soapOperation(entry);
		// @ts-expect-error there is no such service
		soapOperation({ ...entry, service: 'EmployeService' });
		// @ts-expect-error the request has no such element
		soapOperation({ ...entry, subject: 'CompanyId' });
		// @ts-expect-error a record says neither whom nor when
		soapOperation({ ...entry, keys: ['EmployeeId', 'Address'] });
		// @ts-expect-error the subject is no key
		soapOperation({ ...entry, keys: [] });
	});

	it('a misspelled property', () => {
		// @ts-expect-error it is resultName
		soapOperation({ ...entry, resultname: 'Id' });
		const hours = { kind: 'decimal', exampel: '8' } as const;
		// @ts-expect-error it is example
		soapOperation({ ...entry, request: { ...entry.request, Hours: hours } });
	});

	it('a list to rewrite that is not a list, cannot be read, or is matched by unknown fields', () => {
		const matchBy = [['Id'], ['CostCenter', 'Code']] as const;
		const misspelled = [['CostCenter', 'Kode']] as const;
		const record = [['CostCenter']] as const;
		soapOperation({ ...entry, rewrites: { list: 'Rows', read, matchBy } });
		// @ts-expect-error the element is a record
		soapOperation({ ...entry, rewrites: { list: 'Address', read, matchBy } });
		// @ts-expect-error the rows have no such element
		soapOperation({ ...entry, rewrites: { list: 'Rows', read, matchBy: misspelled } });
		// @ts-expect-error a nested record is no single value
		soapOperation({ ...entry, rewrites: { list: 'Rows', read, matchBy: record } });
		// @ts-expect-error it writes
		soapOperation({ ...entry, rewrites: { list: 'Rows', read: entry, matchBy } });
		const yearly = { ...read, request: { EmployeeId: id, Year: id } } as const;
		// @ts-expect-error the write does not say which year to read
		soapOperation({ ...entry, rewrites: { list: 'Rows', read: yearly, matchBy } });
	});

	it('a record to insert that is not a record', () => {
		soapOperation({ ...entry, inserts: { record: 'Address', read } });
		// @ts-expect-error the element is a list
		soapOperation({ ...entry, inserts: { record: 'Rows', read } });
	});

	it('advice that depends on another element than a boolean', () => {
		const advice = { fault: /a/, text: 'Do.' as Text } as const;
		soapOperation({
			...entry,
			advice: [{ ...advice, unless: { element: 'Forced', value: true } }],
		});
		// @ts-expect-error the request has no such element
		soapOperation({ ...entry, advice: [{ ...advice, unless: { element: 'Force', value: true } }] });
	});

	it('row fields that the rows do not have', () => {
		const rows = { ...list, rowFields: [['Percentage']] } as const;
		const wrong = { ...list, rowFields: [['Share']] } as const;
		soapOperation({ ...entry, request: { EmployeeId: id, Rows: rows } });
		// @ts-expect-error the rows have no such element
		soapOperation({ ...entry, request: { EmployeeId: id, Rows: wrong } });
	});
});
