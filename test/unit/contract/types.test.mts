import { employeeAddress, employeeCostCenter } from '../../../nodes/shared/contract/resources.ts';
import { soapOperation } from '../../../nodes/shared/contract/soapOperation.ts';

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
		// @ts-expect-error it is advice
		soapOperation({ ...entry, advise: () => [] });
		const hours = { kind: 'decimal', exampel: '8' } as const;
		// @ts-expect-error it is example
		soapOperation({ ...entry, request: { ...entry.request, Hours: hours } });
	});
});
