/** Reading a service's own description, compared with the `soap` package. */
import { WSDL } from 'soap';
import type { INodeParameters } from 'n8n-workflow';
import { Account } from '../../dev/package/account.mts';
import { getCostCenters } from '../../dev/package/calls.mts';
import { Payroll } from '../../dev/package/payroll.mts';
import { launchSandbox } from '../../dev/sandbox/client.mts';
import type { readDocument } from '../../nodes/shared/soap/wsdl/documents.ts';
import type { Wsdl } from '../../nodes/shared/soap/wsdl/Wsdl.ts';
import { built } from '../dist.mts';
import { figureOf, ratioOf, takeTurns, timeCalls } from '../measure.mts';
import { goal, type Part } from '../report.mts';
import { generatedDescription } from '../service/description.mts';

const OPERATIONS = 300;
/** How many times the speed of the `soap` package is wanted. */
const SPEED = 1;
const SERVICE = 'EmployeeService';
const NAMESPACE = 'http://payroll.example/soap/v3';
const ADDRESS = `http://payroll.example/soap/v3/${SERVICE}.asmx?WSDL`;

interface Reader {
	Wsdl: typeof Wsdl;
}

interface Documents {
	readDocument: typeof readDocument;
}

/** Items of one run, and rounds, for the comparison of calls. */
const ITEMS = 500;
const ROUNDS = 15;

/** How much CPU a typed call may take, in times that of the same call by its own form. */
const CPU = 1.1;

/** The same call by its own form and, from the list, with typed parameters. */
const calls: Readonly<Record<'Own form' | 'Other Operation', INodeParameters>> = {
	'Own form': getCostCenters,
	'Other Operation': {
		resource: 'custom',
		operation: 'call',
		operationName: { __rl: true, mode: 'list', value: 'CostCenter_Get' },
		operationParameters: {
			mappingMode: 'defineBelow',
			value: { EmployeeId: '={{ $json.id }}', Period: 6, Year: 2026 },
			matchingColumns: [],
			schema: ['EmployeeId', 'Period', 'Year'].map((id) => ({
				id,
				displayName: id,
				required: false,
				defaultMatch: false,
				display: true,
				type: 'number',
			})),
			attemptToConvertTypes: false,
			convertFieldsToString: false,
		},
		options: { onlyReads: true },
	},
};

/** Measures the CPU time of both calls, in milliseconds per item, and the requests for descriptions. */
async function sampleCalls() {
	const sandbox = await launchSandbox({ schemaValidation: false });
	try {
		const { payroll, credential } = await Account.connect(await Payroll.load(), sandbox);
		const items = Array.from({ length: ITEMS }, (_, index) => ({ id: 1001 + (index % 50) }));
		const sample = async (parameters: INodeParameters): Promise<number> => {
			const node = payroll.node('payrollEmployee', credential, parameters);
			const before = process.cpuUsage();
			const { error } = await payroll.run(items, node);
			if (error !== undefined) throw error;
			const { user, system } = process.cpuUsage(before);
			return (user + system) / 1000 / ITEMS;
		};
		const samples = await takeTurns(
			{
				'Own form': async () => await sample(calls['Own form']),
				'Other Operation': async () => await sample(calls['Other Operation']),
			},
			ROUNDS,
		);
		const { descriptionsWithoutToken, descriptionsWithToken } = await sandbox.stats();
		const requests = [descriptionsWithoutToken, descriptionsWithToken].flatMap(Object.values);
		return { samples, requests: requests.reduce((sum: number, count) => sum + Number(count), 0) };
	} finally {
		await sandbox.stop();
	}
}

/** The names of all operations, as the `soap` package finds them. */
async function namesBySoap(text: string): Promise<string[]> {
	const service = new WSDL(text, ADDRESS, {});
	await new Promise<void>((ready, failed) => {
		service.onReady((error: Error | null | undefined) => (error ? failed(error) : ready()));
	});
	const { portTypes } = service.definitions;
	return Object.values(portTypes).flatMap(({ methods }) => Object.keys(methods));
}

export const description: Part = {
	name: 'description',
	title: 'Description',
	about: `A generated description of ${OPERATIONS} operations, each with a record of its own, read from its text. Both parse all of it; a node resolves the types of only the operation that it calls.`,
	async measure() {
		const { Wsdl } = built<Reader>('soap/wsdl/Wsdl');
		const { readDocument } = built<Documents>('soap/wsdl/documents');
		const text = generatedDescription(SERVICE, NAMESPACE, OPERATIONS);
		const read = () => new Wsdl(SERVICE, [readDocument(ADDRESS, text)]);
		const names = () => read().operations.map(({ name }) => name);
		const types = () => {
			const found = read();
			return found.operations.map(({ name }) => found.operation(name));
		};
		const bySoap = await namesBySoap(text);
		// A contender that leaves something out would only seem fast.
		if (String(names().toSorted()) !== String(bySoap.toSorted()) || types().length !== OPERATIONS) {
			throw new Error('The readers do not agree on the operations');
		}
		const contenders = {
			'soap, all': async () => await namesBySoap(text),
			'This package, the list': names,
			'This package, all types': types,
		};
		const samples = await timeCalls(contenders, { rounds: 15, sliceMs: 500 });
		const size = Buffer.byteLength(text);
		const speed = ratioOf(samples['soap, all'], samples['This package, the list']);
		const called = await sampleCalls();
		const cpu = ratioOf(called.samples['Other Operation'], called.samples['Own form']);
		return {
			tables: [
				{
					title: `${OPERATIONS} operations, ${(size / 1e6).toFixed(2)} MB`,
					columns: ['Time', 'Throughput', 'Speed'],
					rows: Object.entries(samples).map(([name, times]) => ({
						name,
						cells: [
							{ figure: figureOf(times.map((time) => time / 1000)), unit: 'ms' as const },
							{ figure: figureOf(times.map((time) => size / time)), unit: 'MB/s' as const },
							{ figure: ratioOf(samples['soap, all'], times), unit: '×' as const },
						],
					})),
				},
				{
					title: `CostCenter_Get for ${ITEMS} items (requests for a description in ${2 * ROUNDS} runs: ${called.requests})`,
					columns: ['CPU per item', 'Ratio'],
					rows: Object.entries(called.samples).map(([name, times]) => ({
						name,
						cells: [
							{ figure: figureOf(times), unit: 'ms' as const },
							{ figure: ratioOf(times, called.samples['Own form']), unit: '×' as const },
						],
					})),
				},
			],
			goals: [
				goal('Description: list, times the speed of `soap`', speed, '×', { atLeast: SPEED }),
				goal('Description: CPU of a typed call, times that of the form', cpu, '×', { atMost: CPU }),
			],
		};
	},
};
