// Before each test file of the mutation check.

// Random values are the same for every change, so that its outcome does not depend on chance.
require('fast-check').configureGlobal({ seed: 1 });

// Tests of whole nodes run the sources, which are changed, in place of the built package; see dev/package/payroll.mts.
globalThis.payrollSources = () => ({
	payrollCompany: require('../../nodes/PayrollCompany/PayrollCompany.node.ts').PayrollCompany,
	payrollEmployee: require('../../nodes/PayrollEmployee/PayrollEmployee.node.ts').PayrollEmployee,
	payrollHourCodes: require('../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts')
		.PayrollHourCodes,
});
