/** A payroll service of plain `node:http`: it keeps what is written, and then answers as a test says. */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../../dev/listen.mts';

/** What follows a write. */
export type Answer = (response: ServerResponse, token: string) => void | Promise<void>;

const READS = ['Address_GetListCurrent', 'CostCenter_Get'] as const;
const WRITES = ['Address_Insert', 'CostCenter_Update'] as const;

function envelope(body: string): string {
	return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${body}</soap:Body></soap:Envelope>`;
}

function sendXml(response: ServerResponse, status: number, body: string, headers = {}): void {
	const type = { 'Content-Type': 'text/xml; charset=utf-8' };
	response.writeHead(status, { ...type, ...headers }).end(envelope(body));
}

/** Answers with a fault of the server. */
export function serverFault(message: string, status = 500, headers = {}): Answer {
	const fault = `<soap:Fault><faultcode>soap:Server</faultcode><faultstring>${message.replaceAll('>', '&gt;')}</faultstring><detail /></soap:Fault>`;
	return (response) => sendXml(response, status, fault, headers);
}

/** A running service, of one employee. */
export class PlainService {
	/** The operations that arrived, in order. */
	calls: string[] = [];
	/** What follows a write; by default, its result. */
	answer: Answer | undefined;
	/** Whether a write that arrives is carried out. */
	isApplied = true;
	/** Whether reads are answered once something was written. */
	isReadable = true;
	private addresses: string[] = [];
	private costCenters = '';
	private readonly server = createServer(async (request, response) => {
		const { authorization = '' } = request.headers;
		await this.serve(await text(request), response, authorization.replace('Bearer ', ''));
	});

	private constructor() {}

	static async start(): Promise<PlainService & { readonly url: string }> {
		const service = new PlainService();
		return Object.assign(service, { url: `http://127.0.0.1:${await listen(service.server)}` });
	}

	async close(): Promise<void> {
		await close(this.server);
	}

	/** Forgets everything. */
	reset(): void {
		[this.calls, this.addresses, this.costCenters] = [[], [], ''];
		[this.answer, this.isReadable, this.isApplied] = [undefined, true, true];
	}

	/** How many writes arrived. */
	get writes(): number {
		return this.calls.filter((name) => WRITES.some((one) => one === name)).length;
	}

	private async serve(body: string, response: ServerResponse, token: string): Promise<void> {
		const isCalled = (name: string): boolean => body.includes(`<${name} `);
		const name = [...READS, ...WRITES].find(isCalled) ?? '';
		this.calls.push(name);
		const isRead = READS.some((one) => one === name);
		if (!isRead && this.isApplied) this.write(body);
		if (isRead && !this.isReadable && this.writes > 0) response.writeHead(503).end();
		else if (!isRead && this.answer !== undefined) await this.answer(response, token);
		else {
			const [namespace] = /(?<=xmlns=")[^"]+\/EmployeeService(?=")/.exec(body) ?? [];
			const result = `<${name}Result>${this.resultOf(name)}</${name}Result>`;
			const shown = name === 'CostCenter_Update' ? '' : result;
			sendXml(response, 200, `<${name}Response xmlns="${namespace}">${shown}</${name}Response>`);
		}
	}

	private write(body: string): void {
		const [, address] = /<Address>(.*)<\/Address>/s.exec(body) ?? [];
		if (address !== undefined) this.addresses.push(address);
		this.costCenters = /<CostCenteren>(.*)<\/CostCenteren>/s.exec(body)?.[1] ?? '';
	}

	private resultOf(name: string): string {
		if (name === 'Address_Insert') return String(this.addresses.length);
		if (name === 'CostCenter_Get') return this.costCenters;
		const record = (address: string, index: number): string =>
			`<EmployeeAddress><Id>${index + 1}</Id>${address}</EmployeeAddress>`;
		return this.addresses.map(record).join('');
	}
}
