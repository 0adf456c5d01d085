/** Random schemas: what the package reads of them fits the schemas, and loses no value. */
import fc from 'fast-check';
import { readXml } from '../../../../dev/sandbox/xml.mts';
import { Xmllint } from '../../../../dev/sandbox/xmllint.mts';
import { writeDescribedRequest } from '../../../../nodes/shared/soap/envelope.ts';
import { readDescribed } from '../../../../nodes/shared/soap/response.ts';
import {
	comparableElement,
	expectedRequest,
	NAMESPACE,
	OPERATION,
	samples,
	simpleKinds,
	writeAnswer,
	type Sample,
} from '../../../support/random-schema.mts';
import { described } from '../../../support/wsdl.mts';

const RUNS = 300;

const xmllint = new Xmllint();
afterAll(async () => await xmllint.close());

/** Returns what is invalid in documents, by the schemas of a sample. */
async function violations({ schemas }: Sample, ...documents: string[]): Promise<string> {
	const files = documents.map((contents, i) => ({ fileName: `${i}.xml`, contents }));
	const names = files.map(({ fileName }) => fileName);
	const output = await xmllint.run(
		[...schemas, ...files],
		['--noout', '--schema', 'all.xsd', ...names],
	);
	return names.every((name) => output.includes(`${name} validates`)) ? '' : output;
}

const kinds = [
	...simpleKinds,
	'named simple type',
	'fixed value',
	'any type',
	'any element',
	'list',
	'row that is nil',
	'repeated element',
	'repeated sequence',
	'repeated choice',
	'choice',
	'all',
	'group',
	'attribute',
	'qualified attribute',
	'reference to an attribute',
	'attribute group',
	'text with attributes',
	'extension',
	'restriction',
	'derived type',
	'abstract type',
	'types of the same name',
	'nil',
	'required element that is not given',
	'reference to an element',
	'unqualified element',
	'element of another namespace',
	'inherited name',
	'deep record',
	'mixed content',
	'repeated group',
	'same name twice',
];

it('a request is valid and has the values, and of an answer the values are read', async () => {
	const counts = new Map<string, number>(kinds.map((kind) => [kind, 0]));
	await fc.assert(
		fc.asyncProperty(samples(), async (sample) => {
			const operation = described(sample.wsdl).operation(OPERATION);
			const children = writeDescribedRequest(operation.request, sample.request.given, NAMESPACE);
			const request = `<${OPERATION} xmlns="${NAMESPACE}">${children}</${OPERATION}>`;
			const answer = writeAnswer(sample);

			expect(await violations(sample, request, answer)).toBe('');
			expect(comparableElement(readXml(request))).toEqual(expectedRequest(sample));
			const envelope = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${answer}</e:Body></e:Envelope>`;
			expect(readDescribed(operation, NAMESPACE, envelope)).toEqual({
				kind: 'result',
				result: sample.response.read,
			});
			for (const kind of sample.kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
		}),
		{ numRuns: RUNS },
	);
	expect([...counts].filter(([, count]) => count === 0)).toEqual([]);
	expect([...counts.keys()].sort()).toEqual([...kinds].sort());
});
