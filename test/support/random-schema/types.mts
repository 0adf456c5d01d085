/** Random types of XML Schema, on their own: they share nothing with what the package reads of them. */
import { escapeAttribute, escapeXml } from '../../../dev/sandbox/xml.mts';
import { xmlText } from '../arbitraries.mts';
import type { Dice } from './dice.mts';
import type { SimpleType } from './simple.mts';

/** Namespaces by the prefix that each document here binds to them; `''` for none. */
export const namespaces = { a: 'urn:service', b: 'urn:other?a&b', '': '' } as const;

export type Space = keyof typeof namespaces;

/** A namespace that has a schema. */
export type SchemaSpace = Exclude<Space, ''>;

/** The attributes and the content of an element, as XML. */
export interface Written {
	readonly attributes: string;
	readonly content: string;
}

/** A value as JSON and as XML. */
export interface Value<J = unknown> {
	/** What a request is made of. */
	readonly given: J;
	/** What an answer is read as. */
	readonly read: J;
	readonly sent: Written;
	/** As an answer may have it. */
	readonly answer: Written;
}

/** What XML leaves open. */
export interface Style {
	readonly usesPrefixes: boolean;
	/** Text between elements. */
	readonly between: string;
}

export const PLAIN: Style = { usesPrefixes: true, between: '' };

/** Values are made in one: how, and what they are examples of. */
export interface Context {
	readonly dice: Dice;
	readonly kinds: Set<string>;
	/** Of an answer. */
	readonly style: Style;
	/** Number of elements so far. */
	elements: number;
}

/** The type of an element. */
export interface Type {
	/** Its name with a prefix; `undefined` if it is anonymous. */
	readonly name: string | undefined;
	readonly isList: boolean;
	/** Whether an element of it can be nil: without its attributes it is invalid, also if it is nil. */
	readonly canBeNil: boolean;
	/** The definition, to stand inside an element if it is anonymous. */
	definition(): string;
	/** @param space namespace of the element */
	value(context: Context, space: Space, level: number): Value;
}

export const NOTHING: Written = { attributes: '', content: '' };

const text = (content: string): Written => ({ attributes: '', content: escapeXml(content) });

/** Writes an element. The prefixes are bound at the root. */
export function tag(
	{ usesPrefixes }: Style,
	space: Space,
	name: string,
	{ attributes, content }: Written,
): string {
	const prefixed = usesPrefixes && space !== '' ? `${space}:${name}` : name;
	const bound = usesPrefixes ? '' : ` xmlns="${escapeAttribute(namespaces[space])}"`;
	return `<${prefixed}${bound}${attributes}>${content}</${prefixed}>`;
}

export function simpleValue(type: SimpleType, { dice, kinds }: Context): Value {
	kinds.add(type.kind);
	if (type.name?.startsWith('s:') === false) kinds.add('named simple type');
	const { given, read, text: sent, answer } = type.value(dice);
	return { given, read, sent: text(sent), answer: text(answer) };
}

export function simple(type: SimpleType): Type {
	return {
		name: type.name,
		isList: false,
		canBeNil: true,
		definition: () => `<s:simpleType>${type.definition}</s:simpleType>`,
		value: (context) => simpleValue(type, context),
	};
}

/** Elements of texts that are neither typed nor known. */
export function untypedChildren(
	names: readonly string[],
	space: Space,
	{ dice, style }: Context,
): Value<Record<string, unknown>> {
	const texts = names.map((name) => [name, dice.of(xmlText)] as const);
	const given = Object.fromEntries(texts);
	const inStyle = (own: Style): Written => {
		const children = texts.map(([name, one]) => tag(own, space, name, text(one)) + own.between);
		return { attributes: '', content: own.between + children.join('') };
	};
	return { given, read: given, sent: inStyle(PLAIN), answer: inStyle(style) };
}

/** Values of any type: its name, the value, and the text if that is another. */
const ANY: ReadonlyArray<readonly [type: string, given: unknown, content?: string]> = [
	['s:string', ' x '],
	['s:boolean', true],
	['s:int', -7],
	['s:double', 0.5],
	[
		's:dateTime',
		{ '@xsi:type': 'dateTime', '#text': '2026-11-22T10:00:00Z' },
		'2026-11-22T10:00:00Z',
	],
	['s:decimal', { '@xsi:type': 'decimal', '#text': '1.50' }, '1.50'],
	['b:Some', { '@xsi:type': `{${namespaces.b}}Some`, '#text': 'Te laat' }, 'Te laat'],
];

/** A value of any type. */
function anyValue(context: Context, space: Space): Value {
	const { dice, kinds } = context;
	kinds.add('any type');
	if (dice.chance(20)) return untypedChildren(['Any', 'Other'], space, context);
	const [type, given, content = String(given)] = dice.pick(ANY);
	const written = { attributes: ` xsi:type="${type}"`, content: escapeXml(content) };
	return { given, read: given, sent: written, answer: written };
}

export const anyType: Type = {
	name: 's:anyType',
	isList: false,
	canBeNil: true,
	definition: () => '',
	value: anyValue,
};

const [A, B, C, D] = ['A', 'B', 'C', 'D'].map(
	(name) => `<s:element name="${name}" type="s:string"/>`,
);

/** The contents of types that are not supported: elements of them are JSON, sent as they are. */
export const unsupported = {
	'any order': `<s:all>${A}${B}</s:all>`,
	'nested group': `<s:sequence><s:sequence>${A}${B}</s:sequence></s:sequence>`,
	'repeated group': `<s:sequence maxOccurs="unbounded">${A}${B}</s:sequence>`,
	'several choices': `<s:sequence><s:choice>${A}${C}</s:choice><s:choice>${B}${D}</s:choice></s:sequence>`,
} as const;

export type UnsupportedKind = keyof typeof unsupported;

export function unsupportedType(kind: UnsupportedKind): Type {
	return {
		name: undefined,
		isList: false,
		canBeNil: false,
		definition: () => `<s:complexType>${unsupported[kind]}</s:complexType>`,
		value(context, space) {
			context.kinds.add(kind);
			return untypedChildren(['A', 'B'], space, context);
		},
	};
}
