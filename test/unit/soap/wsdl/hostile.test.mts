/** Descriptions that are broken, large or made to harm: they end soon, and never break what else is read. */
import type { Field, RecordField } from '../../../../nodes/shared/contract/fields.ts';
import { ServiceError } from '../../../../nodes/shared/errors/ServiceError.ts';
import { WsdlError } from '../../../../nodes/shared/soap/wsdl/documents.ts';
import {
	circular,
	element,
	extension,
	growing,
	sequence,
	type,
} from '../../../fuzz/description-texts.mts';
import { inTime, long } from '../../../support/long.mts';
import {
	abstractOperation,
	binding,
	callWsdl,
	definitions,
	described,
	fieldsOf,
	operations,
	schema,
	wrapper,
} from '../../../support/wsdl.mts';

const OK = element('Ok', 's:int');

/** The field of type "T0" of a request that also has a field "Ok", which is read all the same. */
function fieldOf(types: string): Field | undefined {
	const fields = fieldsOf(element('F', 'tns:T0') + OK, types);
	expect(fields.Ok).toEqual({ kind: 'int' });
	return fields.F;
}

const count = (length: number, text: (i: number) => string): string =>
	Array.from({ length }, (_, i) => text(i)).join('');

const TOO_DEEP = { kind: 'any', unsupported: 'a type of over 64 levels, or of itself' };
const TOO_MANY = { kind: 'any', unsupported: 'a type, as there are too many' };

it.each(Object.entries(circular))('definitions in a circle: %s', (_, types) => {
	const list = { kind: 'any', unsupported: 'a list of values in a text' };
	expect([TOO_DEEP, list]).toContainEqual(fieldOf(types));
});

describe('what grows without end:', () => {
	it.each<[keyof typeof growing, number, object]>([
		['types that are not used', 20_000, { kind: 'record', type: 'T0', fields: {} }],
		['restrictions of the next type', 5_000, TOO_DEEP],
		['types in fields', 20_000, { kind: 'any', unsupported: 'an undefined type (T20000)' }],
		['extensions of a large type', 2_000, TOO_MANY],
		['extensions of each other', 5_000, { kind: 'record', type: 'T0', fields: {} }],
	])('%s', (name, n, innermost) => {
		let field = fieldOf(growing[name](n));
		while (field?.kind === 'record' && 'N' in field.fields) field = field.fields.N;
		expect(field).toEqual(innermost);
	});

	it('lists of lists', () => {
		expect(fieldOf(growing['lists of lists'](20_000))?.kind).toBe('list');
	});

	it('operations of one name, and bindings of one operation', () => {
		const overload = (i: number): string =>
			`<wsdl:operation name="Call"><wsdl:input name="O${i}"/></wsdl:operation>`;
		const types = `<wsdl:types>${schema(wrapper('Call') + wrapper('CallResponse'))}</wsdl:types>`;
		const bound = `<wsdl:binding type="tns:Port"><soap:binding/>${count(20_000, overload)}</wsdl:binding>`;
		const overloads = described(definitions(types + bound)).operations;
		expect(overloads).toHaveLength(20_000);
		expect(overloads[1]?.unsupported).toBe('It has an undefined element (O1)');
		const portType = `<wsdl:portType name="Port">${abstractOperation('Call').repeat(20_000)}</wsdl:portType>`;
		const often = definitions(types + portType + binding(['Call']).repeat(3_000));
		expect(described(often).operations).toEqual([{ name: 'Call' }]);
	});

	it('a type of 50,000 fields in 8,000 elements, which is read once', () => {
		const wide = type('B', sequence(count(50_000, (i) => element(`E${i}`, 's:int'))));
		const fields = fieldsOf(
			count(8_000, (i) => element(`F${i}`, 'tns:B')),
			wide,
		);
		expect((fields.F7999 as RecordField).fields).toBe((fields.F0 as RecordField).fields);
	});
});

it('a document of more elements is refused', () => {
	const nested = `${'<a>'.repeat(50)}x${'</a>'.repeat(50)}`.repeat(20_000);
	const wsdl = definitions(`<wsdl:documentation>${nested}</wsdl:documentation>`);
	expect(() => described(wsdl)).toThrow(WsdlError);
	expect(() => described(wsdl)).toThrow('refused (over 120000 elements)');
});

describe.each([
	['__proto__', true],
	['constructor', true],
	['toString', false],
])('%s, of the object prototype,', (name, isRefused) => {
	it('may be the name of a type', () => {
		const fields = fieldsOf(element('F', `tns:${name}`), type(name, sequence(OK)));
		expect(fields.F).toEqual({ kind: 'record', type: name, fields: { Ok: { kind: 'int' } } });
		expect(fieldsOf(element('F', `tns:${name}`)).F).toMatchObject({ kind: 'any' });
	});

	it('is no operation that the service does not have, and may be refused as one', () => {
		expect(() => described(callWsdl('')).operation(name)).toThrow(ServiceError);
		const own = schema(wrapper(name) + wrapper(`${name}Response`));
		const service = described(definitions(`<wsdl:types>${own}</wsdl:types>${operations(name)}`));
		expect(service.operations).toHaveLength(1);
		if (isRefused) expect(() => service.operation(name)).toThrow(ServiceError);
		else expect(service.operation(name).request.fields).toEqual({});
	});

	it('as the name of a field changes no prototype', () => {
		const fields = fieldsOf(element('F', 'tns:T'), type('T', sequence(element(name, 's:int'))));
		expect(fields.F?.kind).toBe(isRefused ? 'any' : 'record');
		expect(({} as Record<string, unknown>).kind).toBeUndefined();
	});
});

it('a name that could end a tag is never a field, a type or an operation', () => {
	const name = 'a&gt;&lt;b';
	expect(() => described(callWsdl(element(name, 's:int'))).operation('Call')).toThrow(
		'element name',
	);
	expect(fieldsOf(element('F', `tns:${name}`), type(name, '')).F).toMatchObject({ kind: 'any' });
	expect(described(definitions(operations(name))).operations).toEqual([]);
	expect(described(definitions(operations('={{ $json.a }}'))).operations).toEqual([]);
});

it.each(['<a', '<![CDATA[', '<a b="c" '])('a long text that begins with %s ends soon', (start) => {
	const text = start + long('eyJ.');
	expect(() => inTime(() => described(text))).toThrow(WsdlError);
});

it('every part of a description may be cut off', () => {
	const whole = callWsdl(element('F', 'tns:T'), type('T', extension('tns:B', sequence(OK))));
	for (let end = 0; end < whole.length; end += 7) {
		expect(() => described(whole.slice(0, end))).toThrow(WsdlError);
	}
});
