// For the mutation check: the package on n8n's engine consists of its sources instead of what was built of them; see
// payroll.mts.
globalThis.payrollSources = () => ({
	...require('../../credentials/PayrollOAuth2Api.credentials.ts'),
	...require('../../nodes/PayrollCompany/PayrollCompany.node.ts'),
	...require('../../nodes/PayrollEmployee/PayrollEmployee.node.ts'),
	...require('../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts'),
});
