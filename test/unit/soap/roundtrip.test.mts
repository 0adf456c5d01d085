import fc from 'fast-check';
import type { Fields, RecordField, RecordOf } from '../../../nodes/shared/contract/fields.ts';
import type { SoapOperation } from '../../../nodes/shared/contract/soapOperation.ts';
import {
	companyAddress,
	employeeAddress,
	employeeCostCenter,
} from '../../../nodes/shared/contract/resources.ts';
import { soapVersions, writeEnvelope } from '../../../nodes/shared/soap/envelope.ts';
import { readEnvelope } from '../../../nodes/shared/soap/response.ts';
import type { SoapVersion } from '../../../nodes/shared/transport/connection.ts';
import { comparableFields, recordOf } from '../../support/arbitraries.mts';

const namespace = 'http://payroll.example/soap/v3';

/** An operation whose result has the shape of its request. */
function echo(record: RecordField) {
	return {
		service: 'EchoService',
		name: 'Echo',
		effect: 'read',
		subject: 'Rows',
		keys: [],
		request: { Rows: { kind: 'list', of: record } },
		result: { kind: 'list', of: record },
	} as const satisfies SoapOperation;
}

/** The request's envelope as the answer of a service that sends everything back. */
function answered(envelope: string): string {
	return envelope
		.replace(/<Echo (xmlns="[^"]*")>/, '<EchoResponse $1>')
		.replace('</Echo>', '</EchoResponse>')
		.replace('<Rows>', '<EchoResult>')
		.replace('</Rows>', '</EchoResult>');
}

describe.each(Object.keys(soapVersions) as SoapVersion[])(
	'SOAP %s, write then read',
	(soapVersion) => {
		it.each([employeeCostCenter, employeeAddress, companyAddress])(
			'keeps every value of $type',
			(record) => {
				const operation = echo(record);
				fc.assert(
					fc.property(fc.array(recordOf(record), { minLength: 1, maxLength: 5 }), (rows) => {
						const connection = { domain: 'demo', soapNamespace: namespace, soapVersion };
						const envelope = writeEnvelope(connection, operation, {
							Rows: rows as Array<RecordOf<Fields>>,
						});
						const answer = readEnvelope(operation, `${namespace}/EchoService`, answered(envelope));
						if (answer.kind !== 'result') throw new Error(answer.fault.message);
						const read = answer.result.map((row) => comparableFields(record.fields, row));
						expect(read).toEqual(rows.map((row) => comparableFields(record.fields, row)));
					}),
					{ numRuns: 400 },
				);
			},
		);
	},
);
