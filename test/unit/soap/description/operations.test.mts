/** Which operations a description has, and which of them can be called with typed parameters. */
import { readDocument } from '../../../../nodes/shared/soap/description/documents.ts';
import { readDescription } from '../../../../nodes/shared/soap/description/readDescription.ts';
import {
	abstractOperation,
	binding,
	callWsdl,
	definitions,
	described,
	messages,
	operations,
	schema,
	SERVICE_NS,
	wrapper,
	WSDL_ADDRESS,
} from '../../../support/wsdl.mts';

const NAMES = ['Wage_Get', 'absence_Insert', 'Address_Get'];
const types = schema(NAMES.map((name) => wrapper(name) + wrapper(`${name}Response`)).join(''));
const portType = (content: string): string =>
	`<wsdl:portType name="Port">${content}</wsdl:portType>`;

/** Why the operation "Call" cannot be called. */
function unsupported(parts: {
	readonly types?: string;
	readonly messages?: string;
	readonly operation?: string;
	readonly binding?: string;
}): string | undefined {
	const wsdl = definitions(
		`<wsdl:types>${parts.types ?? schema(wrapper('Call') + wrapper('CallResponse'))}</wsdl:types>` +
			(parts.messages ?? messages('Call')) +
			portType(parts.operation ?? abstractOperation('Call')) +
			(parts.binding ?? binding(['Call'])),
	);
	return described(wsdl).operations.find(({ name }) => name === 'Call')?.unsupported;
}

describe('the list', () => {
	it('has all operations in alphabetical order', () => {
		const wsdl = definitions(`<wsdl:types>${types}</wsdl:types>${operations(...NAMES)}`);
		expect(described(wsdl).operations).toEqual([
			{ name: 'absence_Insert' },
			{ name: 'Address_Get' },
			{ name: 'Wage_Get' },
		]);
	});

	it('has the documentation of each, on one line and shortened', () => {
		const documentation = (text: string): string =>
			`<wsdl:documentation>${text}</wsdl:documentation>`;
		const wsdl = definitions(
			messages('Call') +
				messages('Other') +
				portType(
					abstractOperation('Call', documentation('\n  Calls <b>the\n service</b> ')) +
						abstractOperation('Other', documentation('x'.repeat(600))),
				),
		);
		const [call, other] = described(wsdl).operations;
		expect(call?.documentation).toBe('Calls the service');
		expect(other?.documentation).toBe(`${'x'.repeat(497)}...`);
	});

	it('has an operation once, though it is bound to SOAP 1.1 and 1.2', () => {
		const wsdl = definitions(operations('Call') + binding(['Call'], 'soap12'));
		expect(described(wsdl).operations).toEqual([{ name: 'Call' }]);
	});

	it('has no operations of other protocols', () => {
		const other = binding(['Call', 'Get'], 'http');
		expect(described(definitions(operations('Call') + other)).operations).toHaveLength(1);
		expect(described(definitions(other)).operations).toEqual([]);
	});

	it('has the operations of the port types if nothing is bound', () => {
		const wsdl = definitions(messages('Call') + portType(abstractOperation('Call')));
		expect(described(wsdl).operations).toEqual([{ name: 'Call' }]);
	});

	it('prefers the definition of a name that can be called', () => {
		const rpc = binding(['Call'], 'soap', { style: 'rpc' });
		expect(unsupported({ binding: rpc + binding(['Call'], 'soap12') })).toBeUndefined();
	});

	it('has operations of a WSDL that is imported', () => {
		const imported = 'https://service.example/part.wsdl';
		const wsdl = definitions('<wsdl:import namespace="urn:service" location="part.wsdl"/>');
		const part = definitions(`<wsdl:types>${types}</wsdl:types>${operations(...NAMES)}`);
		expect(described(wsdl).operations).toEqual([]);
		const found = described(wsdl, { [imported]: part });
		expect(found.operations).toHaveLength(3);
		expect(found.operation('Wage_Get').request).toEqual({});
	});
});

