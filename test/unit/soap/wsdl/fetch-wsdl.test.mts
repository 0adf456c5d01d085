/** From where the documents of a description are read (docs/other-operations.md). */
import { fetchWsdl } from '../../../../nodes/shared/soap/wsdl/fetchWsdl.ts';
import type { Exchange } from '../../../../nodes/shared/exchange/exchange.ts';
import { inNode } from '../../../../dev/package/node-context.mts';
import { accessOf, connectionTo, plainExchange } from '../../../support/exchange.mts';
import { hostOf } from '../../../support/host.mts';
import { usePackage, useScriptedServer } from '../../../support/setUp.mts';
import { definitions, operations, schema, wrapper } from '../../../support/wsdl.mts';

const payroll = usePackage();
const service = useScriptedServer();
const another = useScriptedServer();

const PATH = '/soap/v3/EmployeeService.asmx';
const DAY = schema(
	'<s:simpleType name="Day"><s:restriction base="s:date"/></s:simpleType>',
	'targetNamespace="urn:other"',
);

/** A description whose request has a field of a type in the schema at this address. */
function wsdl(schemaLocation: string): string {
	const imported = `<s:import namespace="urn:other" schemaLocation="${schemaLocation}"/>`;
	const own = wrapper('Call', '<s:element name="Day" type="o:Day"/>') + wrapper('CallResponse');
	return definitions(
		`<wsdl:types>${schema(imported + own)}</wsdl:types>${operations('Call')}`,
	).replaceAll('"urn:service"', '"urn:service/EmployeeService"');
}

/** Reads the description at a server that has the schema at any other address; returns its field. */
async function dayOf(schemaLocation: string, base = '', status = 200) {
	for (const server of [service, another]) {
		server.play((response, _, { path }) => {
			const isFirst = path === `${base}${PATH}?WSDL`;
			response.writeHead(isFirst ? 200 : status).end(isFirst ? wsdl(schemaLocation) : DAY);
		});
	}
	const connection = connectionTo(`${service.url}${base}`, { soapNamespace: 'urn:service' });
	const limits = { timeoutMs: 5000, maxBytes: 100_000 };
	const description = await inNode(payroll, undefined, async (context) => {
		// A run has an exchange of its own, by which it is known.
		const exchange: Exchange = async (request, read) => await plainExchange(request, read);
		const access = accessOf(exchange, { host: hostOf(context), connection, limits });
		return await fetchWsdl(access, 'EmployeeService', true);
	});
	return description.operation('Call').request.fields.Day;
}

const port = () => new URL(service.url).port;

it.each([
	['the same address', () => `${PATH}?xsd=1`],
	['the same origin', () => `${service.url}/types/day.xsd`],
	[
		'the address of the service, by which a proxy hides it',
		() => `http://inside.example${PATH}?xsd=1`,
	],
])('an import is read from %s', async (_, location) => {
	expect(await dayOf(location())).toMatchObject({ kind: 'date' });
	expect(service.received).toHaveLength(2);
});

it.each([
	['port', () => `${another.url}/day.xsd`],
	['host', () => `http://localhost:${port()}/day.xsd`],
	['scheme', () => `https://127.0.0.1:${port()}/day.xsd`],
])('an import is not read from another %s', async (_, location) => {
	expect(await dayOf(location())).toMatchObject({
		unsupported: 'an undefined type (Day)',
	});
	expect(service.received).toHaveLength(1);
	expect(another.received).toEqual([]);
});

it.each(['/pay-evil/day.xsd', '/pay/..%2fday.xsd'])(
	'an import beside the SOAP Address gets no secret, also if it asks for one: %s',
	async (path) => {
		await expect(dayOf(path, '/pay', 401)).rejects.toMatchObject({ httpStatus: 401 });
		const [{ headers } = { headers: {} }, ...others] = service.received.slice(1);
		expect(others).toEqual([]);
		expect(Object.keys(headers)).not.toContain('x-subscription-key');
	},
);
