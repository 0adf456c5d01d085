/**
 * The `soap` package's client as a second reader of random schemas: it sends what the package sends.
 *
 * It is not asked for what it does not write correctly: elements of a second namespace (also those
 * of derived types), unqualified elements, groups and choices, the order of elements in a type that is
 * derived from a derived one, null among the rows of a list, and texts that look like CDATA sections.
 * The values are given in the order of the schema, since it orders only types that have a name.
 */
import fc from 'fast-check';
import { createClientAsync } from 'soap';
import { readXml } from '../../../../dev/sandbox/xml.mts';
import { writeDescribedRequest } from '../../../../nodes/shared/soap/envelope.ts';
import {
	comparableElement,
	NAMESPACE,
	OPERATION,
	requestNode,
	samples,
	type Comparable,
	type Node,
	type Sample,
} from '../../../support/random-schema.mts';
import { described } from '../../../support/wsdl.mts';

/** An element's value as the client takes it. */
function toClient({ isNil, attributes, type, text, children }: Node): unknown {
	if (isNil) return null;
	const own: Record<string, unknown> = Object.fromEntries(
		attributes.map((attribute) => [attribute.name, attribute.text]),
	);
	if (type !== undefined) own.xsi_type = { type: type.replace(/^a:/, ''), xmlns: NAMESPACE };
	const hasOwn = Object.keys(own).length > 0;
	if (children.length === 0 && !hasOwn) return text;
	const value: Record<string, unknown[]> = {};
	for (const child of children) (value[child.name] ??= []).push(toClient(child));
	const single = Object.entries(value).map(([name, all]) => [
		name,
		all.length === 1 ? all[0] : all,
	]);
	return {
		...(hasOwn && { attributes: own }),
		...(children.length === 0 && text !== '' && { $value: text }),
		...Object.fromEntries(single),
	};
}

/** Returns the operation's element as the client sends it. */
async function sentByClient(sample: Sample): Promise<Comparable> {
	let sent = '';
	const answer = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><${OPERATION}Response xmlns="${NAMESPACE}"/></e:Body></e:Envelope>`;
	const httpClient = {
		async request(
			_url: string,
			body: string,
			done: (error: null, response: object, body: string) => void,
		) {
			sent = body;
			done(null, { statusCode: 200, headers: {}, data: answer }, answer);
		},
	};
	const client = await createClientAsync(sample.wsdl, { disableCache: true, httpClient } as object);
	const call = client[`${OPERATION}Async`] as (request: unknown) => Promise<unknown>;
	await call.call(client, toClient(requestNode(sample)) || {});
	const body = readXml(sent).children.find(({ name }) => name === 'Body');
	return comparableElement(body?.children[0] ?? readXml('<none/>'));
}

it('the client, which reads the same description, sends the same elements', async () => {
	const kinds = new Set<string>();
	await fc.assert(
		fc.asyncProperty(samples({ isPlain: true }), async (sample) => {
			fc.pre(!JSON.stringify(sample.request.given).includes('<![CDATA['));
			const { request } = described(sample.wsdl).operation(OPERATION);
			const children = writeDescribedRequest(request, sample.request.given, NAMESPACE);
			const ours = readXml(`<${OPERATION} xmlns="${NAMESPACE}">${children}</${OPERATION}>`);
			expect(await sentByClient(sample)).toEqual(comparableElement(ours));
			for (const kind of sample.kinds) kinds.add(kind);
		}),
		{ numRuns: 200 },
	);
	expect([...kinds]).toEqual(
		expect.arrayContaining([
			'abstract type',
			'attribute',
			'attribute group',
			'deep record',
			'derived type',
			'enumeration',
			'extension',
			'list',
			'nil',
			'repeated element',
			'required element that is not given',
		]),
	);
});
