import { inNode } from '../../../dev/package/node-context.mts';
import { connectedTo } from '../../support/credential.mts';
import { requestTo } from '../../support/exchange.mts';
import { exchangeIn } from '../../support/host.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';

const payroll = usePackage();
const server = useScriptedServer();

it('a request never goes to another host than that of its address, nor above or beside it', async () => {
	const other = server.url.replace('127.0.0.1', 'localhost');
	const credential = await payroll.store(connectedTo(server.url));
	await inNode(payroll, credential, async (context) => {
		const exchange = await exchangeIn(context, `${server.url}/base`);
		const read = () => ({ value: undefined });
		const paths = ['/api', '/base/../api', '/base/%2e%2e/api', '/base/..%2Fapi', '/base-evil'];
		const above = paths.map((path) => server.url + path);
		for (const url of [`${other}/base/api`, ...above]) {
			await expect(exchange(requestTo(url), read)).rejects.toThrow(
				"A request to an address that is not below 'REST Address'",
			);
		}
	});
	expect(server.received).toHaveLength(0);
});
