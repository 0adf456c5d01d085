import { readFileSync } from 'node:fs';
import { readResults } from '../../../bench/results.mts';
import { plan, SCALE_PAGE, withScale, type Task } from '../../../bench/scale.mts';

const task: Task = { employees: 1_000_000, callsEach: 5, serviceMs: 50, allowed: undefined };

it('takes as many workers as a night of eight hours needs', () => {
	// 174 calls per second; a worker makes 100.
	expect(plan(task, 10)).toEqual({ workers: 2, seconds: 25_000, limit: 'the workers' });
});

it('takes one worker if that is enough', () => {
	const small = { ...task, employees: 1000, callsEach: 1 };
	expect(plan(small, 10)).toEqual({ workers: 1, seconds: 10, limit: 'the workers' });
});

it('counts what 64 calls at once allow if the service is slow', () => {
	// A worker makes 6.4 calls per second.
	const { workers, limit } = plan({ ...task, serviceMs: 10_000 }, 10);
	expect([workers, limit]).toEqual([28, 'calls at once']);
});

it('takes no more workers than the allowed rate can use, however long it takes', () => {
	const { workers, seconds, limit } = plan({ ...task, allowed: 50 }, 10);
	expect([workers, seconds, limit]).toEqual([1, 100_000, 'the allowed rate']);
});

it('the page has the table of the latest results (npm run bench writes it)', async () => {
	const page = readFileSync(SCALE_PAGE, 'utf8');
	expect(page).toMatch(/\| Employees .*\| Limited by/);
	expect(withScale(page, await readResults())).toBe(page);
});
