/** Descriptions of any shape are read as the fields that they define. */
import fc from 'fast-check';
import type {
	SchemaField,
	SchemaFields,
	SchemaValue,
} from '../../../../nodes/shared/contract/schemaFields.ts';
import { Xmllint } from '../../../../dev/sandbox/xmllint.mts';
import { generatedDescription } from '../../../support/schemas.mts';
import { described, SERVICE_NS } from '../../../support/wsdl.mts';

/** Recursive types are compared down to this depth. */
const DEPTH = 5;

/** Fields in order, the attributes first, without circles, whichever objects they share. */
function unfolded(fields: SchemaFields, depth = DEPTH): unknown {
	const value = (field: SchemaField | SchemaValue): object => {
		if (field.kind === 'list' || field.kind === 'repeated')
			return { ...field, of: value(field.of) };
		if (field.kind !== 'record') return field;
		const { fields: inner, derived = [], ...rest } = field;
		if (depth === 0) return rest;
		const types = derived.map((type) => ({ ...type, fields: unfolded(type.fields, depth - 1) }));
		return { ...rest, fields: unfolded(inner, depth - 1), derived: types };
	};
	const isElement = (name: string): number => Number(!name.startsWith('@'));
	return Object.entries(fields)
		.sort(([one], [other]) => isElement(one) - isElement(other))
		.map(([name, field]) => [name, value(field)]);
}

const xmllint = new Xmllint();

afterAll(async () => await xmllint.close());

it('the generated schemas are valid', async () => {
	for (const { schemas } of fc.sample(generatedDescription, 50)) {
		const instance = { fileName: 'call.xml', contents: `<Call xmlns="${SERVICE_NS}"/>` };
		const [own] = schemas;
		const args = ['--noout', '--schema', own?.fileName ?? '', instance.fileName];
		// Whatever it says of the instance, it has understood the schemas.
		expect(await xmllint.run([instance, ...schemas], args)).toMatch(
			/call\.xml (?:validates|fails to validate)/,
		);
	}
});

it('any schema is read as the fields that it defines, in the same order', () => {
	fc.assert(
		fc.property(generatedDescription, ({ wsdl, request }) => {
			const read = described(wsdl).operation('Call').request;
			expect(unfolded(read)).toEqual(unfolded(request));
		}),
		{ numRuns: 500 },
	);
});
