// Before each test file of the mutation check.

// Tests of whole nodes run the mutated sources instead of the built package; see dev/package/payroll.mts.
globalThis.payrollSources = () => ({
	payrollCompany: require('../../nodes/PayrollCompany/PayrollCompany.node.ts').PayrollCompany,
	payrollEmployee: require('../../nodes/PayrollEmployee/PayrollEmployee.node.ts').PayrollEmployee,
	payrollHourCodes: require('../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts')
		.PayrollHourCodes,
});
