/** The steps of `npm run check` and `npm run check:all`. */

/** One step of a check. */
export interface Step {
	readonly name: string;
	/** What a shell runs. A suite writes jest's report to `$REPORT`; its tests are counted one by one. */
	readonly command: string;
	/** After so many minutes the step is ended, and has failed. */
	readonly minutes: number;
	/** Variables of this step alone. */
	readonly env?: Readonly<Record<string, string>>;
}

const REPORT = '--json --outputFile="$REPORT"';

/** Installs both versions of n8n, beside the other steps: a download and a compiler, once for each lock file. */
export const installation: Step = {
	name: 'n8n:install',
	command: 'nice npm run n8n:install',
	minutes: 25,
};

/** What every change must pass before it lands: `npm run check`. */
export const gate: readonly Step[] = [
	{ name: 'lint', command: 'npm run lint', minutes: 5 },
	{ name: 'typecheck', command: 'npm run typecheck', minutes: 5 },
	{ name: 'scan', command: 'npm run scan', minutes: 3 },
	{ name: 'test', command: `npm test -- ${REPORT}`, minutes: 10 },
	{ name: 'test:dev', command: `npm run test:dev -- ${REPORT}`, minutes: 5 },
	{ name: 'demo', command: 'npm run demo', minutes: 3 },
	{ name: 'faults, a sample', command: `npm run test:faults -- ${REPORT}`, minutes: 5 },
	{ name: 'fuzz', command: `npm run test:fuzz -- ${REPORT}`, minutes: 3 },
];

/** The steps of the gate that need a real n8n. */
export const gateInN8n: readonly Step[] = [
	{
		name: 'smoke test in n8n 2',
		command: `npm run test:n8n -- smoke ${REPORT}`,
		minutes: 6,
		env: { PAYROLL_TEST_N8N: '2' },
	},
	{
		name: 'a burst on two workers',
		command: `npm run test:queue -- queue.test -t 'n8n 2.*refused by HTTP 401' ${REPORT}`,
		minutes: 6,
		env: { PAYROLL_TEST_N8N: '2' },
	},
];

/** A seed that no earlier run had. It is printed, so that the run can be repeated. */
const seed = String(Date.now() % 2 ** 31);

/** What `npm run check:all` runs after the gate, each night. */
export const night: readonly Step[] = [
	{ name: 'guide', command: 'npm run guide', minutes: 6 },
	{
		name: 'test, other random values',
		command: `npm test -- ${REPORT}`,
		minutes: 20,
		env: { PAYROLL_TEST_SEED: seed, PAYROLL_TEST_SAMPLES: '300', PAYROLL_TEST_BLOCKS: '1' },
	},
	{
		name: 'faults, all',
		command: `npm run test:faults -- ${REPORT}`,
		minutes: 15,
		env: { PAYROLL_FAULTS: 'all' },
	},
	{
		name: 'fuzz, other inputs',
		command: `npm run test:fuzz -- ${REPORT}`,
		minutes: 8,
		env: { FUZZ_SEED: seed, FUZZ_SECONDS: '120' },
	},
	{
		name: 'soak',
		command: `npm run test:soak -- ${REPORT}`,
		minutes: 10,
		env: { SOAK_SEED: seed },
	},
];

/** The steps of the night that need a real n8n. */
export const nightInN8n: readonly Step[] = [
	{ name: 'both versions of n8n', command: `npm run test:n8n -- ${REPORT}`, minutes: 40 },
	{ name: 'queue mode', command: `npm run test:queue -- ${REPORT}`, minutes: 25 },
];
