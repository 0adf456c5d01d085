import { useService } from './setUp.mts';

const service = useService({}, { hourCodeBody: 'array', pageSizeCap: null, firstPage: 1 });

async function get(query = '', company = '100', headers: object = {}): Promise<[number, unknown]> {
	const { sandbox, token } = service;
	const response = await fetch(`${sandbox.url}/api/companies/${company}/hourcodes${query}`, {
		headers: {
			Accept: 'application/json',
			Authorization: `Bearer ${token}`,
			'X-Subscription-Key': sandbox.subscriptionKey,
			...headers,
		},
	});
	expect(response.headers.get('content-type')).toContain('application/json');
	return [response.status, await response.json()];
}

describe('hour codes', () => {
	it('come in pages from 1 on, then an empty one', async () => {
		const [, one] = await get('?pageNumber=1&pageSize=20');
		const [, two] = await get('?pageNumber=2&pageSize=20');
		expect(one).toHaveLength(20);
		expect(two).toHaveLength(17);
		expect(await get('?pageNumber=3&pageSize=20')).toEqual([200, []]);
		const [, few] = await get('', '200');
		expect(few).toHaveLength(3);
	});

	it('come in the body shape and from the first page of the mode', async () => {
		await service.sandbox.configure({ hourCodeBody: 'items', firstPage: 0 });
		const [, page] = await get('?pageNumber=0&pageSize=2', '200');
		expect(Object.keys(page as object)).toEqual(['items']);
		expect(page).toHaveProperty('items.length', 2);
		await service.sandbox.configure({ hourCodeBody: 'metadata', firstPage: 1 });
		const [, last] = await get('?pageNumber=2&pageSize=30');
		expect(last).toMatchObject({ totalCount: 37, totalPages: 2, pageNumber: 2, pageSize: 30 });
		expect(last).toHaveProperty('items.length', 7);
	});

	it('come in capped pages that lose nothing', async () => {
		await service.sandbox.configure({ pageSizeCap: 10 });
		const pages = [1, 2, 3, 4, 5].map(async (page) => {
			const [, rows] = await get(`?pageNumber=${page}&pageSize=100`);
			return rows as unknown[];
		});
		const lengths = (await Promise.all(pages)).map(({ length }) => length);
		expect(lengths).toEqual([10, 10, 10, 7, 0]);
	});

	it('are refused with JSON: bad paging, unknown company, no key, no token', async () => {
		for (const query of ['?pageNumber=0', '?pageNumber=x', '?pageSize=0', '?pageSize=1.5']) {
			expect(await get(query)).toEqual([400, expect.objectContaining({ statusCode: 400 })]);
		}
		for (const company of ['300', 'abc']) expect((await get('', company))[0]).toBe(404);
		expect((await get('', '100', { 'X-Subscription-Key': 'no' }))[0]).toBe(401);
		expect((await get('', '100', { Authorization: 'Bearer no' }))[0]).toBe(401);
	});
});
