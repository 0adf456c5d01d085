/** The description of a service says what its schemas and its operations say. */
import { operations } from '../../../dev/sandbox/operations.mts';
import { schemasOf, services } from '../../../dev/sandbox/schemas.mts';
import { readXml, type XmlElement } from '../../../dev/sandbox/xml.mts';
import { useService } from './setUp.mts';

const namespace = 'https://loon.example/ws';
const service = useService({ namespace }, { description: 'open' });

const addressOf = (name: string): string => `${service.sandbox.url}/soap/v3/${name}.asmx`;

async function get(name: string, search: string, token?: string) {
	const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	const response = await fetch(addressOf(name) + search, { headers });
	return { status: response.status, text: await response.text() };
}

const inside = (element: XmlElement, name: string): XmlElement[] =>
	element.children.filter((child) => child.name === name);

/** A schema without comments, and without what depends on where it lies. */
const plain = (schema: string): string =>
	schema
		.replace(/^<\?xml[^>]*\?>/, '')
		.replaceAll(/<!--[^]*?-->/g, '')
		.replaceAll(/ schemaLocation="[^"]*"/g, '')
		.replaceAll(/\s+/g, ' ')
		.trim();

describe.each(services)('the description of the %s', (name) => {
	it('has the operations with their documentation', async () => {
		const root = readXml((await get(name, '?WSDL')).text);
		expect(root.attributes.get('targetNamespace')).toBe(`${namespace}/${name}`);
		const own = Object.entries(operations).filter(([, operation]) => operation.service === name);
		const described = inside(root, 'portType').flatMap((portType) => portType.children);
		const documented = described.map((operation) => [
			operation.attributes.get('name'),
			inside(operation, 'documentation')[0]?.text,
		]);
		expect(documented).toEqual(own.map(([key, { documentation }]) => [key, documentation]));
		const bound = inside(root, 'binding').map((binding) =>
			inside(binding, 'operation').map(({ attributes }) => attributes.get('name')),
		);
		const names = own.map(([key]) => key);
		expect(bound).toEqual([names, names]);
	});

	it('has the schemas, inline or where it says', async () => {
		const { text } = await get(name, '?wsdl');
		const found: string[] = text.match(/<s:schema[^]*?<\/s:schema>/g) ?? [];
		const addresses = new Set<string>();
		for (const schema of found) {
			for (const [, location = ''] of schema.matchAll(/ schemaLocation="([^"]*)"/g)) {
				const { href } = new URL(location, addressOf(name));
				if (addresses.has(href)) continue;
				addresses.add(href);
				found.push(await (await fetch(href)).text());
			}
		}
		const schemas = schemasOf(name, namespace).map(({ contents }) => plain(contents));
		expect(found.map(plain).sort()).toEqual(schemas.sort());
	});
});

it('a description is only for clients with a token, or for nobody, in these modes', async () => {
	const statuses = async (token?: string) => [
		(await get('EmployeeService', '?wsdl', token)).status,
		(await get('EmployeeService', '?xsd=1', token)).status,
	];
	await service.sandbox.configure({ description: 'token' });
	expect(await statuses()).toEqual([401, 401]);
	expect(await statuses('none')).toEqual([401, 401]);
	expect(await statuses(service.token)).toEqual([200, 200]);
	await service.sandbox.configure({ description: 'none' });
	expect(await statuses(service.token)).toEqual([404, 404]);
});