describe('an operation has', () => {
	it('its types, which are read once', () => {
		const service = described(
			callWsdl('<s:element name="Id" type="s:int"/>', '', '<s:element name="N" type="s:string"/>'),
		);
		expect(service.namespace).toBe(SERVICE_NS);
		const call = service.operation('Call');
		expect(call).toEqual({
			service: 'Service',
			name: 'Call',
			request: { Id: { kind: 'int', required: true } },
			response: { N: { kind: 'string', required: true } },
		});
		expect(service.operation('Call')).toBe(call);
	});

	it('its documentation', () => {
		const wsdl = definitions(
			`<wsdl:types>${schema(wrapper('Call') + wrapper('CallResponse'))}</wsdl:types>` +
				messages('Call') +
				portType(abstractOperation('Call', '<wsdl:documentation>Calls</wsdl:documentation>')),
		);
		expect(described(wsdl).operation('Call').documentation).toBe('Calls');
	});

	it('the part of a message that is its body', () => {
		const header = '<soap:header message="tns:CallIn" part="header" use="literal"/>';
		const parts = messages('Call').replace(
			'<wsdl:part',
			'<wsdl:part name="header" element="tns:Header"/><wsdl:part',
		);
		const bound = binding(['Call']);
		const byHeader = bound.replace('<wsdl:input>', `<wsdl:input>${header}`);
		const byParts = bound.replace('<soap:body', '<soap:body parts="parameters"');
		expect(unsupported({ messages: parts, binding: byHeader })).toBeUndefined();
		expect(unsupported({ messages: parts, binding: byParts })).toBeUndefined();
		expect(unsupported({ messages: parts })).toBe('It has more than one part in its request');
	});
});

describe('an operation stays in the list with what is unsupported:', () => {
	it.each([
		['RPC style', 'It has the RPC style', { binding: binding(['Call'], 'soap', { style: 'rpc' }) }],
		[
			'RPC style of the whole binding',
			'It has the RPC style',
			{
				binding: binding(['Call'])
					.replace('<soap:binding/>', '<soap:binding style="rpc"/>')
					.replace('<soap:operation style="document"/>', ''),
			},
		],
		[
			'SOAP encoding',
			'It has a SOAP-encoded request',
			{ binding: binding(['Call'], 'soap', { use: 'encoded' }) },
		],
		[
			'no definition',
			'It has no definition in the port type',
			{ operation: abstractOperation('Other') },
		],
		[
			'overloads',
			'It has several definitions of the same name',
			{ operation: abstractOperation('Call').repeat(2) },
		],
		[
			'no answer',
			'It has no answer',
			{ operation: abstractOperation('Call').replace(/<wsdl:output.*?\/>/, '') },
		],
		['no message', 'It has an undefined message as its request', { messages: '' }],
		[
			'no part',
			'It has no part in its request',
			{ messages: messages('Call').replace(/<wsdl:part.*?\/>/, '') },
		],
		[
			'a type as its part',
			'It has a type instead of an element as its request',
			{ messages: messages('Call').replace('element="tns:Call"', 'type="s:string"') },
		],
		[
			'another element',
			'It has the element Other as its request, not Call',
			{ messages: messages('Call').replace('element="tns:Call"', 'element="tns:Other"') },
		],
		[
			'another answer',
			'It has the element Other as its answer, not CallResponse',
			{ messages: messages('Call').replace('"tns:CallResponse"', '"tns:Other"') },
		],
		[
			'another namespace',
			"It has the answer in another namespace than the service's",
			{ messages: messages('Call').replace('"tns:CallResponse"', '"o:CallResponse"') },
		],
		[
			'an unbound prefix',
			'It has the unbound prefix "x"',
			{ messages: messages('Call').replace('"tns:Call"', '"x:Call"') },
		],
	])('%s', (_, expected, parts) => {
		expect(unsupported(parts)).toBe(expected);
	});

	it('a name that XML does not allow, or that is refused', () => {
		const refused = (name: string): string | undefined =>
			described(definitions(operations(name))).operations[0]?.unsupported;
		expect(refused('a b')).toBe('It has a name that XML does not allow');
		expect(refused('__proto__')).toBe('It has the element name "__proto__", which is refused');
	});
});

describe('an operation cannot be opened if', () => {
	const opened = (request: string, types = ''): (() => unknown) => {
		const wsdl = definitions(
			`<wsdl:types>${schema(request + wrapper('CallResponse') + types)}</wsdl:types>${operations('Call')}`,
		);
		return () => described(wsdl).operation('Call');
	};

	it('the service does not have it', () => {
		expect(() => described(callWsdl('')).operation('constructor')).toThrow(
			'The service has no operation constructor',
		);
	});

	it('it is in the list as unsupported', () => {
		const wsdl = callWsdl('').replace('style="document"', 'style="rpc"');
		expect(() => described(wsdl).operation('Call')).toThrow(
			'Call cannot be called with typed parameters. It has the RPC style',
		);
	});

	it.each([
		['its element is not defined', '', 'an undefined element (Call)'],
		[
			'its element is a text',
			'<s:element name="Call" type="s:string"/>',
			'content other than a sequence of elements',
		],
		[
			'its element has attributes',
			'<s:element name="Call"><s:complexType><s:attribute name="Id"/></s:complexType></s:element>',
			'attributes',
		],
		[
			'its content is mixed',
			'<s:element name="Call"><s:complexType mixed="true"/></s:element>',
			'mixed content',
		],
		['its type is not defined', '<s:element name="Call" type="tns:T"/>', 'an undefined type (T)'],
	])('%s', (_, request, reason) => {
		expect(opened(request)).toThrow(
			`Call cannot be called with typed parameters. It has ${reason}`,
		);
	});

	it('not if its type has a name', () => {
		const type =
			'<s:complexType name="T"><s:sequence><s:element name="A"/></s:sequence></s:complexType>';
		expect(opened('<s:element name="Call" type="tns:T"/>', type)).not.toThrow();
	});
});

