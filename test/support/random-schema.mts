/** Random descriptions of a service, with values for its operation, made without the package. */
import fc from 'fast-check';
import { escapeAttribute, typeOf, type XmlElement } from '../../dev/sandbox/xml.mts';
import type { TextFile } from '../../dev/sandbox/xmllint.mts';
import { writeWsdl } from '../../dev/wsdl.mts';
import { Dice } from './random-schema/dice.mts';
import { fieldsOf } from './random-schema/content.mts';
import { Generator } from './random-schema/generate.mts';
import type { ComplexType, Json } from './random-schema/records.mts';
import {
	namespaces,
	PLAIN,
	tag,
	type Context,
	type Style,
	type Value,
	type Written,
} from './random-schema/types.mts';

export { simpleKinds } from './random-schema/simple.mts';

/** Name of the operation that every random description has. */
export const OPERATION = 'Call';

export const NAMESPACE = namespaces.a;

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const XSD = 'http://www.w3.org/2001/XMLSchema';

/** A description, and values for a call of its operation. */
export interface Sample {
	readonly wsdl: string;
	/** The schemas as files; `all.xsd` imports the others. */
	readonly schemas: readonly TextFile[];
	readonly request: Value<Json>;
	readonly response: Value<Json>;
	/** The elements that the request has, and those of an answer. */
	readonly sent: string;
	readonly answer: string;
	/** What the values are examples of. */
	readonly kinds: ReadonlySet<string>;
}

const styles: readonly Style[] = [
	PLAIN,
	{ usesPrefixes: false, between: '\n\t' },
	{ usesPrefixes: true, between: '<!-- and -->\n' },
];

export function samples(): fc.Arbitrary<Sample> {
	return fc.gen().map((generate) => {
		const dice = new Dice(generate);
		const schema = new Generator(dice);
		const style = dice.pick(styles);
		const kinds = new Set<string>();
		const context = (): Context => ({ dice, kinds, style, elements: 0 });
		const request = fieldsOf(schema.request, context(), 'a', 0);
		const response = withLists(schema.response, fieldsOf(schema.response, context(), 'a', 0));
		const schemas = { a: schema.schema('a', OPERATION), b: schema.schema('b', OPERATION) };
		const wsdl = writeWsdl({
			service: 'Service',
			target: NAMESPACE,
			address: 'https://service.example/Service.asmx',
			schemas: [schemas.a, schemas.b],
			operations: [{ name: OPERATION }],
		});
		const sent = root(PLAIN, OPERATION, request.sent);
		const answer = root(style, `${OPERATION}Response`, response.answer);
		return { wsdl, schemas: filesOf(schemas), request, response, sent, answer, kinds };
	});
}

/** A list that an answer has not is empty. */
function withLists(type: ComplexType, value: Value<Json>): Value<Json> {
	const read = { ...value.read };
	for (const part of type.allParts) {
		for (const { name, max, type: own } of part.elements) {
			const isSet = Object.hasOwn(read, name) && read[name] !== null;
			const isList = part.kind === 'repeated choice' || max > 1 || own.isList;
			if (!isSet && isList) read[name] = [];
		}
	}
	return { ...value, read };
}

/** Writes the element of an operation. */
function root(style: Style, name: string, { content }: Written): string {
	const bound = { xsi: XSI, s: XSD, a: namespaces.a, b: namespaces.b };
	const attributes = Object.entries(bound).map(
		([prefix, uri]) => ` xmlns:${prefix}="${escapeAttribute(uri)}"`,
	);
	return tag(style, 'a', name, { attributes: attributes.join(''), content });
}

/** Each schema imports the other by its file. */
function filesOf(schemas: Readonly<Record<'a' | 'b', string>>): TextFile[] {
	const file = (space: 'a' | 'b'): string =>
		`<s:import namespace="${escapeAttribute(namespaces[space])}" schemaLocation="${space}.xsd"/>`;
	const located = (text: string, other: 'a' | 'b'): string =>
		text.replace(/<s:import namespace="[^"]*"\/>/, () => file(other));
	const all = `<s:schema xmlns:s="${XSD}">${file('a')}${file('b')}</s:schema>`;
	return [
		{ fileName: 'a.xsd', contents: located(schemas.a, 'b') },
		{ fileName: 'b.xsd', contents: located(schemas.b, 'a') },
		{ fileName: 'all.xsd', contents: all },
	];
}

/** What an element says, whatever its prefixes; takes an element as the sandbox reads it. */
export function comparableElement(element: XmlElement): object {
	const { namespace, name, attributes, children, text } = element;
	const type = typeOf(element);
	return {
		name: `{${namespace}}${name}`,
		type: type && `{${type.namespace}}${type.name}`,
		isNil: ['true', '1'].includes(attributes.get('xsi:nil') ?? ''),
		attributes: new Map([...attributes].filter(([key]) => !key.startsWith('xsi:'))),
		text,
		children: children.map(comparableElement),
	};
}
