/* Lists of the node; list.test.mts has how they are read, path.test.mts the identifiers in a path. */
import type { INodeParameters } from 'n8n-workflow';
import type { Modes } from '../../../dev/sandbox/client.mts';
import { getHourCodes } from '../../../dev/package/calls.mts';
import { useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
let credential: string;
beforeAll(async () => (credential = await payroll.connect(sandbox)));
beforeEach(async () => {
	await sandbox.configure({ hourCodeBody: 'array', pageSizeCap: null, firstPage: 1 });
});

async function get(companyId: string, parameters: INodeParameters = {}) {
	const node = payroll.node('payrollHourCodes', credential, { ...getHourCodes, ...parameters });
	const result = await payroll.run([{ id: companyId }], node);
	const requests = (await sandbox.requests()).filter(({ path }) => path.startsWith('/api'));
	return { result, items: result.json('Payroll'), paths: requests.map(({ path }) => path) };
}

const path = (page: number, size: number) =>
	`/api/companies/100/hourcodes?pageNumber=${page}&pageSize=${size}`;
const ids = Array.from({ length: 37 }, (_, i) => 301 + i);

describe('Return All', () => {
	const modes: ReadonlyArray<readonly [Partial<Modes>, INodeParameters, number]> = [
		[{ hourCodeBody: 'array' }, {}, 3],
		[{ hourCodeBody: 'array' }, { options: { firstPage: 1 } }, 2],
		[{ hourCodeBody: 'metadata' }, {}, 1],
		[{ hourCodeBody: 'array' }, { options: { pageSize: 10 } }, 6],
		[{ hourCodeBody: 'items', pageSizeCap: 36 }, {}, 4],
		[{ hourCodeBody: 'metadata', pageSizeCap: 5 }, {}, 8],
		[{ hourCodeBody: 'array', firstPage: 0 }, { options: { pageSize: 20 } }, 3],
		[{ hourCodeBody: 'metadata', firstPage: 0 }, { options: { pageSize: 20 } }, 3],
		[{ hourCodeBody: 'metadata', firstPage: 0 }, { options: { firstPage: 0, pageSize: 20 } }, 2],
	];
	it.each(modes)('reads all 37 records of a company: %j %j', async (mode, parameters, requests) => {
		await sandbox.configure(mode);
		const { items, paths } = await get('100', parameters);
		expect(items.map(({ id }) => id)).toEqual(ids);
		expect(items[0]).toMatchObject({ CompanyId: 100, id: 301, code: 'U001' });
		expect(paths).toHaveLength(requests);
	});
});

describe('Limit', () => {
	it.each([
		[37, { firstPage: 1 }, [path(1, 100)]],
		[37, {}, [path(1, 100), path(0, 100)]],
		[12, { firstPage: 1, pageSize: 5 }, [path(1, 5), path(2, 5), path(3, 5)]],
	])('of %d with %j stops without a further page', async (limit, options, expected) => {
		const { items, paths } = await get('100', { returnAll: false, limit, options });
		expect(items.map(({ id }) => id)).toEqual(ids.slice(0, limit));
		expect(paths).toEqual(expected);
	});

	it('applies by default', async () => {
		const { returnAll: _, ...parameters } = getHourCodes;
		const node = payroll.node('payrollHourCodes', credential, { ...parameters, limit: 12 });
		const result = await payroll.run([{ id: 100 }], node);
		expect(result.json('Payroll')).toHaveLength(12);
	});
});

describe('the options', () => {
	it('and the limit are evaluated for each item', async () => {
		const options = { firstPage: 1, pageSize: '={{ $json.size }}' };
		const parameters = { returnAll: false, limit: '={{ $json.limit }}', options };
		const node = payroll.node('payrollHourCodes', credential, { ...getHourCodes, ...parameters });
		const input = [
			{ id: 200, size: 2, limit: 3 },
			{ id: 200, size: 3, limit: '1' },
		];
		const { items } = await payroll.run(input, node);
		expect(items('Payroll').map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1].map((item) => ({ item })),
		);
		const sizes = (await sandbox.requests()).map(({ path: asked }) => asked.replace(/.*=/, ''));
		expect(sizes.sort()).toEqual(['2', '2', '3']);
	});
});
