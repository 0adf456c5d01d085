// For the mutation check: the package on n8n's engine consists of its sources instead of what was built of them; see
// payroll.mts.
globalThis.payrollSources = () => [
	require('../../credentials/PayrollOAuth2Api.credentials.ts').PayrollOAuth2Api,
	require('../../nodes/PayrollCompany/PayrollCompany.node.ts').PayrollCompany,
	require('../../nodes/PayrollEmployee/PayrollEmployee.node.ts').PayrollEmployee,
	require('../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts').PayrollHourCodes,
];
