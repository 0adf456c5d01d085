/** Texts of the service, its description and the input items may hold HTML: the editor shows it as text. */
import type { INodeParameters } from 'n8n-workflow';
import { faultAnswer, XML } from '../../support/soap.mts';
import { replying, type Script } from '../../support/scripted.mts';
import { useScriptedServer } from '../../support/setUp.mts';
import { definitions, operations, schema, SERVICE_NS, wrapper } from '../../support/wsdl.mts';
import { getCostCenters } from '../../../dev/package/calls.mts';
import { escapeAttribute } from '../../../dev/sandbox/xml.mts';
import { versions } from '../setUp.mts';
import type { NodeView } from './node-view.mts';
import { picture } from './pictures.mts';
import { useEditor } from './setUp.mts';

/** What an attacker would show: a link, an image that tells who looks at it, and a script. */
const HTML =
	'<b>bold</b><a href="https://evil.test/">open</a><img src="https://evil.test/" onerror="alert(1)">';
const escaped = escapeAttribute(HTML);

const described = `<s:annotation><s:documentation>${escaped}</s:documentation></s:annotation>`;
const element = (name: string, type: string, more = ''): string =>
	`<s:element name="${name}" type="${type}" ${more}>${described}</s:element>`;
const choices = ['', 'two'].map((value) => `<s:enumeration value="${value || escaped}"/>`).join('');
const types =
	`<s:simpleType name="Choice"><s:restriction base="s:string">${choices}</s:restriction></s:simpleType>` +
	wrapper(
		'Call',
		element('Text', 's:string', `default="${escaped}"`) +
			element('Choice', 'tns:Choice') +
			`<s:element xmlns:x="urn:${escaped}" name="Missing" type="x:Missing"/>`,
	) +
	wrapper('CallResponse');
const wsdl = definitions(`<wsdl:types>${schema(types)}</wsdl:types>${operations('Call')}`)
	.replaceAll(SERVICE_NS, 'http://payroll.example/soap/v3/EmployeeService')
	.replace(
		/(?<=<wsdl:portType name="Port"><wsdl:operation name="Call">)/,
		`<wsdl:documentation>${escaped}</wsdl:documentation>`,
	);

const custom: INodeParameters = { resource: 'custom', operation: 'call' };
const operationName = { __rl: true, mode: 'list', value: 'Call', cachedResultName: 'Call' };
const fromItems: INodeParameters = {
	...{ resource: 'costCenter', operation: 'update' },
	...{ specifyCostCenteren: 'items', keepOthers: false },
};

const input = [
	{ id: 1, EmployeeId: 1, Period: 6, Year: 2026, Percentage: HTML, [HTML]: { [HTML]: 1 } },
];

const listed = async (view: NodeView): Promise<void> =>
	await view.resourceLocator('operationName').open();
const executed = async (view: NodeView): Promise<void> => await view.execute();
const mapped = async ({ mapper }: NodeView): Promise<void> =>
	await mapper.root
		.locator('.parameter-item, [data-test-id=empty-fields-notice]')
		.first()
		.waitFor();

describe.each(versions)('HTML in the editor of n8n %s', (version) => {
	const editor = useEditor(version);
	const service = useScriptedServer();

	beforeAll(async () => {
		const { api, credential } = editor.stage;
		await api.updateCredential(credential, { soapUrl: service.url });
	});
	it.each<[string, Script, INodeParameters, (view: NodeView) => Promise<void>, RegExp]>([
		['in a documentation', replying(200, XML, wsdl), custom, listed, /Call: <b>bold/],
		['in a form', replying(200, XML, wsdl), { ...custom, operationName }, mapped, /Missing/],
		['in a fault', replying(500, XML, faultAnswer(escaped)), getCostCenters, executed, /‹b>bold/],
		['in a column', replying(500, XML), fromItems, executed, /‹b>bold/],
	])('%s is shown as text', async (name, script, parameters, act, shown) => {
		// A description is kept by its address.
		const { api, credential } = editor.stage;
		service.play(script);
		await api.updateCredential(credential, {
			soapUrl: `${service.url}/${encodeURIComponent(name)}`,
		});
		const { view } = await editor.open('payrollEmployee', parameters, { input });
		await act(view);
		await editor.page.getByText(shown).filter({ visible: true }).first().waitFor();
		await picture(editor.page, `html-${version}-${name}`);
		expect(await editor.page.locator('[href*="evil.test"], [src*="evil.test"]').count()).toBe(0);
		expect(await editor.page.getByText('bold', { exact: true }).count()).toBe(0);
		expect(await editor.page.getByText(/&(?:amp|lt|quot);/).count()).toBe(0);
	});
});
