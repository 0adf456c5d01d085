/** Descriptions that are broken or made to harm: they end soon, and never break what else is read. */
import type { Field } from '../../../../nodes/shared/contract/fields.ts';
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

const TOO_DEEP = { kind: 'any', unsupported: 'a type of over 64 levels, or of itself' };
const TOO_MANY = { kind: 'any', unsupported: 'a type, as there are too many' };

describe('definitions in a circle:', () => {
	it.each(Object.entries(circular))('%s', (_, types) => {
		expect(fieldOf(types)).toEqual(TOO_DEEP);
	});
});

describe('what grows without end:', () => {
	it.each<[keyof typeof growing, number, object]>([
		['types that are not used', 20_000, { kind: 'record', type: 'T0', fields: {} }],
		['restrictions of the next type', 5_000, TOO_DEEP],
	])('%s', (name, n, field) => {
		expect(fieldOf(growing[name](n))).toEqual(field);
	});

	it.each<[keyof typeof growing, number, object]>([
		['types in fields', 20_000, { kind: 'any', unsupported: 'an undefined type (T20000)' }],
		['extensions of a large type', 2_000, TOO_MANY],
	])('%s', (name, n, innermost) => {
		let field = fieldOf(growing[name](n));
		while (field?.kind === 'record') field = field.fields.N;
		expect(field).toEqual(innermost);
	});

	it('lists of lists', () => {
		expect(fieldOf(growing['lists of lists'](20_000))?.kind).toBe('list');
	});

	it('extensions of each other', () => {
		const field = fieldOf(growing['extensions of each other'](5_000));
		const derived = field?.kind === 'record' ? (field.derived ?? []) : [];
		expect(derived[0]?.type).toBe('T1');
		expect(derived.length).toBeLessThan(200);
	});

	it('types in a chain, from whose last one many are derived', () => {
		const names = Array.from({ length: 60 }, (_, i) => `T${i}`);
		const leaves = Array.from({ length: 1_900 }, (_, i) => type(`L${i}`, extension('tns:T59')));
		const links = names.map((name, i) => type(name, i > 0 ? extension(`tns:T${i - 1}`) : ''));
		const field = fieldOf([...links, ...leaves].join(''));
		const derived = field?.kind === 'record' ? (field.derived ?? []) : [];
		expect(derived[0]?.type).toBe('T1');
		// Each type of the chain has a list of those derived from it: all lists together are bounded.
		expect(derived.length).toBeLessThan(60);
	});

	it('a port type that is bound often', () => {
		const names = Array.from({ length: 3_000 }, (_, index) => `Call${index}`);
		const bindings = binding([]).repeat(3_000);
		expect(described(definitions(operations(...names) + bindings)).operations).toHaveLength(3_000);
	});
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
		const open = () => described(callWsdl(element(name, 's:int'))).operation('Call');
		if (isRefused) expect(open).toThrow(`It has the element name "${name}", which is refused`);
		else expect(open).not.toThrow();
	});
});

it('a name that could end a tag is never a field, a type or an operation', () => {
	const name = 'a&gt;&lt;b';
	expect(() => described(callWsdl(element(name, 's:int'))).operation('Call')).toThrow(
		'element name',
	);
	expect(fieldsOf(element('F', `tns:${name}`), type(name, '')).F).toMatchObject({ kind: 'any' });
	expect(described(definitions(operations(name))).operations[0]?.unsupported).toBe(
		'It has a name that XML does not allow',
	);
});

it('numbers that are none are no limits', () => {
	expect(fieldsOf('<s:element name="F" type="s:int" minOccurs="x" maxOccurs="-1"/>').F).toEqual({
		kind: 'int',
	});
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
