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

	it('advice that depends on another element than a boolean', () => {
		const advice = { fault: /a/, text: 'Do.' as Text } as const;
		soapOperation({
			...entry,
			advice: [{ ...advice, unless: { element: 'Forced', value: true } }],
		});
		// @ts-expect-error the request has no such element
		soapOperation({ ...entry, advice: [{ ...advice, unless: { element: 'Force', value: true } }] });
	});
});
