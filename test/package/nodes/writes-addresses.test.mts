/**
 * Inserts of addresses, judged by what stands there afterwards; writes.test.mts has what all writes share.
 *
 * @jest-environment-options {"timeFactor": 100}
 */
import { answerOf, lost, serverFault } from '../../support/plain-service.mts';
import {
	about,
	applied,
	EMPLOYEE,
	HELD,
	insert,
	KEY,
	NOT_THERE,
	refused,
	unknown,
	upstairs,
	wanted,
	useWrites,
} from './writes.mts';

const { service, addresses, run } = useWrites();

describe('an address', () => {
	const before = { applies: 'never', answer: lost } as const;

	it.each([
		['241 B', upstairs],
		['an equal one', wanted],
		['one in other notation', { ...wanted, Street: 'KEIZERSGRACHT', PostalCode: '1016EA' }],
	])('is not there because %s was before', async (_, row) => {
		service.put(KEY, [row]);
		service.behaviour = before;
		const { error } = await run(insert());
		expect(error).toMatchObject({ ...unknown, description: expect.stringContaining(NOT_THERE) });
		expect(addresses()).toHaveLength(1);
		expect(service.writes()).toBe(1);
	});

	it('is verified with another Id than was given', async () => {
		const { items } = await run(insert({ addressFields: { id: 7 } }));
		expect(items).toMatchObject([{ verified: true, Id: Number(addresses()[0]?.Id) }]);
	});

	it('is there beside an equal one', async () => {
		service.put(KEY, [wanted]);
		service.behaviour = { answer: lost };
		const { items } = await run(insert());
		expect(items).toMatchObject([{ ...applied, Id: Number(addresses()[1]?.Id) }]);
	});

	it('is not verified by another one than the service named', async () => {
		service.put(KEY, [wanted]);
		const answer = answerOf('<Address_InsertResult>9500</Address_InsertResult>');
		service.behaviour = { applies: 'never', answer };
		const { items, hints } = await run(insert());
		expect(items).toMatchObject([{ Id: 9500, verified: false }]);
		expect(hints).toContain('not verified');
	});

	it('is not verified by an equal one that was there before, even if the service names it', async () => {
		service.put(KEY, [{ ...wanted, Id: '77' }]);
		const answer = answerOf('<Address_InsertResult>77</Address_InsertResult>');
		service.behaviour = { applies: 'never', answer };
		const { items, hints } = await run(insert());
		expect(items).toMatchObject([{ Id: 77, verified: false }]);
		expect(hints).toContain('was there before');
	});

	it.each([
		['once', 'Keizersgracht'],
		['never', ''],
	] as const)('is in doubt if nothing was read before: applied %s', async (applies, named) => {
		service.behaviour = { applies, answer: lost };
		const { error, retry } = await run(insert({ verify: false }));
		expect(error).toMatchObject(unknown);
		expect(error?.description).toContain(named);
		if (named !== '') expect(error?.description).toContain('may have been there before');
		expect(about(await retry())).toMatchObject(unknown);
		expect(service.called()[0]).toBe('Address_Insert');
		expect(service.writes()).toBe(1);
	});

	it('that was applied stays known if another one is refused with a code in a retry', async () => {
		service.behaviour = (who) => (who === KEY ? {} : { applies: 'never', answer: refused });
		const failed = await run(insert({ verify: false }), {}, [{ id: EMPLOYEE }, { id: 1002 }]);
		service.behaviour = { applies: 'never', answer: serverFault('1205: Deadlock') };
		const coded = await failed.retry(insert({ verify: false, street: 'Prinsengracht' }));
		expect(coded.error).toMatchObject({ code: 'FAULT_CODED' });
		const period = `={{ $json.id === ${EMPLOYEE} ? "x" : 6 }}`;
		const { error } = await coded.retry(insert({ verify: false, period }));
		expect(error).toMatchObject({ code: 'VALUE_INVALID', outcome: 'applied' });
	});

	describe('with Skip If It Exists', () => {
		const skips = insert({ skipIfExists: true });

		it.each([
			['another addition', upstairs],
			['another city', { ...wanted, City: 'Haarlem' }],
			['another number', { ...wanted, HouseNumber: '24', HouseNumberAddition: '2' }],
		])('is inserted beside one with %s', async (_, row) => {
			service.put(KEY, [row]);
			expect((await run(skips)).items).toMatchObject([{ created: true, verified: true }]);
			expect(service.writes()).toBe(1);
		});

		it.each([
			['in upper case', { ...wanted, Street: 'KEIZERSGRACHT', City: 'AMSTERDAM' }],
			['with other signs', { ...wanted, PostalCode: '1016-ea' }],
			['with a country', { ...wanted, CountryISOCode: 'NL', StateProvince: 'Noord-Holland' }],
		])('is not inserted beside the same one %s', async (_, row) => {
			service.put(KEY, [row]);
			expect((await run(skips)).items).toMatchObject([{ created: false }]);
			expect(service.writes()).toBe(0);
		});

		it('has its number and its addition as one', async () => {
			service.put(KEY, [{ ...wanted, HouseNumber: '241 B' }]);
			const parameters = {
				...skips,
				houseNumberAddition: 'b',
			};
			expect((await run(parameters)).items).toMatchObject([{ created: false }]);
		});

		it('that arrived after a doubt is created, however it stands there when the execution is retried', async () => {
			service.behaviour = { applies: HELD, answer: lost };
			const failed = await run(skips);
			expect(failed.error).toMatchObject(unknown);
			service.recover();
			const { items } = await failed.retry();
			expect(items).toMatchObject([{ ...applied, created: true, Id: Number(addresses()[0]?.Id) }]);
			expect(service.writes()).toBe(1);
		});
	});
});
