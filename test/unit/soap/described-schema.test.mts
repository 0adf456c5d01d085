/** What is written of a described operation is valid against its schema, by an independent validator. */
import fc from 'fast-check';
import { writeDescribedRequest } from '../../../nodes/shared/soap/envelope.ts';
import { Xmllint } from '../../../dev/sandbox/xmllint.mts';
import { closedFields, withValues } from '../../support/schema-fields.mts';
import { schemaFiles } from '../../support/schema-text.mts';

const NAMESPACE = 'http://payroll.example/soap/v3/EmployeeService';

it('any values of any fields are written as their schema says', async () => {
	const xmllint = new Xmllint();
	await fc.assert(
		fc.asyncProperty(withValues(closedFields), async ([fields, values]) => {
			const xml = writeDescribedRequest(fields, values, NAMESPACE);
			const files = [
				...schemaFiles('Echo', fields, NAMESPACE),
				{ fileName: 'request.xml', contents: `<Echo xmlns="${NAMESPACE}">${xml}</Echo>` },
			];
			const args = ['--noout', '--schema', 'service.xsd', 'request.xml'];
			expect(await xmllint.run(files, args)).toBe('request.xml validates\n');
		}),
		{ numRuns: 200 },
	);
	await xmllint.close();
});
