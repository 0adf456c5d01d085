/** Descriptions: what is read of one, each form that the editor shows of it, and each call by it. */
import { propertiesOf, type Field, type RecordContent } from '../../../nodes/shared/contract/fields.ts';
import { automaticValues } from '../../../nodes/shared/actions/otherOperation/automatic.ts';
import { mappedValues, mapperFields } from '../../../nodes/shared/actions/otherOperation/mapper.ts';
import { plannedWrite } from '../../../nodes/shared/actions/soapCall.ts';
import type { Operation } from '../../../nodes/shared/contract/operation.ts';
import { readDocument } from '../../../nodes/shared/soap/wsdl/documents.ts';
import { Wsdl } from '../../../nodes/shared/soap/wsdl/Wsdl.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';
import { accessOf, answering, connectionTo } from '../../support/exchange.mts';
import {
	abstractOperation,
	definitions,
	messages,
	schema,
	SERVICE_NS,
	WSDL_ADDRESS,
	wrapper,
} from '../../support/wsdl.mts';
import { element, extension, growing, sequence, type } from '../description-texts.mts';
import { words } from '../words.mts';
import { attempt } from './attempt.mts';
import type { Kind, Outcome, Recipes, Timed } from './kind.mts';
import { many, wrap, type Recipe } from './recipe.mts';
import { envelope } from './xml.mts';

/** Maximum size of all documents of a description, in bytes. */
const MAX_LENGTH = 8 * 2 ** 20;

/** How many operations of a description are used: the first, the last, and some in between. */
const USED = 6;

/** Values of a request, and rows of one of its lists. */
const VALUES = 20_000;
const ROWS = 8000;

const connection = connectionTo('http://payroll.example', {
	soapNamespace: SERVICE_NS.replace('/Service', ''),
});

const bound = (name: string): string =>
	`<wsdl:operation name="${name}"><soap:operation/><wsdl:input/></wsdl:operation>`;

const document = ([request = '', types = '', port = '', binding = '', more = '']: readonly string[]): string =>
	definitions(
		`<wsdl:types>${schema(wrapper('Call', request) + wrapper('CallResponse') + types)}</wsdl:types>` +
			messages('Call') +
			`<wsdl:portType name="Port">${abstractOperation('Call')}${port}</wsdl:portType>` +
			'<wsdl:binding name="b" type="tns:Port"><soap:binding/>' +
			`${bound('Call')}${binding}</wsdl:binding>${more}`,
	);

/** A value for a field; rows are of the last of the derived types. `left` bounds how many values there are in all. */
function sampleValue(field: Field, depth: number, left: Left): unknown {
	left.values -= 1;
	switch (field.kind) {
		case 'list':
		case 'repeated':
			return sampleRows(field.of, depth, left);
		case 'tokens':
			return [sampleValue(field.of, depth + 1, left)];
		case 'record': {
			if (depth > 3) return {};
			const derived = field.derived?.at(-1);
			const values = sampleValues(derived ?? field, depth + 1, left);
			return derived === undefined ? values : { ...values, '@xsi:type': derived.type };
		}
		case 'enumeration':
			return field.values.at(-1);
		default:
			return '7';
	}
}

interface Left {
	values: number;
}

function sampleRows(of: Field, depth: number, left: Left): unknown[] {
	const before = left.values;
	const row = sampleValue(of, depth + 1, left);
	const each = before - left.values;
	const count = Math.max(1, Math.min(ROWS, Math.floor(left.values / each)));
	left.values -= count * each;
	return Array.from({ length: count }, () => row);
}

function sampleValues(content: RecordContent, depth: number, left: Left): Values {
	const chosen = new Set(content.choice?.names.slice(1));
	const values: Array<[string, unknown]> = [];
	for (const [name, field] of Object.entries(propertiesOf(content))) {
		if (left.values <= 0) break;
		if (!chosen.has(name)) values.push([name, sampleValue(field, depth, left)]);
	}
	return Object.fromEntries(values);
}

/** What the editor, and a call by each mapping, do with an operation. */
async function use(operation: Operation, timed: Timed): Promise<unknown> {
	const { request } = operation;
	const kept: unknown[] = [];
	for (const isTool of [false, true]) kept.push(await timed(() => attempt(() => mapperFields(request, isTool))));
	const values = sampleValues(request, 0, { values: VALUES });
	const [fields] = kept as [Outcome];
	const ids = (fields.kept as Array<{ id: string }>).slice(0, VALUES).map(({ id }) => [id, '7']);
	await timed(() => attempt(() => mappedValues(request, Object.fromEntries(ids) as Values)));
	await timed(() => attempt(() => automaticValues(request, values)));
	const { exchange } = answering(() => {
		const written = (plan as unknown as { preview(): { envelope: string } }).preview().envelope;
		const [, inner = ''] = /<(?:\w+:)?Call[ >][^]*?>?([^]*)<\/(?:\w+:)?Call>/.exec(written) ?? [];
		const body = `<${operation.name}Response xmlns="${SERVICE_NS}">${inner}</${operation.name}Response>`;
		return { type: 'text/xml', body: envelope(body) };
	});
	const access = accessOf(exchange, { connection });
	// The answer has the types of the request, so that they are read, too.
	const both = { ...operation, response: request };
	let plan: ReturnType<typeof plannedWrite> | undefined;
	await timed(() => attempt(() => (plan = plannedWrite(access, both, values, []))));
	if (plan !== undefined) await timed(() => attempt(async () => await plan?.send(access as never)));
	return kept;
}

