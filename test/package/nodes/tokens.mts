/** A service and an identity server that answer as a test says, and a credential whose tokens no clock can judge. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { connectedTo } from '../../support/credential.mts';
import { replying, type Received, type Script } from '../../support/scripted.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';
import { soapAnswer, soapList, XML } from '../../support/soap.mts';

const addresses = soapList('Address_GetListCurrent', '');
const inserted = soapAnswer('Address_Insert', '<Address_InsertResult>7</Address_InsertResult>');

export const isInsert = ({ body }: Received) => body.includes('<Address_Insert ');
export const tokenOf = ({ headers }: Received) => headers.authorization?.replace('Bearer ', '');

/** Whether a request carries the token that the credential begins with. */
export const isOld = (request: Received) => tokenOf(request) === 'opaque-0';

/** A good answer to any request. */
export const good: Script = (...received) => {
	const [, , request] = received;
	if (request.method === 'GET') replying(200, 'application/json', [{ id: 1 }])(...received);
	else replying(200, XML, isInsert(request) ? inserted : addresses)(...received);
};

export function useTokens() {
	const payroll = usePackage();
	const [service, identity] = [useScriptedServer(), useScriptedServer()];
	let credential: string;

	/** Stores a credential whose tokens differ so. */
	async function connect(changes: IDataObject = {}): Promise<void> {
		const tokens = { access_token: 'opaque-0', refresh_token: 'refresh-0', token_type: 'Bearer' };
		credential = await payroll.store(
			connectedTo(service.url, {
				identityUrl: identity.url,
				oauthTokenData: { ...tokens, ...changes },
			}),
		);
	}

	/** Has the identity server give the tokens `opaque-1`, `opaque-2` and so on, which differ so. */
	function giveTokens(changes: IDataObject = {}): void {
		identity.play((...received) => {
			const number = received[1] + 1;
			const tokens = { access_token: `opaque-${number}`, refresh_token: `refresh-${number}` };
			replying(200, 'application/json', { ...tokens, ...changes })(...received);
		});
	}

	/** Answers requests to which this applies by a script, and all others well. */
	function refuse(bad: Script, applies: (request: Received) => boolean = () => true): void {
		service.play((...received) => (applies(received[2]) ? bad : good)(...received));
	}

	/** Runs a node for so many employees, one after the other; returns the error of each. */
	async function run(parameters: INodeParameters, count = 1) {
		const type = parameters.resource === 'hourCode' ? 'payrollHourCodes' : 'payrollEmployee';
		const all = { ...parameters, options: { concurrency: 1, firstPage: 1 } };
		const node = payroll.node(type, credential, all, { onError: 'continueRegularOutput' });
		const input = Array.from({ length: count }, (_, index) => ({ id: 1001 + index }));
		const { json } = await payroll.run(input, node);
		return json('Payroll').map(({ error }) => error as IDataObject | undefined);
	}

	/** The tokens of the requests that arrived. */
	const tokens = () => service.received.map(tokenOf);

	beforeEach(async () => {
		giveTokens();
		await connect();
	});
	afterEach(() => jest.restoreAllMocks());
	return { service, identity, connect, giveTokens, refuse, run, tokens };
}
