/* The node's options: the documented defaults and bounds, in the form and where they are read. */
import type { IDataObject } from 'n8n-workflow';
import { readPaging } from '../../../nodes/shared/actions/builtIn/rest.ts';
import { readOptions } from '../../../nodes/shared/form/options.ts';
import { itemWith } from '../../support/items.mts';

const given = (options: IDataObject) =>
	itemWith((name, fallback) => {
		const option = name.replace('options.', '');
		return option in options ? options[option] : fallback;
	});
const read = (options: IDataObject) => readOptions(given(options));
const page = (options: IDataObject) => readPaging(given({ returnAll: true, ...options }));
const LAST_PAGE = 2_147_483_647;

it.each<[string, (value: unknown) => number | undefined, number, number, number]>([
	['timeout', (timeout) => read({ timeout } as IDataObject).timeoutMs, 0.001, 86_400, 1000],
	[
		'responseSizeLimit',
		(size) => read({ responseSizeLimit: size } as IDataObject).maxBytes,
		0.001,
		2048,
		1_048_576,
	],
	['pageSize', (pageSize) => page({ pageSize } as IDataObject).pageSize, 1, LAST_PAGE, 1],
	['firstPage', (firstPage) => page({ firstPage } as IDataObject).firstPage, 0, LAST_PAGE, 1],
	['concurrency', (of) => read({ concurrency: of } as IDataObject).concurrency, 1, 64, 1],
])('%s takes its bounds, also as a text, and nothing beyond them', (name, valueOf, ...limits) => {
	const [lowest, highest, unit] = limits;
	for (const value of [highest, ` ${highest} `]) expect(valueOf(value)).toBe(highest * unit);
	expect(valueOf(lowest)).toBeCloseTo(lowest * unit, 0);
	const least = name === 'concurrency' ? 0 : lowest;
	const range = `${unit === 1 ? 'a whole number' : 'a number'} from ${least} to ${highest}.`;
	const numbers = [least - 0.0005, least - 1, highest + 0.0005, highest + 1, Number.NaN];
	if (unit === 1) numbers.push(lowest + 0.5);
	for (const value of numbers) {
		expect(() => valueOf(value)).toThrow(new Error(`${name}: ${value} is not ${range}`));
	}
	for (const value of ['x', true, [7]]) expect(() => valueOf(value)).toThrow(`is not ${range}`);
});

it('concurrency is fixed by a number, and adapts to the service without one', () => {
	for (const concurrency of [1, 64]) {
		expect(read({ concurrency })).toMatchObject({ concurrency, isAdaptive: false });
	}
	for (const concurrency of [0, '0', '', ' ', null]) {
		expect(read({ concurrency })).toMatchObject({ concurrency: 64, isAdaptive: true });
	}
	expect(() => read({ timeout: '' })).toThrow(/^timeout: .+ is not a number from /);
});