async function read(text: string, timed: Timed): Promise<Outcome> {
	const kept: unknown[] = [];
	const outcome = await timed(() => attempt(() => new Wsdl('Service', [readDocument(WSDL_ADDRESS, text)])));
	if (!outcome.isRead) return outcome;
	const wsdl = outcome.kept as Wsdl;
	const { operations } = wsdl;
	const step = Math.max(1, Math.ceil(operations.length / USED));
	let isRead = false;
	for (const { name } of operations.filter((_, i) => i % step === 0)) {
		const found = await timed(() => attempt(() => wsdl.operation(name)));
		kept.push(found.kept);
		if (!found.isRead) continue;
		isRead = true;
		kept.push(await use(found.kept as Operation, timed));
	}
	return { isRead, kept: [wsdl, kept] };
}

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
	tags.map(([, other]) => other).reverse().join(''),
];

const SEQUENCE = open('s:sequence');
const CHOICE = open('s:choice');
const NUMBERED_TYPE = both(open('s:complexType', ' name="T%i"'), SEQUENCE);
const BASE = both(open('s:complexType', ' name="T0"'), SEQUENCE);
const ENUMERATION = both(open('s:simpleType', ' name="N"'), open('s:restriction', ' base="s:string"'));
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

const starts: readonly Recipes[] = [
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
		[many(['<wsdl:operation name="A"><wsdl:input name="O%i" message="tns:O%iIn"/><wsdl:output message="tns:O%iOut"/></wsdl:operation>'])],
		[many(['<wsdl:operation name="A"><soap:operation/><wsdl:input name="O%i"/></wsdl:operation>'])],
		[many([messages('O%i')])],
	],
	[[], [], [many(['<wsdl:operation name="A"><wsdl:input name="O%i"/></wsdl:operation>'])], [many(['<wsdl:operation name="A"><wsdl:input name="O%i"/></wsdl:operation>'])], []],
	// Operations of which each has a type.
	[
		[],
		[many([wrapper('O%i', element('F', 'tns:T%i')) + wrapper('O%iResponse') + type('T%i', '')])],
		[many([abstractOperation('O%i')])],
		[many([bound('O%i')])],
		[many([messages('O%i')])],
	],
	types([wrap(BASE, [many([element('E%i', 's:int')])]), many([type('D%i', extended('tns:T0', ''))], 1000)], T0),
	types([wrap(BASE, [many([element('E%i', 's:int')])]), many([type('D%i', extended('tns:T0', ''))])], T0),
	types([wrap(BASE, [many([element('E%i', 's:int')], 60)]), many([type('D%i', extended('tns:T0', ''))])], ROWS_OF_T0),
	types([type('T0', ''), many([type('D%i', extended('tns:T0', element('F', 's:int')))])], ROWS_OF_T0),
	types([wrap(ENUMERATION, [many(['<s:enumeration value="v%i"/>'])])], many([element('E%i', 'tns:N')])),
	types(
		[wrap(ENUMERATION, [many(['<s:enumeration value="v%i"/>'])])],
		wrap(CHOICE, [many([element('E%i', 'tns:N')])]),
	),
	types([wrap(BASE, [wrap(CHOICE, [many([element('E%i', 's:int')])])])], ROWS_OF_T0),
	types([wrap(BASE, [many([element('E%i', 's:int')])])], many([element('E%i', 'tns:T0')])),
	types([wrap(BASE, [many([element('E%i', 's:int')])])], many([element('E%i', 'tns:T0', 'maxOccurs="9"')])),
	types([many([type('T%i', extended('tns:T%n', element('F%i', 's:int')))], 2000)], T0),
	types([many([type('T%i', extended('tns:T%n', element('F%i', 's:int')))])], T0),
	types([wrap(BASE, [wrap(NOTE, [wrap(open('a'), [many(['word '])], 40)])])], T0),
	types([many([wrap(NUMBERED_TYPE, [many([element('E%i', 'tns:T%i')])])])], T0),
	request(wrap(SEQUENCE, [many([element('E%i', 's:int')])], 0)),
	request(`<s:element name="${'a'}`, many(['a']), '" type="s:int"/>'),
	request('<s:element name="E" type="s:int" default="', many(['a ']), '"/>'),
	...Object.values(growing).map((make) => types([make(2000)], T0)),
];

export const description: Kind = {
	texts: [...elementTexts, ...typeTexts, ...otherTexts],
	wraps: [SEQUENCE, CHOICE, NUMBERED_TYPE, BASE, ENUMERATION, NOTE, DERIVED, open('a'), open('s:x')],
	maxLength: MAX_LENGTH,
	starts,
	// On the machine that this was measured on: one second.
	most: { time: 0.5, mebibytes: 256 },
	heap: 1024,
	document,
	read,
};
