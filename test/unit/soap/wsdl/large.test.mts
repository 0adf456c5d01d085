/** Descriptions of some megabytes: whatever refers to a definition costs no more than the reference. */
import type { RecordField } from '../../../../nodes/shared/contract/fields.ts';
import type { Wsdl } from '../../../../nodes/shared/soap/wsdl/Wsdl.ts';
import { WsdlError } from '../../../../nodes/shared/soap/wsdl/documents.ts';
import { element, extension, sequence, type } from '../../../fuzz/description-texts.mts';
import {
	abstractOperation,
	callWsdl,
	definitions,
	described,
	fieldsOf,
	schema,
	wrapper,
} from '../../../support/wsdl.mts';

/** Each test takes less than a second. What costs more for each reference takes a minute. */
const TIMEOUT_MS = 10_000;

const count = (length: number, text: (i: number) => string): string =>
	Array.from({ length }, (_, i) => text(i)).join('');

/** A service whose operations are bound as often as given. */
function service(content: string, portType: string, bound: readonly string[]): Wsdl {
	return described(
		definitions(
			`<wsdl:types>${schema(wrapper('Call') + wrapper('CallResponse'))}</wsdl:types>${content}` +
				`<wsdl:portType name="Port">${portType}</wsdl:portType>` +
				`<wsdl:binding type="tns:Port"><soap:binding/>${bound.join('')}</wsdl:binding>`,
		),
	);
}

const message = (name: string, parts: string): string =>
	`<wsdl:message name="${name}">${parts}</wsdl:message>`;
const part = (of: string): string => `<wsdl:part element="tns:${of}"/>`;
const MESSAGES = message('CallIn', part('Call')) + message('CallOut', part('CallResponse'));
const BOUND = '<wsdl:operation name="Call"/>';

describe('operations', () => {
	it(
		'of one name are found by their inputs',
		() => {
			const overload = (content: string) => (i: number) =>
				`<wsdl:operation name="Call"><wsdl:input name="O${i}"${content}/></wsdl:operation>`;
			const bound = Array.from({ length: 20_000 }, (_, i) => overload('')(i));
			const own = count(20_000, overload(' message="tns:CallIn"'));
			const { operations } = service(MESSAGES, own, bound);
			expect(operations).toHaveLength(20_000);
			expect(operations[1]?.unsupported).toBe('It has an undefined element (O1)');
		},
		TIMEOUT_MS,
	);

	it.each([
		['a port type with the same operation', '', abstractOperation('Call').repeat(20_000)],
		[
			'a message',
			message('LongIn', part('No').repeat(50_000)),
			abstractOperation('Call').replace('CallIn', 'LongIn'),
		],
		[
			'an operation with many inputs',
			'',
			`<wsdl:operation name="Call">${'<wsdl:input/>'.repeat(50_000)}</wsdl:operation>`,
		],
		[
			'a documentation',
			'',
			abstractOperation(
				'Call',
				`<wsdl:documentation>${'<a/>'.repeat(50_000)}</wsdl:documentation>`,
			),
		],
	])(
		'that are bound often read once %s',
		(_, content, portType) => {
			const bound = Array.from({ length: 20_000 }, () => BOUND);
			const { operations } = service(MESSAGES + content, portType, bound);
			expect(operations).toMatchObject([{ name: 'Call' }]);
		},
		TIMEOUT_MS,
	);
});

/** The record of the type "B", which others extend. */
function base(content: string, derived: number): RecordField {
	const types = count(derived, (i) => type(`T${i}`, extension('tns:B', sequence(''))));
	return fieldsOf(element('F', 'tns:B'), type('B', content) + types).F as RecordField;
}

describe('types', () => {
	it.each([
		['fields', sequence(count(52_000, (i) => element(`E${i}`, 's:int')))],
		['attributes', count(52_000, (i) => `<s:attribute name="a${i}" type="s:int"/>`)],
	])(
		'are derived from one of 52,000 %s as far as there are not too many in all',
		(_, content) => {
			const record = base(content, 1_000);
			expect(Object.keys({ ...record.attributes, ...record.fields })).toHaveLength(52_000);
			expect(record.derived).toEqual([]);
		},
		TIMEOUT_MS,
	);

	it(
		'of 8,000 fields are read once',
		() => {
			const wide = type('B', sequence(count(50_000, (i) => element(`E${i}`, 's:int'))));
			const fields = fieldsOf(
				count(8_000, (i) => element(`F${i}`, 'tns:B')),
				wide,
			);
			expect(Object.keys(fields)).toHaveLength(8_000);
			expect((fields.F7999 as RecordField).fields).toBe((fields.F0 as RecordField).fields);
		},
		TIMEOUT_MS,
	);

	it(
		'refer to an element of many parts, which is read once',
		() => {
			const many = `<s:annotation>${'<s:documentation/>'.repeat(50_000)}</s:annotation>`;
			const refers = (i: number): string => type(`R${i}`, sequence('<s:element ref="tns:D"/>'));
			const fields = fieldsOf(
				count(8_000, (i) => element(`F${i}`, `tns:R${i}`)),
				count(8_000, refers) + `<s:element name="D" type="s:int">${many}</s:element>`,
			);
			expect((fields.F7999 as RecordField).fields.D).toEqual({ kind: 'int', required: true });
		},
		TIMEOUT_MS,
	);
});

it(
	'a namespace costs the same for many definitions in it',
	() => {
		const namespace = `urn:${'x'.repeat(900)}`;
		const types = schema(
			count(50_000, (i) => `<s:attribute name="a${i}"/>`),
			`targetNamespace="${namespace}"`,
		);
		const wsdl = callWsdl(element('F', 's:int')).replace('</wsdl:types>', `${types}</wsdl:types>`);
		expect(described(wsdl).operation('Call').request.fields.F).toEqual({ kind: 'int' });
	},
	TIMEOUT_MS,
);

it(
	'a document of more elements is refused',
	() => {
		const nested = `${'<a>'.repeat(50)}x${'</a>'.repeat(50)}`.repeat(20_000);
		const wsdl = definitions(`<wsdl:documentation>${nested}</wsdl:documentation>`);
		expect(() => described(wsdl)).toThrow(WsdlError);
		expect(() => described(wsdl)).toThrow('refused (over 120000 elements)');
	},
	TIMEOUT_MS,
);
