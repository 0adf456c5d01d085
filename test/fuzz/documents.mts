/** A grammar of the service's answers: everything the contract allows, in all notations of XML. */
import fc from 'fast-check';
import { type Field, rowElement } from '../../nodes/shared/contract/fields.ts';
import { type Operation, resultField } from '../../nodes/shared/contract/operation.ts';
import { soapVersions } from '../../nodes/shared/soap/write.ts';
import { numberAsText } from '../../nodes/shared/values/kind.ts';
import { escapeXml } from '../../nodes/shared/soap/xml.ts';
import { valueOf, xmlText } from '../support/arbitraries.mts';
import { bomb } from './bombs.mts';

const part = fc.oneof(
	fc.constantFrom(
		...['System.Exception: ', 'System.Web.Services.Protocols.SoapException: ', ' ---> '],
		...['TWK exception: ', '2011: ', '12345678901: ', '(0x80004005): ', '\n   at A.B(C c)'],
		...[
			'\nat A.B (C c)',
			'[A.BException: ',
			'(A.BException)',
			' ---> (Inner Exception #1) ',
			'<---',
		],
		...['\r\n   bij A.B(C c)', '\n   --- End of inner exception stack trace ---'],
		...['The access token is expired.', 'token has been revoked', 'Basic dXNlcjpwYXNz'],
		'Bearer eyJhbGciOiJ.eyJhbGci.abc',
	),
	xmlText,
);

/** A text of a fault, of up to some hundred thousand characters. */
const faultText: fc.Arbitrary<string> = fc.oneof(
	{ weight: 30, arbitrary: fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')) },
	{ weight: 1, arbitrary: fc.tuple(part, bomb, part).map((parts) => parts.join('')) },
);

/** An element before it is serialized; `space` names its namespace. */
export interface Element {
	readonly space: 'soap' | 'service' | 'none';
	readonly name: string;
	readonly attributes: string;
	readonly children: ReadonlyArray<Element | string>;
}

export const element = (
	space: Element['space'],
	name: string,
	children: Element['children'],
	attributes = '',
): Element => ({ space, name, attributes, children });

function elementOf(name: string, field: Field, value: unknown): Element {
	if (value === null) return element('service', name, [], ' xsi:nil="true"');
	return element('service', name, contentOf(field, value));
}

function contentOf(field: Field, value: unknown): Element['children'] {
	if (field.kind === 'list') {
		return (value as unknown[]).map((row) => elementOf(rowElement(field), field.of, row));
	}
	if (field.kind === 'record') {
		return Object.entries(value as object)
			.filter(([, part]) => part !== undefined)
			.map(([name, part]) => elementOf(name, field.fields[name] as Field, part));
	}
	return [escapeXml(String(numberAsText(value)))];
}

function result(operation: Operation): fc.Arbitrary<Element> {
	const { name } = operation;
	const [resultName, field] = resultField(operation) ?? [];
	const response = (children: Element['children']) =>
		element('service', `${name}Response`, children);
	if (resultName === undefined || field === undefined) return fc.constant(response([]));
	return valueOf(field).map((value) => response([elementOf(resultName, field, value)]));
}

const fault: fc.Arbitrary<Element> = fc
	.tuple(faultText.map(escapeXml), fc.boolean())
	.map(([text, old]) =>
		old
			? element('soap', 'Fault', [
					element('none', 'faultcode', ['s:Server']),
					element('none', 'faultstring', [text]),
					element('none', 'detail', [element('none', 'a', [text])]),
				])
			: element('soap', 'Fault', [
					element('soap', 'Code', [element('soap', 'Value', ['s:Receiver'])]),
					element('soap', 'Reason', [element('soap', 'Text', [text], ' xml:lang="en"')]),
				]),
	);

/** The notation of a document: prefixes, and what XML ignores. */
export const dress = fc.record({
	version: fc.constantFrom('1.1', '1.2'),
	prologue: fc.constantFrom(
		'',
		'<?xml version="1.0" encoding="utf-8"?>',
		'<?xml version="1.0"?>\r\n<!-- a -->\n',
		'\n',
	),
	soapPrefix: fc.constantFrom('s:', 'soap:', ''),
	servicePrefix: fc.constantFrom('', 'p:'),
	between: fc.constantFrom('', '\n\t', '<!-- a -->', '<?a b?>'),
	text: fc.constantFrom(
		(text: string) => text,
		(text: string) => `<![CDATA[]]>${text}<!-- a -->`,
		(text: string) =>
			text.replace(/[a-z]/g, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`),
	),
});

export type Dress = typeof dress extends fc.Arbitrary<infer D> ? D : never;

/** An element as a document. */
export function written(root: Element, namespace: string, style: Dress): string {
	const { version, prologue, soapPrefix, servicePrefix, between } = style;
	const declared = (prefix: string, uri: string) =>
		` xmlns${prefix === '' ? '' : ':'}${prefix.slice(0, -1)}="${uri}"`;
	const prefixes = { soap: soapPrefix, service: servicePrefix, none: '' };
	const write = (node: Element | string, outer: Element['space']): string => {
		if (typeof node === 'string') return style.text(node);
		const { space } = node;
		const prefix = prefixes[space];
		const uri = { soap: soapVersions[version].namespace, service: namespace, none: '' }[space];
		const own =
			space === outer || (space === 'none' && soapPrefix !== '' && servicePrefix !== '')
				? ''
				: declared(prefix, uri);
		const start = `<${prefix}${node.name}${own}${node.attributes}`;
		if (node.children.length === 0) return `${start}/>`;
		const gap = node.children.some((child) => typeof child === 'string') ? '' : between;
		const inner = node.children.map((child) => gap + write(child, space)).join('');
		return `${start}>${inner}</${prefix}${node.name}>`;
	};
	const xsi = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
	return prologue + write({ ...root, attributes: xsi }, 'none');
}

/** Valid answers to an operation: results and faults. */
export function answerTo(operation: Operation): fc.Arbitrary<Element> {
	const content = fc.oneof(
		{ weight: 4, arbitrary: result(operation) },
		{ weight: 1, arbitrary: fault },
	);
	return content.map((inner) => element('soap', 'Envelope', [element('soap', 'Body', [inner])]));
}
