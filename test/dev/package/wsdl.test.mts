import { wsdl } from '../../../dev/package/wsdl.mts';
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';

describe('the WSDL', () => {
	const at = { address: 'http://x.example/?a&b', namespace: 'http://y.example' };

	it('follows the contract: bindings for both versions, arrays, enumeration, header', () => {
		const text = wsdl(soapOperations, 'EmployeeService', at);
		for (const part of [
			'<soap12:address location="http://x.example/?a&amp;b"/>',
			'<soap:operation soapAction="http://y.example/EmployeeService/CostCenter_Get"',
			'<s:element minOccurs="0" maxOccurs="1" name="CostCenteren" type="tns:ArrayOfEmployeeCostCenter"/>',
			'<s:complexType name="ArrayOfEmployeeCostCenter"><s:sequence>' +
				'<s:element minOccurs="0" maxOccurs="unbounded" name="EmployeeCostCenter"',
			'<s:enumeration value="WeekendAddress"/>',
			'<soap:header message="tns:AuthHeaderWithDomain"',
		]) {
			expect(text).toContain(part);
		}
		expect(text).not.toContain('Address_Update');
	});
});