describe('a text that is no description is an error in words:', () => {
	const INSTEAD = 'instead of a description of the service (WSDL)';

	it.each([
		['an empty text', ' \n', `The address answers with an empty text ${INSTEAD}`],
		[
			'a web page',
			'<!DOCTYPE html><html><body>Log in<br></body></html>',
			`The address answers with a web page ${INSTEAD}`,
		],
		['a web page in XML', '<html xmlns="x"/>', `The address answers with a web page ${INSTEAD}`],
		['a schema', schema(''), `The address answers with an XML schema ${INSTEAD}`],
		[
			'WSDL 2.0',
			'<description xmlns="http://www.w3.org/ns/wsdl"/>',
			`The address answers with WSDL 2.0 ${INSTEAD}`,
		],
		['other XML', '<rss/>', `The address answers with the XML element rss ${INSTEAD}`],
		[
			'another namespace',
			'<definitions xmlns="urn:x"/>',
			`The address answers with the XML element definitions ${INSTEAD}`,
		],
		[
			'half a file',
			callWsdl('').slice(0, 600),
			'The description of the service holds no well-formed XML (line 1)',
		],
		[
			'a document type',
			`<!DOCTYPE x [<!ENTITY a "a">]>${callWsdl('')}`,
			'The description of the service holds a document type declaration, which is refused',
		],
	])('%s', (_, text, message) => {
		expect(() => described(text)).toThrow(message);
	});

	it('no document at all', () => {
		expect(() => readDescription('Service', [])).toThrow('There is no description of the service');
	});

	it('too many operations', () => {
		const names = Array.from({ length: 10_001 }, (_, index) => `Call${index}`);
		expect(() => described(definitions(operations(...names)))).toThrow(
			'The description of the service has over 10000 operations',
		);
	});
});

describe('the types are parsed when an operation is opened,', () => {
	const wsdl = callWsdl('<s:element name="Id" type="s:int"/>');

	it('so that an error in them is one of the operation', () => {
		const service = described(wsdl.replace('<s:element name="Id"', '<s:element name=Id'));
		expect(service.operations).toEqual([{ name: 'Call' }]);
		expect(() => service.operation('Call')).toThrow(
			'The description of the service holds no well-formed XML (line 1)',
		);
	});

	it.each([
		['behind a declaration', `\ufeff<?xml version="1.0"?>\n${wsdl}`],
		['behind a comment', `<!-- <wsdl:types> -->${wsdl}`],
		['beside a comment', wsdl.replace('</wsdl:types>', '<!-- </wsdl:types> --></wsdl:types>')],
		[
			'behind an element that is named like them',
			wsdl.replace('<wsdl:types>', '<x:types xmlns:x="urn:x"/><wsdl:types>'),
		],
		[
			'behind elements that are named like them',
			wsdl.replace(
				'<wsdl:types>',
				'<wsdl:documentation><wsdl:types>a</wsdl:types></wsdl:documentation><wsdl:types>',
			),
		],
		[
			'around elements that are named like them',
			wsdl.replace('<wsdl:types>', '<wsdl:types><wsdl:types></wsdl:types>'),
		],
		['in an element with ">" in it', wsdl.replace('<wsdl:types>', '<wsdl:types a="/>">')],
		['in a document with ">" in its root', wsdl.replace('>', ' a=">">')],
	])('%s', (_, text) => {
		expect(described(text).operation('Call').request).toEqual({
			Id: { kind: 'int', required: true },
		});
	});
});

it('the addresses of imports are relative to the document', () => {
	const wsdl = definitions(
		'<wsdl:import namespace="x" location="Part.wsdl#top"/><wsdl:types>' +
			schema(
				'<s:import namespace="urn:other" schemaLocation="?xsd=1"/><s:import namespace="urn:own"/>' +
					'<s:include schemaLocation="../types/all.xsd"/><s:redefine schemaLocation="https://else.example/x.xsd"/>' +
					'<s:include schemaLocation="../types/all.xsd"/><s:include schemaLocation="https://"/>',
			) +
			'</wsdl:types>',
	);
	expect(readDocument(WSDL_ADDRESS, wsdl).imports).toEqual([
		'https://service.example/Part.wsdl',
		'https://service.example/Service.asmx?xsd=1',
		'https://service.example/types/all.xsd',
		'https://else.example/x.xsd',
	]);
});
