/** A long list, read page by page: how the cost of a record changes as the list grows. */
import { connectionOf, launchSandbox } from '../../dev/sandbox/client.mts';
import type { Connection } from '../../dev/sandbox/options.mts';
import { startWorker } from '../../dev/worker.mts';
import type { Measured, Order } from '../measured/hour-codes.mts';
import { figureOf, ratioOf, takeTurns } from '../measure.mts';
import { goal, type Cell, type Part } from '../report.mts';
import type { Start } from '../service/hour-codes.mts';

const SIZES = [1_000, 10_000, 200_000] as const;
type Size = (typeof SIZES)[number];
/** The baseline of the time per record; a shorter list's memory would be within the noise. */
const USUAL = 10_000;
const MANY = 200_000;

const TIME_ROUNDS = 5;
const MEMORY_ROUNDS = 3;

type Service = Pick<Order, 'sandbox' | 'serviceUrl'>;
type Choice = Omit<Order, keyof Service>;

/** Runs work with an identity server and a service of hour codes. */
async function withService<T>(work: (service: Service) => Promise<T>): Promise<T> {
	const codes = startWorker<Start, { url: string }>('bench/service/hour-codes.mts');
	const sandbox = await launchSandbox();
	try {
		const { url: serviceUrl } = await codes.order({ rows: MANY, latencyMs: 0 });
		return await work({ sandbox: connectionOf(sandbox) satisfies Connection, serviceUrl });
	} finally {
		codes.kill();
		await sandbox.stop();
	}
}

/** Measures once, in a separate process. */
async function measureOnce(service: Service, choice: Choice): Promise<Measured> {
	const measured = startWorker<Order, Measured>('bench/measured/hour-codes.mts');
	try {
		return await measured.order({ ...service, ...choice });
	} finally {
		measured.kill();
	}
}

/** Measures each choice several times, in turns. */
async function measureAll(
	service: Service,
	choices: readonly Choice[],
	rounds: number,
): Promise<(contender: Choice['contender'], records: Size) => readonly Measured[]> {
	const name = ({ contender, records }: Omit<Choice, 'quantity'>) => `${contender} ${records}`;
	const turns = choices.map(
		(choice) => [name(choice), async () => await measureOnce(service, choice)] as const,
	);
	const samples = await takeTurns(Object.fromEntries(turns), rounds);
	return (contender, records) => samples[name({ contender, records })] ?? [];
}

const times: readonly Choice[] = SIZES.flatMap((records) =>
	(['node', 'requests'] as const).map((contender) => ({ contender, quantity: 'time', records })),
);

const memories: readonly Choice[] = [
	...[USUAL, MANY].flatMap((records) =>
		(['node', 'items'] as const).map(
			(contender) => ({ contender, quantity: 'memory', records }) as const,
		),
	),
	{ contender: 'engine', quantity: 'memory', records: MANY },
];

const perRecord = (samples: readonly Measured[], records: number): number[] =>
	samples.map(({ milliseconds }) => (milliseconds * 1000) / records);
const live = (samples: readonly Measured[]): number[] => samples.map((sample) => sample.live);
const resident = (samples: readonly Measured[]): number[] =>
	samples.map((sample) => sample.resident);
const over = (samples: readonly number[], divisor: number): number[] =>
	samples.map((sample) => sample / divisor);

const inMegabytes = (bytes: readonly number[]): Cell => ({
	figure: figureOf(over(bytes, 1e6)),
	unit: 'MB',
});

export const hourCodes: Part = {
	name: 'hour-codes',
	title: 'Hour codes',
	about: [
		"Return All with the node's defaults on n8n's engine, in a fresh process for each run, after a",
		'warm-up. The service answers at once. *Requests alone* are the same requests by',
		"n8n's `httpRequestWithAuthentication`, with their answers dropped.",
		'Memory *in use* is the most that a full collection leaves (heap and buffers), against the items',
		"alone, held without n8n; for 1,000 records it is less than n8n's own variation.",
		'*Resident* is the most that the process takes of the machine.',
	].join(' '),
	async measure() {
		return await withService(async (service) => {
			const timed = await measureAll(service, times, TIME_ROUNDS);
			const weighed = await measureAll(service, memories, MEMORY_ROUNDS);

			const time = (records: Size) => perRecord(timed('node', records), records);
			const inUse = (records: Size) => live(weighed('node', records));
			const items = (records: Size) => weighed('items', records).map(({ held }) => held);
			const growth = ratioOf(time(MANY), time(USUAL));
			const weight = ratioOf(inUse(MANY), items(MANY));

			const memoryCells = (records: Size): Cell[] => [
				{ figure: figureOf(over(inUse(records), records)), unit: 'B' },
				{ figure: ratioOf(inUse(records), items(records)), unit: '×' },
			];
			const rows = SIZES.map((records) => ({
				name: records.toLocaleString('en'),
				cells: [
					{ figure: figureOf(time(records)), unit: 'µs' },
					{ figure: ratioOf(time(records), time(USUAL)), unit: '×' },
					{
						figure: ratioOf(time(records), perRecord(timed('requests', records), records)),
						unit: '×',
					},
					...(records < USUAL ? ['', ''] : memoryCells(records)),
				] satisfies Cell[],
			}));

			const memoryOf = (
				name: string,
				used: readonly number[] | undefined,
				taken: readonly Measured[] = [],
			) => ({
				name,
				cells: [
					used === undefined ? '' : inMegabytes(used),
					used === undefined ? '' : { figure: ratioOf(used, items(MANY)), unit: '×' },
					taken.length === 0 ? '' : inMegabytes(resident(taken)),
				] satisfies Cell[],
			});
			return {
				tables: [
					{
						title: 'Records',
						columns: [
							'Time per record',
							'Against 10,000',
							'Against the requests alone',
							'In use per record',
							'Against the items alone',
						],
						rows,
					},
					{
						title: 'Memory of 200,000',
						columns: ['In use at most', 'Against the items alone', 'Resident at most'],
						rows: [
							memoryOf('Items alone', items(MANY)),
							memoryOf("n8n's engine with these items", live(weighed('engine', MANY))),
							memoryOf("n8n's requests alone", undefined, timed('requests', MANY)),
							memoryOf('Payroll Hour Codes', inUse(MANY), timed('node', MANY)),
						],
					},
				],
				goals: [
					goal('Hour codes: time per record of 200,000 against 10,000', growth, '×', {
						atMost: 1.3,
					}),
					goal('Hour codes: memory in use for 200,000 against their items', weight, '×', {
						atMost: 3,
					}),
				],
			};
		});
	},
};
