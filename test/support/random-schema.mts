/** Random descriptions of a service, with values for its operation, made without the package. */
import fc from 'fast-check';
import { escapeAttribute, escapeXml, typeOf, type XmlElement } from '../../dev/sandbox/xml.mts';
import type { TextFile } from '../../dev/sandbox/xmllint.mts';
import { writeWsdl } from '../../dev/wsdl.mts';
import { Dice } from './random-schema/dice.mts';
import { Generator } from './random-schema/generate.mts';
import { namespaces, type Space } from './random-schema/model.mts';
import { Values, type Node, type RecordValue } from './random-schema/values.mts';
import { writeSchemas } from './random-schema/write.mts';

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
	readonly request: RecordValue;
	readonly response: RecordValue;
	/** The elements that the request has, and those of an answer. */
	readonly sent: string;
	readonly answer: string;
	/** What the values are examples of. */
	readonly kinds: ReadonlySet<string>;
}

/** What XML leaves open. */
interface Style {
	readonly usesPrefixes: boolean;
	/** Text between elements. */
	readonly between: string;
}

const PLAIN: Style = { usesPrefixes: true, between: '' };

const styles: readonly Style[] = [
	PLAIN,
	{ usesPrefixes: false, between: '\n\t' },
	{ usesPrefixes: true, between: '<!-- and -->\n' },
];

export function samples(): fc.Arbitrary<Sample> {
	return fc.gen().map((generate) => {
		const dice = new Dice(generate);
		const schema = new Generator(dice).schema();
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
		const sent = new Writer('sent', PLAIN).wrapper(OPERATION, request);
		const answer = new Writer('answered', dice.pick(styles)).wrapper(
			`${OPERATION}Response`,
			response,
		);
		return { wsdl, schemas: filesOf({ a, b }), request, response, sent, answer, kinds };
	});
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

/** Writes elements as they are sent, or as an answer has them. */
class Writer {
	constructor(
		private readonly what: 'answered' | 'sent',
		private readonly style: Style,
	) {}

	wrapper(name: string, { content }: RecordValue): string {
		const bound = { xsi: XSI, s: XSD, a: namespaces.a, b: namespaces.b };
		const declared = Object.entries(bound).map(
			([prefix, uri]) => ` xmlns:${prefix}="${escapeAttribute(uri)}"`,
		);
		return this.#element({ ...content, space: 'a', name }, declared.join(''), '');
	}

	#element(node: Node, bound: string, around: Space): string {
		const { space, name, type, isNil } = node;
		const isAnswer = this.what === 'answered';
		const { usesPrefixes, between } = this.style;
		const isPrefixed = usesPrefixes && space !== '';
		const tag = isPrefixed ? `${space}:${name}` : name;
		const isDeclared = !isPrefixed && space !== around;
		const attributes = [
			bound,
			isDeclared ? ` xmlns="${escapeAttribute(namespaces[space])}"` : '',
			type === undefined ? '' : ` xsi:type="${type}"`,
			isNil ? ' xsi:nil="1"' : '',
			...node.attributes.map((attribute) => {
				const prefix = attribute.space === '' ? '' : `${attribute.space}:`;
				const value = isAnswer ? attribute.answer : attribute.text;
				return ` ${prefix}${attribute.name}="${escapeAttribute(value)}"`;
			}),
		].join('');
		const inner = isPrefixed ? around : space;
		const children = isAnswer ? node.answered : node.children;
		const written = children.map((child) => between + this.#element(child, '', inner));
		const text = escapeXml(isAnswer ? node.answer : node.text);
		const content = written.length > 0 ? `${written.join('')}${between}` : text;
		return `<${tag}${attributes}>${content}</${tag}>`;
	}
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
		content: children.length > 0 ? children.map(comparableElement) : text,
	};
}
