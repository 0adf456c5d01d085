/** The sandbox and this package, which share no code for it, agree on descriptions and values. */
import type { IDataObject } from 'n8n-workflow';
import { describedCalls, type DescribedCall } from '../../../dev/package/described.mts';
import { readDocument } from '../../../nodes/shared/soap/description/documents.ts';
import type { DescriptionDocument } from '../../../nodes/shared/soap/description/documents.ts';
import type { ServiceDescription } from '../../../nodes/shared/soap/description/description.ts';
import { readDescription } from '../../../nodes/shared/soap/description/readDescription.ts';
import { writeDescribedRequest } from '../../../nodes/shared/soap/envelope.ts';
import { readDescribed } from '../../../nodes/shared/soap/response.ts';
import { post, root } from '../sandbox/envelope.mts';
import { useService } from '../sandbox/setUp.mts';

const service = useService();

async function descriptionOf(name: string): Promise<ServiceDescription> {
	const documents = new Map<string, DescriptionDocument>();
	const wanted = [`${service.sandbox.url}/soap/v3/${name}.asmx?WSDL`];
	for (const address of wanted) {
		if (documents.has(address)) continue;
		const document = readDocument(address, await (await fetch(address)).text());
		documents.set(address, document);
		wanted.push(...document.imports);
	}
	return readDescription(name, [...documents.values()]);
}

type Sample = Pick<DescribedCall, 'service' | 'name' | 'request'>;

async function call(sample: Sample, version: '1.1' | '1.2'): Promise<IDataObject> {
	const operation = (await descriptionOf(sample.service)).operation(sample.name);
	const namespace = `${root}/${sample.service}`;
	const content = writeDescribedRequest(operation.request, sample.request, namespace);
	const to = { version, service: sample.service, operation: sample.name };
	const { text } = await post(service, { ...to, content });
	const answer = readDescribed(operation, namespace, text);
	if (answer.kind === 'fault') throw new Error(answer.fault.message);
	return answer.result;
}

it('every operation of the description is supported in full', async () => {
	for (const name of ['EmployeeService', 'CompanyService']) {
		const { operations } = await descriptionOf(name);
		const described = describedCalls.filter((sample) => sample.service === name);
		const names = operations.map((operation) => operation.name);
		expect(names).toEqual(expect.arrayContaining(described.map((sample) => sample.name)));
		expect(operations.filter(({ unsupported }) => unsupported !== undefined)).toEqual([]);
	}
});

describe.each(['1.1', '1.2'] as const)('SOAP %s', (version) => {
	it.each(describedCalls.map((sample) => [sample.name, sample] as const))(
		'%s: values to a valid request, its answer to the values expected',
		async (_name, { then, ...first }) => {
			expect(await call(first, version)).toEqual(first.response);
			if (then) expect(await call(then, version)).toEqual(then.response);
			const requests = (await service.sandbox.requests()).filter(({ method }) => method === 'POST');
			expect(requests.flatMap(({ violations }) => violations)).toEqual([]);
		},
	);

	it.each([
		['EmployeeService', 'Employee_Get', 'Employee_Update', 'Employee', { EmployeeId: 1009 }],
		['CompanyService', 'Department_GetTree', 'Department_Update', 'Department', { CompanyId: 200 }],
	] as const)('%s: what %s reads, %s writes back unchanged', async (to, get, update, name, key) => {
		const read = async (): Promise<IDataObject> =>
			await call({ service: to, name: get, request: key }, version);
		const before = await read();
		const request = { ...key, [name]: before[`${get}Result`] };
		const written = await call({ service: to, name: update, request }, version);
		if (update === 'Employee_Update') {
			expect(written).toEqual({ Employee_UpdateResult: false, Version: 1, Warnings: [] });
		}
		expect(await read()).toEqual(before);
	});
});
