/* The tests in this folder test the sources, also where they run a node. */
import { PayrollOAuth2Api } from '../../credentials/PayrollOAuth2Api.credentials.ts';
import { PayrollCompany } from '../../nodes/PayrollCompany/PayrollCompany.node.ts';
import { PayrollEmployee } from '../../nodes/PayrollEmployee/PayrollEmployee.node.ts';
import { PayrollHourCodes } from '../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts';
import { CREDENTIAL_TYPE } from '../../dev/package/payroll.mts';
import { usePackage } from '../support/setUp.mts';

const payroll = usePackage();

it("the nodes and the credential type on n8n's engine are the sources", () => {
	const { nodeTypes, credentialTypes, loaded, packageName } = payroll.host;
	const sources = { PayrollCompany, PayrollEmployee, PayrollHourCodes };
	expect(loaded.nodes).toHaveLength(Object.keys(sources).length);
	for (const [name, Source] of Object.entries(sources)) {
		const full = `${packageName}.${name.charAt(0).toLowerCase()}${name.slice(1)}`;
		expect(nodeTypes.getByName(full)).toBeInstanceOf(Source);
	}
	expect(credentialTypes.getByName(CREDENTIAL_TYPE)).toBeInstanceOf(PayrollOAuth2Api);
});
