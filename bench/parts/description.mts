/** Reading a service's own description, compared with the `soap` package. */
import { WSDL } from 'soap';
import type { ServiceDescription } from '../../nodes/shared/soap/description/description.ts';
import { built } from '../dist.mts';
import { figureOf, ratioOf, timeCalls } from '../measure.mts';
import { goal, type Part } from '../report.mts';
import { generatedDescription } from '../service/description.mts';

const OPERATIONS = 300;
/** How many times the speed of the `soap` package is wanted. */
const SPEED = 2;
const SERVICE = 'EmployeeService';
const NAMESPACE = 'http://payroll.example/soap/v3';
const ADDRESS = `http://payroll.example/soap/v3/${SERVICE}.asmx?WSDL`;

interface Reader {
	readDescription(service: string, documents: readonly unknown[]): ServiceDescription;
}

interface Documents {
	readDocument(address: string, text: string): unknown;
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
	about: `A generated description of ${OPERATIONS} operations, each with a record of its own, is read from its text: to list the operations, and to get the types of all of them. A node lists them all, but only needs the types of one. The \`soap\` package reads all at once.`,
	async measure() {
		const { readDescription } = built<Reader>('soap/description/readDescription');
		const { readDocument } = built<Documents>('soap/description/documents');
		const text = generatedDescription(SERVICE, NAMESPACE, OPERATIONS);
		const read = () => readDescription(SERVICE, [readDocument(ADDRESS, text)]);
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
			],
			goals: [goal('Description: list, times the speed of `soap`', speed, '×', { atLeast: SPEED })],
		};
	},
};
