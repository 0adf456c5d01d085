/** Random descriptions of a service, with values for its operation, made without the package. */
import fc from 'fast-check';
import { escapeAttribute, escapeXml, typeOf, type XmlElement } from '../../dev/sandbox/xml.mts';
import type { TextFile } from '../../dev/sandbox/xmllint.mts';
import { writeWsdl } from '../../dev/wsdl.mts';
import { Dice } from './random-schema/dice.mts';
import { Generator, type Features } from './random-schema/generate.mts';
import { namespaces, type Space } from './random-schema/model.mts';
import { Values, type Node, type RecordValue } from './random-schema/values.mts';
import { writeSchemas } from './random-schema/write.mts';

export { simpleKinds } from './random-schema/simple.mts';
export type { Node } from './random-schema/values.mts';

/** Name of the operation that every random description has. */
export const OPERATION = 'Call';

export const NAMESPACE = namespaces.a;

/** A description, and values for a call of its operation. */
export interface Sample {
	readonly wsdl: string;
	/** The schemas as files; `all.xsd` imports the others. */
	readonly schemas: readonly TextFile[];
	readonly request: RecordValue;
	readonly response: RecordValue;
	/** What the values are examples of. */
	readonly kinds: ReadonlySet<string>;
	/** How answers are written. */
	readonly style: AnswerStyle;
}

/** What XML leaves open. */
export interface AnswerStyle {
	readonly usesPrefixes: boolean;
	/** Text between elements. */
	readonly between: string;
}

const styles: readonly AnswerStyle[] = [
	{ usesPrefixes: true, between: '' },
	{ usesPrefixes: false, between: '\n\t' },
	{ usesPrefixes: true, between: '<!-- and -->\n' },
];

export function samples(features: Features = { isPlain: false }): fc.Arbitrary<Sample> {
	return fc.gen().map((generate) => {
		const dice = new Dice(generate);
		const schema = new Generator(dice, features).schema();
		const kinds = new Set<string>();
		const values = (): Values => new Values(dice, schema.definitions, kinds);
		const request = values().ofWrapper(schema.request);
		const response = values().ofWrapper(schema.response);
		const { a, b } = writeSchemas(schema, OPERATION);
		const wsdl = writeWsdl({
			service: 'Service',
			target: NAMESPACE,
			address: 'https://service.example/Service.asmx',
			schemas: [a, b],
			operations: [{ name: OPERATION }],
		});
		return { wsdl, schemas: filesOf({ a, b }), request, response, kinds, style: dice.pick(styles) };
	});
}

/** Each schema imports the other by its file. */
function filesOf(schemas: Readonly<Record<'a' | 'b', string>>): TextFile[] {
	const file = (space: 'a' | 'b'): string =>
		`<s:import namespace="${namespaces[space]}" schemaLocation="${space}.xsd"/>`;
	const located = (text: string): string =>
		text.replace(/<s:import namespace="([^"]*)"\/>/g, (_, namespace) =>
			file(namespace === namespaces.a ? 'a' : 'b'),
		);
	const all = `<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema">${file('a')}${file('b')}</s:schema>`;
	return [
		{ fileName: 'a.xsd', contents: located(schemas.a) },
		{ fileName: 'b.xsd', contents: located(schemas.b) },
		{ fileName: 'all.xsd', contents: all },
	];
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

function wrapperOf(name: string, { content }: RecordValue): Node {
	return { ...content, space: 'a', name };
}

/** The operation's element with the values of the request. */
export function requestNode({ request }: Sample): Node {
	return wrapperOf(OPERATION, request);
}

/** Writes the response element as an answer has it. */
export function writeAnswer({ response, style }: Sample): string {
	const bound =
		` xmlns:xsi="${XSI}" xmlns:s="http://www.w3.org/2001/XMLSchema"` +
		` xmlns:a="${namespaces.a}" xmlns:b="${namespaces.b}"`;
	return writeNode(wrapperOf(`${OPERATION}Response`, response), style, bound, '');
}

function writeNode(node: Node, style: AnswerStyle, bound: string, around: Space): string {
	const { space, name, type, isNil, answer } = node;
	const isPrefixed = style.usesPrefixes && space !== '';
	const tag = isPrefixed ? `${space}:${name}` : name;
	const isDeclared = !isPrefixed && space !== around;
	const attributes = [
		bound,
		isDeclared ? ` xmlns="${namespaces[space]}"` : '',
		type === undefined ? '' : ` xsi:type="${type}"`,
		isNil ? ' xsi:nil="1"' : '',
		...node.attributes.map((attribute) => {
			const prefix = attribute.space === '' ? '' : `${attribute.space}:`;
			return ` ${prefix}${attribute.name}="${escapeAttribute(attribute.answer)}"`;
		}),
	].join('');
	const inner = isPrefixed ? around : space;
	const children = node.answered.map((child) => style.between + writeNode(child, style, '', inner));
	const content = children.length > 0 ? `${children.join('')}${style.between}` : escapeXml(answer);
	return `<${tag}${attributes}>${content}</${tag}>`;
}

/** An element in a form that can be compared. */
export interface Comparable {
	readonly name: string;
	readonly type: string | undefined;
	readonly isNil: boolean;
	readonly attributes: Readonly<Record<string, string>>;
	/** A text, or child elements. */
	readonly content: string | readonly Comparable[];
}

/** The elements that a request must have. */
export function expectedRequest(sample: Sample): Comparable {
	return comparableNode(requestNode(sample));
}

function comparableNode(node: Node): Comparable {
	const { space, name, type, isNil, text, children } = node;
	const [prefix = '', local] = type?.split(':') ?? [];
	const namespace =
		prefix === 's' ? 'http://www.w3.org/2001/XMLSchema' : namespaces[prefix as Space];
	return {
		name: `{${namespaces[space]}}${name}`,
		type: type === undefined ? undefined : `{${namespace}}${local}`,
		isNil,
		attributes: Object.fromEntries(node.attributes.map((one) => [one.name, one.text])),
		content: children.length > 0 ? children.map(comparableNode) : text,
	};
}

/** Takes an element as the sandbox reads it. */
export function comparableElement(element: XmlElement): Comparable {
	const { namespace, name, attributes, children, text } = element;
	const type = typeOf(element);
	return {
		name: `{${namespace}}${name}`,
		type: type && `{${type.namespace}}${type.name}`,
		isNil: attributes.get('xsi:nil') === 'true',
		attributes: Object.fromEntries([...attributes].filter(([key]) => !key.startsWith('xsi:'))),
		content: children.length > 0 ? children.map((child) => comparableElement(child)) : text,
	};
}
