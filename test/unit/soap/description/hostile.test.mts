/** Descriptions that are broken or made to harm: they end soon, and never break what else is read. */
import type { SchemaField, SchemaFields } from '../../../../nodes/shared/contract/schemaFields.ts';
import { DescriptionError } from '../../../../nodes/shared/soap/description/description.ts';
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

const count = (length: number, text: (index: number) => string): string =>
	Array.from({ length }, (_, index) => text(index)).join('');
const sequence = (content: string): string => `<s:sequence>${content}</s:sequence>`;
const type = (name: string, content: string): string =>
	`<s:complexType name="${name}">${content}</s:complexType>`;
const extension = (base: string, content = ''): string =>
	`<s:complexContent><s:extension base="${base}">${content}</s:extension></s:complexContent>`;
const union = (name: string, members: string): string =>
	`<s:simpleType name="${name}"><s:union memberTypes="${members}"/></s:simpleType>`;
const element = (name: string, type: string): string =>
	`<s:element name="${name}" type="${type}" minOccurs="0"/>`;

const OK = element('Ok', 's:int');

/** The field of type "T0" of a request that also has a field "Ok", which is read all the same. */
function fieldOf(types: string): SchemaField | undefined {
	const fields = fieldsOf(element('F', 'tns:T0') + OK, types);
	expect(fields.Ok).toEqual({ kind: 'int' });
	return fields.F;
}

const TOO_DEEP = { kind: 'any', unsupported: 'a type of over 64 levels, or of itself' };
const TOO_MANY = { kind: 'any', unsupported: 'a type, as there are too many' };

describe('definitions in a circle:', () => {
	it.each([
		['a type that extends itself', type('T0', extension('tns:T0'))],
		[
			'types that extend each other',
			type('T0', extension('tns:T1')) + type('T1', extension('tns:T0')),
		],
		[
			'a group that holds itself',
			type('T0', '<s:group ref="tns:G"/>') +
				`<s:group name="G">${sequence('<s:group ref="tns:G"/>')}</s:group>`,
		],
		[
			'a group of attributes that holds itself',
			type('T0', '<s:attributeGroup ref="tns:G"/>') +
				'<s:attributeGroup name="G"><s:attributeGroup ref="tns:G"/></s:attributeGroup>',
		],
		[
			'a simple type that restricts itself',
			'<s:simpleType name="T0"><s:restriction base="tns:T0"/></s:simpleType>',
		],
		['a union of itself', union('T0', 'tns:T0')],
		['a list of itself', '<s:simpleType name="T0"><s:list itemType="tns:T0"/></s:simpleType>'],
		[
			'a text of itself',
			type('T0', '<s:simpleContent><s:extension base="tns:T0"/></s:simpleContent>'),
		],
	])('%s', (_, types) => {
		expect(fieldOf(types)).toEqual(TOO_DEEP);
	});

	it('elements that substitute each other', () => {
		const heads =
			'<s:element name="A" substitutionGroup="tns:B"/><s:element name="B" substitutionGroup="tns:A"/>';
		const fields = fieldsOf('<s:element ref="tns:A"/>', heads);
		expect(fields.A).toMatchObject({ kind: 'any', unsupported: 'a substitution group' });
		const own = '<s:element name="A" substitutionGroup="tns:A"/>';
		expect(fieldsOf('<s:element ref="tns:A"/>', own).A).toMatchObject({ kind: 'any' });
	});
});

describe('chains without end:', () => {
	it('of extensions', () => {
		const chain = type('T0', '') + count(5_000, (i) => type(`T${i + 1}`, extension(`tns:T${i}`)));
		const field = fieldOf(chain);
		const derived = field?.kind === 'record' ? (field.derived ?? []) : [];
		expect(derived[0]?.type).toBe('T1');
		expect(derived.length).toBeLessThan(64);
	});

	it('of types in fields', () => {
		const chain = count(20_000, (i) => type(`T${i}`, sequence(element('N', `tns:T${i + 1}`))));
		let field: SchemaField | undefined = fieldOf(chain);
		let depth = 0;
		for (; field?.kind === 'record'; depth++) field = field.fields.N;
		expect(depth).toBe(20_000);
		expect(field).toEqual({ kind: 'any', unsupported: 'an undefined type (T20000)' });
	});

	it('of lists', () => {
		const chain = count(20_000, (i) =>
			type(`T${i}`, sequence(`<s:element name="N" type="tns:T${i + 1}" maxOccurs="2"/>`)),
		);
		expect(fieldOf(chain)?.kind).toBe('list');
	});

	it('of groups', () => {
		const chain = count(
			5_000,
			(i) => `<s:group name="G${i}">${sequence(`<s:group ref="tns:G${i + 1}"/>`)}</s:group>`,
		);
		expect(fieldOf(type('T0', '<s:group ref="tns:G0"/>') + chain)).toEqual(TOO_DEEP);
	});
});

