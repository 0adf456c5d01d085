/**
 * The package on n8n's engine, connected to a sandbox: the basis of the tests and the demo. It is the
 * built one, or its sources (sources.cjs).
 */
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
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
	resourceMapping,
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
		appId: sandbox.clientId,
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
	const { appSecret, subscriptionKey, oauthTokenData } = data;
	const { access_token, refresh_token } = (oauthTokenData ?? {}) as IDataObject;
	const encoded = encodeURIComponent(String(appSecret));
	const all = [appSecret, encoded, subscriptionKey, access_token, refresh_token];
	return all.filter((value): value is string => typeof value === 'string' && value.length >= 8);
}

/** What sources.cjs sets: the classes of the sources. */
interface WithSources {
	readonly payrollSources?: () => ReadonlyArray<new () => INodeType | ICredentialType>;
}

/** The package, with its sources in place of what was built of them where that is asked for. */
function withSources(host: Host): Host {
	let { nodeTypes, credentialTypes } = host;
	for (const Source of (globalThis as WithSources).payrollSources?.() ?? []) {
		const type = new Source();
		if ('description' in type) {
			const full = `${host.packageName}.${type.description.name}`;
			nodeTypes = nodeTypes.with(full, type).with(`${full}Tool`, asTool(type));
		} else credentialTypes = credentialTypes.with(type);
	}
	return { ...host, nodeTypes, credentialTypes };
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

	/** A node as the editor shows it. */
	private edited({ type, parameters = {}, credentials: nodeCredentials = {} }: NodeDraft) {
		const { host, credentials } = this;
		return { host, credentials, type, parameters, nodeCredentials };
	}

	/** The choices that the editor lists in a node's form. */
	async list(node: NodeDraft, list: string, filter?: string) {
		return (await listSearch(this.edited(node), list, filter)).results;
	}

	/** What the editor offers to map values to in a node. */
	async fields(node: NodeDraft, method: string) {
		return await resourceMapping(this.edited(node), method);
	}

	/** Starts one node on the given input items; the run can be cancelled. */
	start(input: IDataObject[], node: NodeDraft): Running {
		return startWorkflow(this.workflow(chain(input, node)));
	}
}
