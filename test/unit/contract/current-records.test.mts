/** What every operation must fulfil that reads the current records before it writes. */
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';
import type { SoapOperation } from '../../../nodes/shared/contract/soapOperation.ts';

const operations: readonly SoapOperation[] = soapOperations;
const inserting = operations.filter(({ inserts }) => inserts !== undefined);
const rewriting = operations.filter(({ rewrites }) => rewrites !== undefined);

it.each([...inserting, ...rewriting])(
	'$name reads the current records with elements of its own request',
	({ effect, request, inserts, rewrites, service, subject }) => {
		for (const { read } of [inserts ?? [], rewrites ?? []].flat()) {
			expect([effect, read.effect]).toEqual(['write', 'read']);
			expect([read.service, read.subject]).toEqual([service, subject]);
			for (const [name, { kind }] of Object.entries(read.request)) {
				expect([name, request[name]?.kind]).toEqual([name, kind]);
			}
		}
	},
);

it.each(inserting)('$name compares records of one type', ({ request, inserts, ...operation }) => {
	const { result } = inserts?.read ?? {};
	expect(result?.kind).toBe('list');
	const of = result?.kind === 'list' ? result.of : undefined;
	expect(request[inserts?.record ?? '']).toBe(of);
	// The existing record is returned with the same fields as an inserted one.
	const { resultName = '' } = operation;
	expect(of?.fields[resultName]?.kind).toBe(operation.result?.kind);
});

it.each(rewriting)('$name writes records of the type that it reads', ({ request, rewrites }) => {
	const list = request[rewrites?.list ?? ''];
	const { result } = rewrites?.read ?? {};
	const types = [list, result].map((field) => field?.kind === 'list' && field.of);
	expect(types[0]).toBeTruthy();
	expect(types[0]).toBe(types[1]);
});
