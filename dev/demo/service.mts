/**
 * The payroll service as an independent client sees it: the `soap` package with the WSDL, and plain
 * fetch. The nodes' results are compared with it, so it uses nothing of the package.
 */
import type { IDataObject } from 'n8n-workflow';
import { createClientAsync, type Client } from 'soap';
import type { SandboxClient } from '../sandbox/client.mts';
import { readXml, type XmlElement } from '../sandbox/xml.mts';

type Method = (request: object) => Promise<[Record<string, Record<string, IDataObject[]>> | null]>;

/** The element of this name, wherever it stands in a document. */
function find(element: XmlElement, name: string): XmlElement | undefined {
	if (element.name === name) return element;
	for (const child of element.children) {
		const found = find(child, name);
		if (found) return found;
	}
	return undefined;
}

/** The `soap` package gives null for an empty element; all of the sandbox's are texts. */
function withEmptyTexts(record: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? '']));
}

/** Reads the records of the sandbox. */
export class Service {
	private client: Client | undefined;

	/** @param accessToken gives the token that is stored now */
	constructor(
		readonly sandbox: SandboxClient,
		private readonly accessToken: () => Promise<string>,
	) {}

	private async headers(): Promise<Record<string, string>> {
		const { subscriptionKey } = this.sandbox;
		return {
			Authorization: `Bearer ${await this.accessToken()}`,
			'X-Subscription-Key': subscriptionKey,
		};
	}

	/** The rows that an operation of the EmployeeService gives. */
	private async rows(operation: string, type: string, request: object): Promise<IDataObject[]> {
		const { domain, namespace, url } = this.sandbox;
		if (this.client === undefined) {
			this.client = await createClientAsync(`${url}/soap/v3/EmployeeService.asmx?wsdl`);
			const header = { AuthHeaderWithDomain: { Domain: domain } };
			this.client.addSoapHeader(header, '', 'tns', `${namespace}/EmployeeService`);
		}
		this.client.clearHttpHeaders();
		for (const [name, value] of Object.entries(await this.headers())) {
			this.client.addHttpHeader(name, value);
		}
		const [response] = await (this.client[`${operation}Async`] as Method)(request);
		return (response?.[`${operation}Result`]?.[type] ?? []).map(withEmptyTexts);
	}

	async costCenters(EmployeeId: number, Period: number, Year: number): Promise<IDataObject[]> {
		return await this.rows('CostCenter_Get', 'EmployeeCostCenter', { EmployeeId, Period, Year });
	}

	async addresses(EmployeeId: number): Promise<IDataObject[]> {
		return await this.rows('Address_GetListCurrent', 'EmployeeAddress', { EmployeeId });
	}

	/** The address last written for a company, from the requests: no operation reads it. */
	async companyAddress(companyId: number): Promise<IDataObject> {
		const requests = (await this.sandbox.requests()).filter(
			({ path, status }) => path.endsWith('/CompanyService.asmx') && status === 200,
		);
		const documents = requests.map(({ body }) => readXml(body));
		const last = documents.findLast(
			(document) => Number(find(document, 'CompanyId')?.text) === companyId,
		);
		const elements = (last && find(last, 'Address')?.children) ?? [];
		return Object.fromEntries(elements.map(({ name, text }) => [name, text]));
	}

	/** All hour codes of a company, in one page. */
	async hourCodes(companyId: number): Promise<IDataObject[]> {
		const address = `${this.sandbox.url}/api/companies/${companyId}/hourcodes?pageSize=10000`;
		const response = await fetch(address, { headers: await this.headers() });
		return (await response.json()) as IDataObject[];
	}
}
