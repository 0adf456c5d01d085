/* Dates and times where clocks change, in the time zone of a workflow, or of the process that runs n8n. */
import type { createRequire } from 'node:module';
import { join } from 'node:path';
import { writeScalar } from '../../../nodes/shared/values/scalars.ts';
import { InputError } from '../../../nodes/shared/values/InputError.ts';
import { retryDelay } from '../../../nodes/shared/http/failures.ts';
import { runs } from '../../support/runs.mts';

declare const createNativeRequire: typeof createRequire;
const load = createNativeRequire(
	join(process.cwd(), 'node_modules', 'n8n-workflow', 'package.json'),
);
/** The real process: jest gives tests a copy of its environment. */
const { env } = load('node:process') as typeof process;
/** The dates of n8n's expressions. */
const { DateTime } = load('luxon') as typeof import('luxon');

const HOUR = 3_600_000;
const start = Date.UTC(2026, 0, 1);
/** Each hour of the year; by day, one in seven, which are all hours of a day in turn. */
const step = runs().numRuns > 100 ? 1 : 7;
const hours = Array.from({ length: (365 * 24) / step }, (_, i) => start + i * step * HOUR);
const days = Array.from({ length: 365 }, (_, i) =>
	new Date(start + i * 24 * HOUR).toISOString().slice(0, 10),
);

/** The day that a value is written as; undefined if it is refused. */
function written(value: unknown): string | undefined {
	try {
		return writeScalar({ kind: 'date' }, value);
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return undefined;
	}
}

// In Santiago and Cairo, the day on which clocks are set forward has no midnight. Auckland is ahead of UTC by 13 hours.
describe.each(['America/Santiago', 'Africa/Cairo', 'Pacific/Auckland'])('in %s', (zone) => {
	const { TZ } = env;
	beforeAll(() => (env.TZ = zone));
	afterAll(() => {
		if (TZ === undefined) delete env.TZ;
		else env.TZ = TZ;
	});

	it('the start of each day of a workflow is written as that day', () => {
		const starts = days.map((day) => DateTime.fromISO(day, { zone }).startOf('day'));
		expect(starts.map(written)).toEqual(days);
		expect(starts.map((start) => written(start.toISO()))).toEqual(days);
	});

	it('each hour of a workflow is written as its time', () => {
		const values = hours.map((hour) => DateTime.fromMillis(hour, { zone }));
		expect(values.map((value) => writeScalar({ kind: 'time' }, value))).toEqual(
			values.map((value) => value.toFormat('HH:mm:ss.SSSZZ')),
		);
	});

	it('every notation of a date in Retry-After is read as the same instant', () => {
		const wrong = hours.flatMap((hour) => {
			const date = new Date(hour).toUTCString();
			const [weekday, day = '', month, year, time] = date.split(/,? /);
			const asctime = `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
			const all = [date, `${weekday}day, ${day}-${month}-26 ${time} GMT`, asctime];
			jest.spyOn(Date, 'now').mockReturnValue(hour - 30_000);
			return all.filter((header) => {
				const response = { status: 503, headers: { 'retry-after': header }, body: Buffer.alloc(0) };
				return retryDelay(response, 'read', 1) !== 30_000;
			});
		});
		jest.restoreAllMocks();
		expect(wrong).toEqual([]);
	});
});
