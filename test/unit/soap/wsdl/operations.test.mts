/** Which operations a description has, and which of them can be called with typed parameters. */
import { readDocument } from '../../../../nodes/shared/soap/wsdl/fetch.ts';
import type { Wsdl } from '../../../../nodes/shared/soap/wsdl/Wsdl.ts';
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

const portType = (content: string): string =>
	`<wsdl:portType name="Port">${content}</wsdl:portType>`;
const elements = wrapper('Call') + wrapper('CallResponse');

/** A description with the operation "Call", of which a part differs. */
function callWith(parts: {
	readonly types?: string;
	readonly operation?: string;
	readonly binding?: string;
}): Wsdl {
	const wsdl = definitions(
		`<wsdl:types>${parts.types ?? schema(elements)}</wsdl:types>` +
			messages('Call') +
			portType(parts.operation ?? abstractOperation('Call')) +
			(parts.binding ?? binding(['Call'])),
	);
	return described(wsdl);
}

/** Why the operation "Call" cannot be called. */
function unsupported(parts: Parameters<typeof callWith>[0]): string | undefined {
	return callWith(parts).operations.find(({ name }) => name === 'Call')?.unsupported;
}

describe('the list', () => {
	const namesIn = (content: string, imported: Record<string, string> = {}): string[] =>
		described(definitions(content), imported).operations.map(({ name }) => name);

	it('has all operations in alphabetical order, also those of a WSDL that is imported', () => {
		const names = ['Wage_Get', 'absence_Insert', 'Address_Get'];
		const sorted = ['absence_Insert', 'Address_Get', 'Wage_Get'];
		expect(namesIn(operations(...names))).toEqual(sorted);
		const imported = '<wsdl:import namespace="urn:service" location="part.wsdl"/>';
		const part = definitions(operations(...names));
		expect(namesIn(imported)).toEqual([]);
		expect(namesIn(imported, { 'https://service.example/part.wsdl': part })).toEqual(sorted);
	});

	it('has an operation once, though it is bound to SOAP 1.1 and 1.2', () => {
		expect(namesIn(operations('Call') + binding(['Call'], 'soap12'))).toEqual(['Call']);
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
			effect: 'write',
			request: { fields: { Id: { kind: 'int', required: true } } },
			response: { fields: { N: { kind: 'string', required: true } } },
		});
		expect(service.operation('Call').request).toBe(call.request);
	});

	describe('the name of its input, if ASP.NET gives it one (MessageName):', () => {
		const message = (name: string): string => `<wsdl:input name="${name}"`;
		/** The operation "Get", whose input has another name than its element if that is given. */
		const operation = (element: string, input?: string): string =>
			abstractOperation(element)
				.replace(/operation name="\w+"/, 'operation name="Get"')
				.replace('<wsdl:input', input === undefined ? '<wsdl:input' : message(input));
		/** The binding of operations "Get", whose inputs have these names. */
		const bound = (...inputs: ReadonlyArray<string | undefined>): string => {
			const left = [...inputs];
			return binding(inputs.map(() => 'Get')).replace(/<wsdl:input/g, (start) => {
				const input = left.shift();
				return input === undefined ? start : message(input);
			});
		};
		const service = (operations: string, bindings: string): Wsdl => {
			const names = ['Get', 'GetById', 'GetByName'];
			const types = names.map(
				(name) =>
					wrapper(name, `<s:element name="${name}" type="s:int"/>`) + wrapper(`${name}Response`),
			);
			return described(
				definitions(
					`<wsdl:types>${schema(types.join(''))}</wsdl:types>${names.map(messages).join('')}` +
						portType(operations) +
						bindings,
				),
			);
		};

		it('overloads are operations of their own', () => {
			const overloads = service(
				operation('Get') + operation('GetById', 'GetById') + operation('GetByName', 'GetByName'),
				bound(undefined, 'GetByName', 'GetById'),
			);
			expect(overloads.operations).toEqual(
				['Get', 'GetById', 'GetByName'].map((name) => ({ name })),
			);
			const { name, request } = overloads.operation('GetById');
			expect([name, Object.keys(request.fields)]).toEqual(['GetById', ['GetById']]);
		});

		it('an overload whose input is no element is listed with the reason', () => {
			const { operations } = service(operation('Get'), bound(undefined, 'GetAll'));
			expect(operations).toEqual([
				{ name: 'Get' },
				{ name: 'GetAll', unsupported: 'It has an undefined element (GetAll)' },
			]);
		});
	});
});

describe('an operation stays in the list with what is unsupported: it has', () => {
	const rpc = binding(['Call'], 'soap', { style: 'rpc' });
	const rpcOfAll = rpc
		.replace('<soap:binding/>', '<soap:binding style="rpc"/>')
		.replace('<soap:operation style="rpc"/>', '');
	it.each([
		['the RPC style', { binding: rpc }],
		['the RPC style', { binding: rpcOfAll }],
		['an undefined element (Call)', { types: schema(wrapper('CallResponse')) }],
		['an undefined element (CallResponse)', { types: schema(wrapper('Call')) }],
		['an undefined element (Call)', { types: schema(elements, 'targetNamespace="urn:other"') }],
	])('%s (%#)', (expected, parts) => {
		expect(unsupported(parts)).toBe(`It has ${expected}`);
	});
});

describe('an operation cannot be opened if', () => {
	const opened = (request: string) => () =>
		callWith({ types: schema(request + wrapper('CallResponse')) }).operation('Call');

	it('the service does not have it', () => {
		expect(() => described(callWsdl('')).operation('constructor')).toThrow(
			expect.objectContaining({ failure: 'OPERATION_UNUSABLE', facts: { name: 'constructor' } }),
		);
	});

	it.each([
		['an undefined element (Call)', ''],
		['content other than a sequence of elements', '<s:element name="Call" type="s:string"/>'],
		[
			'attributes',
			'<s:element name="Call"><s:complexType><s:attribute name="Id"/></s:complexType></s:element>',
		],
		['a text between elements', '<s:element name="Call"><s:complexType mixed="true"/></s:element>'],
		['an undefined type (T)', '<s:element name="Call" type="tns:T"/>'],
	])('it has %s', (reason, request) => {
		const facts = { name: 'Call', reason: `It has ${reason}` };
		expect(opened(request)).toThrow(
			expect.objectContaining({ failure: 'OPERATION_UNUSABLE/untyped', facts }),
		);
	});
});

describe('a text that is no description is an error in words:', () => {
	it.each([
		['an empty text', ' \n'],
		['a web page', '<!DOCTYPE html><html><body>Log in<br></body></html>'],
		['a web page', '<html xmlns="x"/>'],
		['the XML element schema', schema('')],
		['the XML element rss', '<rss/>'],
		['the XML element definitions', '<definitions xmlns="urn:x"/>'],
	])('%s (%#)', (found, text) => {
		const message = `The address answers with ${found} instead of a description of the service (WSDL)`;
		expect(() => described(text)).toThrow(message);
	});

	it.each([
		['no well-formed XML (line 1)', callWsdl('').slice(0, 600)],
		[
			'a document type declaration, which is refused',
			`<!DOCTYPE x [<!ENTITY a "a">]>${callWsdl('')}`,
		],
	])('%s', (found, text) => {
		expect(() => described(text)).toThrow(`The description of the service holds ${found}`);
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
	expect(readDocument(WSDL_ADDRESS, wsdl, true).imports).toEqual([
		'https://service.example/Part.wsdl',
		'https://service.example/Service.asmx?xsd=1',
		'https://service.example/types/all.xsd',
	]);
});
