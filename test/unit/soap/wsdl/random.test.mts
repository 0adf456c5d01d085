/** Random schemas: what the package reads of them fits the schemas, and loses no value. */
import fc from 'fast-check';
import { readXml } from '../../../../dev/sandbox/xml.mts';
import { Xmllint } from '../../../../dev/sandbox/xmllint.mts';
import { writeRequest } from '../../../../nodes/shared/soap/envelope.ts';
import { readAnswer } from '../../../../nodes/shared/soap/response.ts';
import {
	comparableElement,
	NAMESPACE,
	OPERATION,
	samples,
	simpleKinds,
	type Sample,
} from '../../../support/random-schema.mts';
import { runs } from '../../../support/runs.mts';
import { soapAnswer } from '../../../support/soap.mts';
import { described } from '../../../support/wsdl.mts';

const xmllint = new Xmllint();
afterAll(async () => await xmllint.close());

const kinds = [
	...simpleKinds,
	'named simple type',
	'any type',
	'any element',
	'list',
	'row that is nil',
	'repeated element',
	'repeated choice',
	'choice',
	'attribute',
	'qualified attribute',
	'text with attributes',
	'extension',
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
	'any order',
	'nested group',
	'repeated group',
	'several choices',
];

/** Expects that documents are valid by the schemas of a sample. */
async function expectValid({ schemas }: Sample, ...documents: string[]): Promise<void> {
	const files = documents.map((contents, i) => ({ fileName: `${i}.xml`, contents }));
	const names = files.map(({ fileName }) => fileName);
	const args = ['--noout', '--schema', 'all.xsd', ...names];
	const output = await xmllint.run([...schemas, ...files], args);
	expect(output).toBe(names.map((name) => `${name} validates\n`).join(''));
}

async function check(sample: Sample): Promise<void> {
	const operation = described(sample.wsdl).operation(OPERATION);
	const children = writeRequest(operation.request, sample.request.given, NAMESPACE);
	const request = `<${OPERATION} xmlns="${NAMESPACE}">${children}</${OPERATION}>`;
	await expectValid(sample, request, sample.answer);
	expect(comparableElement(readXml(request))).toEqual(comparableElement(readXml(sample.sent)));

	const { read } = sample.response;
	const valuesOf = (answer: string) =>
		readAnswer(operation, NAMESPACE, String(soapAnswer(answer).body));
	expect(valuesOf(sample.answer)).toEqual({ kind: 'result', result: read });
	// A list that an answer has not is empty, too.
	const again = Object.entries(read).filter(([name, value]) => {
		const field = operation.response.fields[name];
		const isNeeded = field?.required === true && field.nillable !== true;
		return isNeeded || field?.kind !== 'list' || (value as unknown[] | null)?.length !== 0;
	});
	const written = writeRequest(operation.response, Object.fromEntries(again), NAMESPACE);
	const name = `${OPERATION}Response`;
	expect(valuesOf(`<${name} xmlns="${NAMESPACE}">${written}</${name}>`)).toEqual({
		kind: 'result',
		result: read,
	});
}

it('a request is valid and has the values, and an answer gives values that can be sent again', async () => {
	const missing = new Set(kinds);
	const checkSample = async (sample: Sample): Promise<void> => {
		await check(sample);
		for (const kind of sample.kinds) {
			expect(kinds).toContain(kind);
			missing.delete(kind);
		}
	};
	// To shrink a schema would take minutes.
	const endOnFailure = true;
	await fc.assert(fc.asyncProperty(samples(), checkSample), { ...runs(), endOnFailure });
	for (const sample of fc.sample(samples(), 500)) {
		if ([...sample.kinds].some((kind) => missing.has(kind))) await checkSample(sample);
	}
	expect([...missing]).toEqual([]);
});