describe('what grows by references:', () => {
	it('groups that hold the next one twice', () => {
		const groups = count(30, (i) => {
			const next = `<s:group ref="tns:G${i + 1}"/>`;
			return `<s:group name="G${i}">${sequence(next + next)}</s:group>`;
		});
		const types =
			type('T0', '<s:group ref="tns:G0"/>') +
			groups +
			`<s:group name="G30">${sequence('')}</s:group>`;
		expect(fieldOf(types)).toEqual(TOO_MANY);
	});

	it('unions of the next one twice', () => {
		const types =
			count(50, (i) => union(`T${i}`, `tns:T${i + 1} tns:T${i + 1}`)) + union('T50', 's:string');
		expect(fieldOf(types)).toEqual({ kind: 'string' });
	});

	it('a large group in many types', () => {
		const group = `<s:group name="G">${sequence(count(2_000, (i) => element(`E${i}`, 's:int')))}</s:group>`;
		const types = count(2_000, (i) =>
			type(`T${i}`, sequence(`<s:group ref="tns:G"/>${element('N', `tns:T${i + 1}`)}`)),
		);
		let field: SchemaField | undefined = fieldOf(types + group);
		while (field?.kind === 'record') field = field.fields.N;
		expect(field).toEqual(TOO_MANY);
	});

	it('a port type that is bound often', () => {
		const names = Array.from({ length: 3_000 }, (_, index) => `Call${index}`);
		const bindings = binding([]).repeat(3_000);
		expect(described(definitions(operations(...names) + bindings)).operations).toHaveLength(3_000);
	});

	it('a schema that is included for many namespaces', () => {
		const included = 'https://service.example/all.xsd';
		const schemas = count(2_000, (i) =>
			schema('<s:include schemaLocation="all.xsd"/>', `targetNamespace="urn:${i}"`),
		);
		const all = schema(
			count(1_000, (i) => type(`T${i}`, '')),
			'',
		);
		const wsdl = definitions(
			`<wsdl:types>${schema(wrapper('Call', OK) + wrapper('CallResponse'))}${schemas}</wsdl:types>${operations('Call')}`,
		);
		const { request } = described(wsdl, { [included]: all }).operation('Call');
		expect(request).toEqual({ Ok: { kind: 'int' } });
	});
});

it('many definitions cost no more than parsing them', () => {
	const types = count(100_000, (i) => type(`T${i}`, ''));
	expect(fieldOf(types)).toEqual({ kind: 'record', type: 'T0', fields: {} });
});

describe('names of the object prototype', () => {
	const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

	it.each(names)('%s as the name of a type', (name) => {
		const fields = fieldsOf(element('F', `tns:${name}`), type(name, sequence(OK)));
		expect(fields.F).toEqual({ kind: 'record', type: name, fields: { Ok: { kind: 'int' } } });
		expect(fieldsOf(element('F', `tns:${name}`)).F).toMatchObject({ kind: 'any' });
	});

	it.each(names)('%s as the name of an operation', (name) => {
		const wsdl = definitions(
			`<wsdl:types>${schema(wrapper(name) + wrapper(`${name}Response`))}</wsdl:types>${operations(name)}`,
		);
		const service = described(wsdl);
		expect(service.operations).toHaveLength(1);
		const isRefused = names.indexOf(name) < 3;
		if (isRefused) expect(() => service.operation(name)).toThrow(DescriptionError);
		else expect(service.operation(name).request).toEqual({});
		expect(() => described(callWsdl('')).operation(name)).toThrow(DescriptionError);
	});

	it('change no prototype as the name of a field', () => {
		for (const name of names) {
			const fields: SchemaFields = fieldsOf(
				element('F', 'tns:T'),
				type('T', sequence(element(name, 's:int'))),
			);
			expect(fields.F?.kind).toBe(names.indexOf(name) < 3 ? 'any' : 'record');
		}
		expect(({} as Record<string, unknown>).kind).toBeUndefined();
		expect(() => described(callWsdl(element('__proto__', 's:int'))).operation('Call')).toThrow(
			'It has the element name "__proto__", which is refused',
		);
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

it('numbers that are none are the defaults', () => {
	expect(fieldsOf('<s:element name="F" type="s:int" minOccurs="x" maxOccurs="-1"/>').F).toEqual({
		kind: 'int',
		required: true,
	});
});

it.each(['<a', '<![CDATA[', '<a b="c" '])('a long text that begins with %s ends soon', (start) => {
	const text = start + long('eyJ.');
	expect(() => inTime(() => described(text))).toThrow(DescriptionError);
});

it('every part of a description may be cut off', () => {
	const whole = callWsdl(element('F', 'tns:T'), type('T', extension('tns:B', sequence(OK))));
	for (let end = 0; end < whole.length; end += 7) {
		expect(() => described(whole.slice(0, end))).toThrow(DescriptionError);
	}
});
