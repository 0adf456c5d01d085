/* The node's options: the documented defaults and bounds, in the form and where they are read. */
import { readFileSync } from 'node:fs';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { resources as company } from '../../../nodes/PayrollCompany/actions.ts';
import { resources as employee } from '../../../nodes/PayrollEmployee/actions.ts';
import { resources as hourCodes } from '../../../nodes/PayrollHourCodes/actions.ts';
import { readPaging } from '../../../nodes/shared/actions/builtIn/paging.ts';
import { readOptions } from '../../../nodes/shared/form/options.ts';
import { readSimplify } from '../../../nodes/shared/form/output.ts';
import { inputItems, itemWith } from '../../support/items.mts';
import { rowsOf } from '../../support/markdown.mts';

const MIB = 1_048_576;

const given = (options: IDataObject) =>
	itemWith((name, fallback) => {
		const option = name.replace('options.', '');
		return option in options ? options[option] : fallback;
	});

const read = (options: IDataObject = {}) => readOptions(given(options));
const page = (options: IDataObject = {}) => readPaging(given({ returnAll: true, ...options }));

const actions = [employee, company, hourCodes].flatMap((resources) =>
	Object.values(resources).flatMap(({ operations }) => Object.values(operations)),
);

/** The options of an action's form, by name. */
function optionsOf({ properties }: { properties: readonly INodeProperties[] }) {
	const options = properties.find(({ name }) => name === 'options')?.options ?? [];
	return new Map((options as INodeProperties[]).map((option) => [option.name, option]));
}

/** Each action whose form has an option, with that option. */
const withOption = (name: string) =>
	actions.flatMap((action) => {
		const option = optionsOf(action).get(name);
		return option === undefined ? [] : [{ ...action, option }];
	});

describe('by default', () => {
	it('an operation has these options', () => {
		expect(read()).toEqual({
			concurrency: 64,
			isAdaptive: true,
			includeRequestKeys: true,
			timeoutMs: 60_000,
			maxBytes: 8 * MIB,
		});
	});

	it('a list is read in these pages', () => {
		expect(page()).toEqual({ pageSize: 100, isWhole: false });
	});
});

describe('the form says what is done:', () => {
	it('concurrency', () => {
		const found = withOption('concurrency');
		expect(new Set(found.map(({ effect }) => effect))).toEqual(new Set(['read', 'write']));
		for (const { option } of found) {
			expect(option.default).toBe(0);
			expect(option.typeOptions).toEqual({ minValue: 0, maxValue: 64, numberPrecision: 0 });
		}
	});

	it('and so does the table of docs/operations.md', () => {
		const rows = rowsOf(readFileSync('docs/operations.md', 'utf8'));
		const row = (label: string) => rows.find(([name]) => name === label)?.slice(2, 4);
		expect(row('Concurrency')).toEqual(['number, 0 to 64', '0']);
		expect(row('Timeout (Seconds)')).toEqual(['number, at least 1', '60']);
		expect(row('Response Size Limit (MiB)')).toEqual(['number, at least 1', '8']);
	});
});

it('a choice that all items share is that of the first item', () => {
	const getNodeParameter = (name: string, item: number) =>
		name === 'simplify' ? [true, false][item] : undefined;
	const items = inputItems({ getNodeParameter }, [0, 1]);
	expect(items.map(readSimplify)).toEqual([true, true]);
});

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

it.each(['concurrency', 'pageSize', 'firstPage'])('%s takes no fraction', (name) => {
	const of = name === 'concurrency' ? read : page;
	expect(() => of({ [name]: 1.5 })).toThrow(`${name}: 1.5 is not a whole number from `);
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

it('a switch may be given as a text', () => {
	expect(read({ includeRequestKeys: 'false' }).includeRequestKeys).toBe(false);
	expect(() => read({ includeRequestKeys: 'x' })).toThrow(
		'includeRequestKeys: "x" is neither true nor false.',
	);
});
