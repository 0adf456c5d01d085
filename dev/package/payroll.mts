/**
 * The built package on n8n's engine, connected to a sandbox: the basis of the tests and the demo.
 */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import {
	authorizationUri,
	chain,
	CredentialStorage,
	EngineCredentials,
	exchangeCode,
	listSearch,
	loadPackage,
	runWorkflow,
	startWorkflow,
	type Drawing,
	type Host,
	type NodeDraft,
	type Result,
	type Running,
	type RunOptions,
} from '../engine/index.mts';
import { asTool } from '../engine/tool.mts';
import { authorize } from '../sandbox/login.mts';
import type { Connection } from '../sandbox/options.mts';
import { sampleEmployee, sampleRecord } from './sample-records.mts';

export const CREDENTIAL_TYPE = 'payrollOAuth2Api';

/** A credential's data as a user fills it in for a sandbox. */
export function credentialData(
	sandbox: Omit<Connection, 'user' | 'password' | 'redirectUris'>,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject {
	return {
		identityUrl: sandbox.url,
		restUrl: sandbox.url,
		soapUrl: sandbox.url,
		soapNamespace: sandbox.namespace,
		soapVersion: '1.1',
		clientId: sandbox.clientId,
		appSecret: sandbox.clientSecret,
		subscriptionKey: sandbox.subscriptionKey,
		domain: sandbox.domain,
		scopes: sandbox.scopes,
		...changes,
	};
}

/**
 * The secret values of a stored credential. Values of less than eight characters are left out: a
 * search would find them in any text.
 */
export function storedSecrets(data: ICredentialDataDecryptedObject): string[] {
	const { appSecret, subscriptionKey, domain, oauthTokenData } = data;
	const { access_token, refresh_token } = (oauthTokenData ?? {}) as IDataObject;
	const encoded = encodeURIComponent(String(appSecret));
	const all = [appSecret, encoded, subscriptionKey, domain, access_token, refresh_token];
	return all.filter((value): value is string => typeof value === 'string' && value.length >= 8);
}

/** What the mutation check sets: the nodes as their sources, by name. */
interface WithSources {
	readonly payrollSources?: () => Readonly<Record<string, new () => INodeType>>;
}

/** The package, with its sources in place of what was built of them where that is asked for. */
function withSources(host: Host): Host {
	const sources = Object.entries((globalThis as WithSources).payrollSources?.() ?? {});
	const nodeTypes = sources.reduce((types, [name, Source]) => {
		const [full, node] = [`${host.packageName}.${name}`, new Source()];
		return types.with(full, node).with(`${full}Tool`, asTool(node));
	}, host.nodeTypes);
	return { ...host, nodeTypes };
}

let lastId = 0;

/** The package, loaded once, with a store of credentials. */
export class Payroll {
	readonly credentials: EngineCredentials;

	private constructor(
		readonly host: Host,
		readonly storage: CredentialStorage,
	) {
		this.credentials = new EngineCredentials(host.credentialTypes, storage);
	}

	/** Loads the package from a folder: the built checkout, or an unpacked tarball. */
	static async load(folder = process.cwd()): Promise<Payroll> {
		return new Payroll(withSources(await loadPackage(folder)), new CredentialStorage());
	}

	/** Stores a credential as it is; gives its id. */
	async store(data: ICredentialDataDecryptedObject): Promise<string> {
		lastId += 1;
		const id = `credential-${lastId}`;
		await this.credentials.store(id, 'Payroll', CREDENTIAL_TYPE, data);
		return id;
	}

	/** Stores a credential and connects it: login, consent, redirect and code as a user goes through them. */
	async connect(
		sandbox: Connection,
		changes: ICredentialDataDecryptedObject = {},
	): Promise<string> {
		const id = await this.store(credentialData(sandbox, changes));
		const uri = await authorizationUri(this.credentials, id);
		const callback = await authorize(uri, { user: sandbox.user, password: sandbox.password });
		await exchangeCode(this.credentials, callback.toString());
		return id;
	}

	/** The access token that is stored now. */
	async accessToken(id: string): Promise<string> {
		const { oauthTokenData } = await this.credentials.stored(id);
		return (oauthTokenData as { access_token: string }).access_token;
	}

	/** A node of the package, to be put into a workflow. */
	node(
		type: 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes',
		credential: string,
		parameters: INodeParameters,
		more: Partial<NodeDraft> = {},
	): NodeDraft {
		return {
			name: 'Payroll',
			type: `${this.host.packageName}.${type}`,
			parameters,
			credentials: { [CREDENTIAL_TYPE]: { id: credential, name: 'Payroll' } },
			...more,
		};
	}

	/** A workflow with nodes of the package, as n8n's engine runs it. */
	workflow(drawing: Drawing): RunOptions {
		return { ...drawing, host: this.host, credentials: this.credentials };
	}

	/** Runs one node on the given input items. */
	async run(input: IDataObject[], node: NodeDraft): Promise<Result> {
		return await runWorkflow(this.workflow(chain(input, node)));
	}

	/** The choices that the editor lists in a node's form. */
	async list({ type, parameters, credentials }: NodeDraft, list: string, filter?: string) {
		const { host } = this;
		const nodeCredentials = credentials ?? {};
		const edited = { host, credentials: this.credentials, type, parameters: parameters ?? {} };
		return (await listSearch({ ...edited, nodeCredentials }, list, filter)).results;
	}

	/** Starts one node on the given input items; the run can be cancelled. */
	start(input: IDataObject[], node: NodeDraft): Running {
		return startWorkflow(this.workflow(chain(input, node)));
	}
}

/** Parameters of an operation that is chosen. */
export type Chosen = INodeParameters & { resource: string; operation: string };

// The SOAP operations and the REST call, driven by the input item.
export const getCostCenters: Chosen = {
	resource: 'costCenter',
	operation: 'getAll',
	employeeId: '={{ $json.id }}',
	period: 6,
	year: 2026,
};

export const updateCostCenters: Chosen = {
	resource: 'costCenter',
	operation: 'update',
	employeeId: '={{ $json.id }}',
	costCenteren: {
		row: [
			{
				costCenterCode: '4100',
				percentage: 100,
				fields: { kostensoortCode: '400', default: true },
			},
		],
	},
	period: 6,
	year: 2026,
	keepOthers: false,
};

export const getAddresses: Chosen = {
	resource: 'address',
	operation: 'getAll',
	employeeId: '={{ $json.id }}',
};

export const createAddress: Chosen = {
	resource: 'address',
	operation: 'create',
	employeeId: '={{ $json.id }}',
	address: { street: 'Keizersgracht', houseNumber: '241', city: 'Amsterdam', type: 'HomeAddress' },
	period: 6,
	year: 2026,
	unprotectedMode: false,
};

export const updateCompany: Chosen = {
	resource: 'address',
	operation: 'update',
	companyId: '={{ $json.id }}',
	address: { street: 'Herengracht', houseNumber: '1' },
};

export const getHourCodes: INodeParameters = {
	resource: 'hourCode',
	operation: 'getAll',
	companyId: '={{ $json.id }}',
	returnAll: true,
};

/** Parameters of the operations on the connection itself. */
export const checkConnection: Chosen = {
	resource: 'connection',
	operation: 'check',
	companyId: '={{ $json.id }}',
};

export const revokeConnection: Chosen = {
	resource: 'connection',
	operation: 'revoke',
	confirmed: true,
};

/** How a workflow calls a SOAP operation, and what must come of it with the sandbox's sample data. */
export interface SoapCall {
	/** The service's name of the operation. */
	readonly name: string;
	/** Its name in the form. */
	readonly label: string;
	readonly node: 'payrollEmployee' | 'payrollCompany';
	readonly parameters: Chosen;
	/** The employee or company of the call; writes and reads never share one. */
	readonly id: number;
	/** The elements inside the operation's element of the request. */
	readonly body: (id: number) => string;
	/** The items; an item of *Create* also has the `Id` that the service gives the new record. */
	readonly items: (id: number) => readonly IDataObject[];
}

/** The period of the calls, as a request contains it and as items do. */
const inPeriod = '<Period>6</Period><Year>2026</Year>';
const itsPeriod = { Period: 6, Year: 2026 };

/** Every SOAP operation that has a form; most tests of all operations take them from here. */
export const soapCalls: readonly SoapCall[] = [
	{
		name: 'CostCenter_Get',
		label: 'Get Many',
		node: 'payrollEmployee',
		parameters: getCostCenters,
		id: 1003,
		body: (id) => `<EmployeeId>${id}</EmployeeId>${inPeriod}`,
		items: (EmployeeId) =>
			sampleEmployee(EmployeeId).costCenters.map((row) => ({
				...{ EmployeeId, ...itsPeriod },
				...sampleRecord(row),
			})),
	},
	{
		name: 'CostCenter_Update',
		label: 'Update',
		node: 'payrollEmployee',
		parameters: updateCostCenters,
		id: 1010,
		body: (id) =>
			`<EmployeeId>${id}</EmployeeId><CostCenteren><EmployeeCostCenter><CostCenter><Code>4100</Code></CostCenter>` +
			`<Kostensoort><Code>400</Code></Kostensoort><Percentage>100</Percentage><Default>true</Default>` +
			`</EmployeeCostCenter></CostCenteren>${inPeriod}`,
		items: (EmployeeId) => [{ EmployeeId, ...itsPeriod, success: true }],
	},
	{
		name: 'Address_GetListCurrent',
		label: 'Get Many',
		node: 'payrollEmployee',
		parameters: getAddresses,
		id: 1003,
		body: (id) => `<EmployeeId>${id}</EmployeeId>`,
		items: (EmployeeId) =>
			sampleEmployee(EmployeeId).addresses.map((row) => ({ EmployeeId, ...sampleRecord(row) })),
	},
	{
		name: 'Address_Insert',
		label: 'Create',
		node: 'payrollEmployee',
		parameters: createAddress,
		id: 1011,
		body: (id) =>
			`<EmployeeId>${id}</EmployeeId><Address><Street>Keizersgracht</Street><HouseNumber>241</HouseNumber>` +
			`<City>Amsterdam</City><Type>HomeAddress</Type></Address>${inPeriod}<UnprotectedMode>false</UnprotectedMode>`,
		items: (EmployeeId) => [{ EmployeeId, ...itsPeriod }],
	},
	{
		name: 'Address_Update',
		label: 'Update',
		node: 'payrollCompany',
		parameters: updateCompany,
		id: 200,
		body: (id) =>
			`<CompanyId>${id}</CompanyId><Address><Street>Herengracht</Street><HouseNumber>1</HouseNumber></Address>`,
		items: (CompanyId) => [{ CompanyId, success: true }],
	},
];
