import { readFileSync } from 'node:fs';
import { PAGE, readResults } from '../../../bench/results.mts';
import { plan, withScale, type Task } from '../../../bench/scale.mts';

const task: Task = { employees: 1_000_000, callsEach: 5, serviceMs: 50, allowed: undefined };

it.each<[string, Partial<Task>, ReturnType<typeof plan>]>([
	// 174 calls per second; a worker makes 100.
	['a night of eight hours', {}, { workers: 2, seconds: 25_000, limit: 'the workers' }],
	[
		'what one worker can do',
		{ employees: 1000, callsEach: 1 },
		{ workers: 1, seconds: 10, limit: 'the workers' },
	],
	// A worker makes 6.4 calls per second: 64 at once.
	[
		'a slow service',
		{ serviceMs: 10_000 },
		{ workers: 28, seconds: expect.closeTo(27_902, 0) as number, limit: 'calls at once' },
	],
	[
		'a low allowed rate',
		{ allowed: 50 },
		{ workers: 1, seconds: 100_000, limit: 'the allowed rate' },
	],
])('the plan for %s has as many workers as are of use', (_, changes, expected) => {
	expect(plan({ ...task, ...changes }, 10)).toEqual(expected);
});

it('the page has the table of the latest results', async () => {
	const page = readFileSync(PAGE, 'utf8');
	expect(page).toMatch(/\| Employees .*\| Limited by/);
	expect(withScale(page, await readResults())).toBe(page);
});
