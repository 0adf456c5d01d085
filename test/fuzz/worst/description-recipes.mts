/** What descriptions are made of. */
import { abstractOperation, messages, wrapper } from '../../support/wsdl.mts';
import { element, extension, growing, sequence, type } from '../description-texts.mts';
import { words } from '../words.mts';
import type { Recipes } from './kind.mts';
import type { Vocabulary } from './mutate.mts';
import { many, wrap, type Recipe } from './recipe.mts';

/** An operation of a binding. */
export const bound = (name: string): string =>
	`<wsdl:operation name="${name}"><soap:operation/><wsdl:input/></wsdl:operation>`;

const extended = (base: string, inner: string): string => extension(base, sequence(inner));

const elementTexts = [
	element('E%i', 's:int'),
	element('E%i', 's:string', 'maxOccurs="unbounded"'),
	...['T0', 'T%i', 'T%n', 'N', 'D0'].flatMap((name) => [
		element('E%i', `tns:${name}`),
		element('L%i', `tns:${name}`, 'minOccurs="0" maxOccurs="unbounded"'),
	]),
	element('E.%i', 's:int'),
	element('E', 'tns:T0'),
	element(`E%i${'x'.repeat(60)}`, 's:decimal'),
	...words('<s:any/> <s:element/> <s:x/> <s:attribute/>'),
	'<s:element ref="tns:Call"/>',
];

const typeTexts = [
	type('T%i', ''),
	type('D%i', extended('tns:T0', '')),
	type('D%i', extended('tns:T0', element('F', 's:int'))),
	type('D%i', extended('tns:D%n', element('F%i', 's:int'))),
	type('T%i', sequence(element('E', 'tns:T%n'))),
	'<s:attribute name="a%i" type="s:int"/>',
	'<s:enumeration value="v%i"/>',
	'<s:element name="T%i" type="tns:T0"/>',
];

const otherTexts = [
	' ',
	'word ',
	'é',
	'x'.repeat(200),
	'<s:documentation>word </s:documentation>',
	'<wsdl:documentation>word </wsdl:documentation>',
	abstractOperation('Call'),
	abstractOperation('O%i'),
	'<wsdl:operation name="Call"><wsdl:input name="O%i" message="tns:CallIn"/></wsdl:operation>',
	'<wsdl:operation name="Call"><soap:operation/><wsdl:input name="O%i"/></wsdl:operation>',
	bound('Call'),
	bound('O%i'),
	messages('O%i'),
	wrapper('O%i') + wrapper('O%iResponse'),
	'<wsdl:part name="p%i" element="tns:Call"/>',
	'<wsdl:message name="M%i"/>',
	'<wsdl:import location="a%i"/>',
	'<s:import namespace="u%i" schemaLocation="a%i"/>',
];

const open = (name: string, attributes = ''): readonly [string, string] => [
	`<${name}${attributes}>`,
	`</${name}>`,
];
const both = (...tags: ReadonlyArray<readonly [string, string]>): readonly [string, string] => [
	tags.map(([one]) => one).join(''),
	tags
		.map(([, other]) => other)
		.reverse()
		.join(''),
];

const SEQUENCE = open('s:sequence');
const CHOICE = open('s:choice');
const NUMBERED_TYPE = both(open('s:complexType', ' name="T%i"'), SEQUENCE);
const BASE = both(open('s:complexType', ' name="T0"'), SEQUENCE);
const ENUMERATION = both(
	open('s:simpleType', ' name="N"'),
	open('s:restriction', ' base="s:string"'),
);
const NOTE = both(open('s:annotation'), open('s:documentation'));
const DERIVED = both(
	open('s:complexType', ' name="D%i"'),
	open('s:complexContent'),
	open('s:extension', ' base="tns:T0"'),
	SEQUENCE,
);

const request = (...inner: Recipe): Recipes => [inner, [], [], [], []];
const types = (inner: Recipe, ...fields: Recipe): Recipes => [fields, inner, [], [], []];
const T0 = element('F', 'tns:T0');
const ROWS_OF_T0 = element('F', 'tns:T0', 'minOccurs="0" maxOccurs="unbounded"');

