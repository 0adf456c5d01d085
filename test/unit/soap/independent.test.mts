import fc from 'fast-check';
import type { Field } from '../../../nodes/shared/contract/fields.ts';
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';
import { resultField, type Operation } from '../../../nodes/shared/contract/operation.ts';
import { callSoap } from '../../../nodes/shared/soap/call.ts';
import { soapVersions } from '../../../nodes/shared/soap/envelope.ts';
import type { SoapVersion } from '../../../nodes/shared/credential/connection.ts';
import { comparable, comparableFields, valueOf } from '../../support/arbitraries.mts';
import { plainExchange } from '../../support/exchange.mts';
import {
	mapTexts,
	requestOf,
	serve,
	withoutCdata,
	type IndependentServer,
} from '../../support/independent.mts';
import { runs } from '../../support/runs.mts';

const services = ['EmployeeService', 'CompanyService'] as const;
const operations: readonly Operation[] = soapOperations;
const withResult = operations.flatMap((operation) => {
	const [element, field] = resultField(operation) ?? [];
	return element && field ? [{ operation, name: operation.name, element, field }] : [];
});

/**
 * The package applies its schema to requests of SOAP 1.1 only; in 1.2 it does not keep a text of
 * nothing but blanks, which is then compared as an empty one.
 */
const readable: Readonly<Record<SoapVersion, (text: string) => string>> = {
	'1.1': (text) => text,
	'1.2': (text) => (text.trim() === '' ? '' : text),
};

describe.each(Object.keys(soapVersions) as SoapVersion[])(
	'with the soap package as server of SOAP %s',
	(version) => {
		const servers = new Map<string, IndependentServer>();
		const serverOf = ({ service }: Operation): IndependentServer => {
			const server = servers.get(service);
			if (server === undefined) throw new Error(`${service} is not served`);
			return server;
		};

		beforeAll(async () => {
			for (const service of services) {
				const own = operations.filter((operation) => operation.service === service);
				servers.set(service, await serve(own, service, version));
			}
		});
		afterAll(async () => {
			for (const server of servers.values()) await server.close();
		});

		it.each(operations)(
			'$name arrives as it was written, whatever the values',
			async (operation) => {
				const server = serverOf(operation);
				const { fields } = operation.request;
				server.answer(resultField(operation)?.[1].kind === 'list' ? [] : 1);
				await fc.assert(
					fc.asyncProperty(requestOf(operation, readable[version]), async (request) => {
						await callSoap(plainExchange, server.connection, operation, request);
						const { values, ...received } = server.last();
						expect(comparableFields(fields, values)).toEqual(comparableFields(fields, request));
						expect(received).toEqual({
							operation: operation.name,
							domain: 'demo',
							contentType: soapVersions[version].contentType,
							soapAction:
								version === '1.1'
									? `"http://payroll.example/soap/v3/${operation.service}/${operation.name}"`
									: undefined,
						});
					}),
					runs(0.5),
				);
			},
		);

		it.each(withResult)(
			"$name's answers are read as they were given",
			async ({ operation, element, field }) => {
				const server = serverOf(operation);
				await fc.assert(
					fc.asyncProperty(answers(field), async (result) => {
						server.answer(result);
						const read = await callSoap(plainExchange, server.connection, operation, {});
						expect(comparable(field, read[element])).toEqual(comparable(field, result));
					}),
					runs(0.5),
				);
			},
		);
	},
);

/** Any result; decimals as plain digits, since the package writes numbers with exponents. */
function answers(field: Field): fc.Arbitrary<unknown> {
	return valueOf(field).map((value) => mapTexts(comparable(field, value), withoutCdata));
}
