/**
 * A service of employees' cost centers: any employee has those of one of the sample employees, and
 * any change is accepted and dropped. The answers are prepared in advance and any access token is
 * accepted, so that the service adds little to the measurement.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../dev/listen.mts';
import { soapResponse } from '../../dev/sandbox/soap-reply.mts';
import { sampleState } from '../../dev/sandbox/state.mts';
import { handleOrders } from '../../dev/worker.mts';

export interface Start {
	/** The root of the SOAP namespaces. */
	readonly namespace: string;
}

/** Sample employees; each of these has cost centers. */
const SAMPLES = 59;

handleOrders(async ({ namespace }: Start): Promise<{ url: string }> => {
	const of = { namespace: `${namespace}/EmployeeService` };
	const lists = [...sampleState(SAMPLES).employees.values()].map(({ costCenters }) => costCenters);
	const reads = lists.map((rows) =>
		soapResponse('1.1', {
			...of,
			operation: 'CostCenter_Get',
			result: { type: 'EmployeeCostCenter', rows },
		}),
	);
	const write = soapResponse('1.1', { ...of, operation: 'CostCenter_Update', result: undefined });
	const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
		const body = await text(request);
		const [, operation, id] = /<(CostCenter_\w+) [^>]*><EmployeeId>(\d+)</.exec(body) ?? [];
		const reply = operation === 'CostCenter_Get' ? reads[Number(id) % SAMPLES] : write;
		if (operation === undefined || reply === undefined) response.writeHead(400).end();
		else response.writeHead(200, reply.headers).end(reply.body);
	});
	return { url: `http://127.0.0.1:${await listen(server)}` };
});