/** For the request, the types, the operations of the port type and of the binding, and the messages. */
export const starts: readonly Recipes[] = [
	...elementTexts.map((text) => request(many([text]))),
	...elementTexts.map((text) => request(wrap(CHOICE, [many([text])]))),
	...typeTexts.map((text) => types([many([text])], T0)),
	...otherTexts.flatMap((text): Recipes[] => [
		[[], [], [many([text])], [], []],
		[[], [], [], [many([text])], []],
		[[], [], [], [], [many([text])]],
		[[wrap(NOTE, [many([text])])], [], [], [], []],
	]),
	// Overloads of one name.
	[
		[],
		[many([wrapper('O%i') + wrapper('O%iResponse')])],
		[
			many([
				'<wsdl:operation name="A"><wsdl:input name="O%i" message="tns:O%iIn"/><wsdl:output message="tns:O%iOut"/></wsdl:operation>',
			]),
		],
		[many(['<wsdl:operation name="A"><soap:operation/><wsdl:input name="O%i"/></wsdl:operation>'])],
		[many([messages('O%i')])],
	],
	[
		[],
		[],
		[many(['<wsdl:operation name="A"><wsdl:input name="O%i"/></wsdl:operation>'])],
		[many(['<wsdl:operation name="A"><wsdl:input name="O%i"/></wsdl:operation>'])],
		[],
	],
	// Operations of which each has a type.
	[
		[],
		[many([wrapper('O%i', element('F', 'tns:T%i')) + wrapper('O%iResponse') + type('T%i', '')])],
		[many([abstractOperation('O%i')])],
		[many([bound('O%i')])],
		[many([messages('O%i')])],
	],
	types(
		[
			wrap(BASE, [many([element('E%i', 's:int')])]),
			many([type('D%i', extended('tns:T0', ''))], 1000),
		],
		T0,
	),
	types(
		[wrap(BASE, [many([element('E%i', 's:int')])]), many([type('D%i', extended('tns:T0', ''))])],
		T0,
	),
	types(
		[
			wrap(BASE, [many([element('E%i', 's:int')], 60)]),
			many([type('D%i', extended('tns:T0', ''))]),
		],
		ROWS_OF_T0,
	),
	types(
		[type('T0', ''), many([type('D%i', extended('tns:T0', element('F', 's:int')))])],
		ROWS_OF_T0,
	),
	types(
		[wrap(ENUMERATION, [many(['<s:enumeration value="v%i"/>'])])],
		many([element('E%i', 'tns:N')]),
	),
	types(
		[wrap(ENUMERATION, [many(['<s:enumeration value="v%i"/>'])])],
		wrap(CHOICE, [many([element('E%i', 'tns:N')])]),
	),
	types([wrap(BASE, [wrap(CHOICE, [many([element('E%i', 's:int')])])])], ROWS_OF_T0),
	types([wrap(BASE, [many([element('E%i', 's:int')])])], many([element('E%i', 'tns:T0')])),
	types(
		[wrap(BASE, [many([element('E%i', 's:int')])])],
		many([element('E%i', 'tns:T0', 'maxOccurs="9"')]),
	),
	types([many([type('T%i', extended('tns:T%n', element('F%i', 's:int')))], 2000)], T0),
	types([many([type('T%i', extended('tns:T%n', element('F%i', 's:int')))])], T0),
	types([wrap(BASE, [wrap(NOTE, [wrap(open('a'), [many(['word '])], 40)])])], T0),
	types([many([wrap(NUMBERED_TYPE, [many([element('E%i', 'tns:T%i')])])])], T0),
	request(wrap(SEQUENCE, [many([element('E%i', 's:int')])], 0)),
	request(`<s:element name="${'a'}`, many(['a']), '" type="s:int"/>'),
	request('<s:element name="E" type="s:int" default="', many(['a ']), '"/>'),
	...Object.values(growing).map((make) => types([make(2000)], T0)),
];

export const vocabulary: Vocabulary = {
	texts: [...elementTexts, ...typeTexts, ...otherTexts],
	wraps: [
		SEQUENCE,
		CHOICE,
		NUMBERED_TYPE,
		BASE,
		ENUMERATION,
		NOTE,
		DERIVED,
		open('a'),
		open('s:x'),
	],
};
