/* The node's options: the documented defaults and bounds, in the form and where they are read. */
import type { IDataObject } from 'n8n-workflow';
import { readPaging } from '../../../nodes/shared/actions/builtIn/rest.ts';
import { readOptions } from '../../../nodes/shared/form/options.ts';
import { itemWith } from '../../support/items.mts';

const MIB = 1_048_576;

const given = (options: IDataObject) =>
	itemWith((name, fallback) => {
		const option = name.replace('options.', '');
		return option in options ? options[option] : fallback;
	});

const read = (options: IDataObject = {}) => readOptions(given(options));
const page = (options: IDataObject = {}) => readPaging(given({ returnAll: true, ...options }));

const LAST_PAGE = 2_147_483_647;

describe.each<[string, (value: number) => number, number, number, number]>([
	['timeout', (timeout) => read({ timeout }).timeoutMs, 0.001, 86_400, 1000],
	[
		'responseSizeLimit',
		(responseSizeLimit) => read({ responseSizeLimit }).maxBytes,
		0.001,
		2048,
		MIB,
	],
	['pageSize', (pageSize) => page({ pageSize }).pageSize, 1, LAST_PAGE, 1],
	['firstPage', (firstPage) => page({ firstPage }).firstPage ?? -1, 0, LAST_PAGE, 1],
])('%s', (name, valueOf, lowest, highest, unit) => {
	it('takes its bounds', () => {
		expect(valueOf(lowest)).toBeCloseTo(lowest * unit, 0);
		expect(valueOf(highest)).toBe(highest * unit);
	});

	it('takes nothing beyond them', () => {
		const kind = unit === 1 ? 'a whole number' : 'a number';
		for (const value of [lowest - 0.0005, lowest - 1, highest + 0.0005, highest + 1, Number.NaN]) {
			const range = `${name}: ${value} is not ${kind} from ${lowest} to ${highest}.`;
			expect(() => valueOf(value)).toThrow(new Error(range));
		}
	});
});

describe('concurrency', () => {
	it('is fixed by a number', () => {
		for (const concurrency of [1, 64]) {
			expect(read({ concurrency })).toMatchObject({ concurrency, isAdaptive: false });
		}
	});

	it.each([0, '0', '', ' ', null])(
		'adapts to the service if it is %j, also for writes',
		(concurrency) => {
			expect(read({ concurrency })).toMatchObject({ concurrency: 64, isAdaptive: true });
		},
	);

	it.each([-1, 65, Number.NaN])('is not %d', (concurrency) => {
		expect(() => read({ concurrency })).toThrow(
			new Error(`concurrency: ${concurrency} is not a whole number from 0 to 64.`),
		);
	});
});

it('a number may be given as a text', () => {
	expect(read({ concurrency: '7', timeout: ' 2.5 ' })).toMatchObject({
		concurrency: 7,
		timeoutMs: 2500,
	});
	for (const concurrency of ['x', true, [7]]) {
		expect(() => read({ concurrency })).toThrow(
			/^concurrency: .+ is not a whole number from 0 to 64\.$/,
		);
	}
	expect(() => read({ timeout: '' })).toThrow(/^timeout: .+ is not a number from /);
});
