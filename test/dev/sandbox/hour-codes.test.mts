import { useService } from './setUp.mts';

const service = useService({}, { hourCodeBody: 'array', pageSizeCap: null, firstPage: 1 });

async function get(query = '', company = '100'): Promise<[status: number, body: unknown]> {
	const { sandbox, token } = service;
	const response = await fetch(`${sandbox.url}/api/companies/${company}/hourcodes${query}`, {
		headers: { Authorization: `Bearer ${token}`, 'X-Subscription-Key': sandbox.subscriptionKey },
	});
	expect(response.headers.get('content-type')).toContain('application/json');
	return [response.status, await response.json()];
}

it('hour codes come in pages, the last of them empty', async () => {
	const lengths = async (pages: number[], size: number) =>
		await Promise.all(
			pages.map(async (page) => {
				const [, rows] = await get(`?pageNumber=${page}&pageSize=${size}`);
				return (rows as unknown[]).length;
			}),
		);
	expect(await lengths([1, 2, 3], 20)).toEqual([20, 17, 0]);
	await service.sandbox.configure({ firstPage: 0, pageSizeCap: 15 });
	expect(await lengths([0, 1, 2, 3], 100)).toEqual([15, 15, 7, 0]);
});

it('a page has the shape of the mode', async () => {
	await service.sandbox.configure({ hourCodeBody: 'items' });
	const [, page] = await get('?pageNumber=2&pageSize=30');
	expect(page).toEqual({ items: expect.any(Array) });
	await service.sandbox.configure({ hourCodeBody: 'metadata' });
	const [, last] = await get('?pageNumber=2&pageSize=30');
	const metadata = { totalCount: 37, totalPages: 2, pageNumber: 2, pageSize: 30 };
	expect(last).toEqual({ ...(page as object), ...metadata });
	expect(last).toHaveProperty('items.length', 7);
});

it.each([
	['?pageNumber=0', '100', 400],
	['', '300', 404],
])('hour codes%s of company %s are refused by HTTP %d', async (query, company, statusCode) => {
	expect(await get(query, company)).toEqual([statusCode, expect.objectContaining({ statusCode })]);
});
