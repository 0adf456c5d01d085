import type { Credentials } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsExpressionResolveValues,
	ICredentialTypes,
	IExecuteData,
	IHttpRequestHelper,
	INodeCredentialsDetails,
	INodeProperties,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { unsupported } from './additional.mts';
import { core, workflow } from './n8n.mts';
import { resolveCredential } from './resolve.mts';
import { CredentialStorage } from './storage.mts';

const { ICredentialsHelper, NodeHelpers } = workflow;

/** n8n adds this field to its OAuth types so that the token survives in their data. */
const tokenField: INodeProperties = {
	displayName: 'oauthTokenData',
	name: 'oauthTokenData',
	type: 'json',
	required: false,
	default: {},
};

/** The text stored in the database; `data` is optional in n8n's type only. */
function encrypted(credentials: Credentials): string {
	return String(credentials.getDataToSave().data);
}

/**
 * What the engine leaves to its host: storing, decrypting and resolving credentials, by the rules
 * of n8n's server. Its enterprise parts (overwrites, external secrets, per-user credentials) are
 * not there, as in an n8n that does not use them.
 */
export class EngineCredentials extends ICredentialsHelper {
	/**
	 * @param types the credential types of the loaded package
	 * @param storage give two instances the same one to act as two processes on one database
	 */
	constructor(
		readonly types: ICredentialTypes,
		readonly storage = new CredentialStorage(),
	) {
		super();
	}

	/** Creates or replaces a credential. */
	async store(
		id: string,
		name: string,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		const credentials = new core.Credentials({ id, name }, type);
		await credentials.setData(data);
		await this.storage.insert({ id, name, type, data: encrypted(credentials) });
	}

	/** A copy of what is stored, decrypted: no defaults added, no expression evaluated. */
	async stored(id: string): Promise<ICredentialDataDecryptedObject> {
		const { type } = await this.storage.read(id);
		return await (await this.getCredentials({ id, name: '' }, type)).getData();
	}

	/** Merges fields into the stored data and removes others, as one update. */
	async patch(
		id: string,
		update: ICredentialDataDecryptedObject,
		remove: string[] = [],
	): Promise<void> {
		const { type } = await this.storage.read(id);
		const credentials = await this.getCredentials({ id, name: '' }, type);
		await credentials.updateData(update, remove);
		await this.storage.update(id, encrypted(credentials));
	}

	getParentTypes(name: string): string[] {
		return this.types.getParentTypes(name);
	}

	isCredentialUsableByNode(credentialType: string, nodeType: string): boolean {
		// An unknown type passes here: the code that uses it reports a better error.
		if (!this.types.recognizes(credentialType)) return true;
		if (!this.types.getByName(credentialType).restrictToSupportedNodes) return true;
		return this.types.getSupportedNodes(credentialType).includes(nodeType);
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		const { extends: parents, properties } = this.types.getByName(name);
		if (!parents) return name === 'oAuth2Api' ? [...properties, tokenField] : properties;
		const combined: INodeProperties[] = [];
		for (const parent of parents) {
			NodeHelpers.mergeNodeProperties(combined, this.getCredentialsProperties(parent));
		}
		NodeHelpers.mergeNodeProperties(combined, properties);
		return combined;
	}

	async getCredentials(details: INodeCredentialsDetails, type: string): Promise<Credentials> {
		if (!details.id) {
			throw new workflow.UserError(`Credential "${details.name}" of type "${type}" has no ID`);
		}
		const row = await this.storage.read(details.id, type);
		return new core.Credentials({ id: row.id, name: row.name }, row.type, row.data);
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = await (await this.getCredentials(details, type)).getData();
		if (raw === true) return stored;
		const data = additionalData;
		return await this.applyDefaultsAndOverwrites(data, stored, type, mode, executeData, values);
	}

	/** Fills in the defaults of the type and evaluates every expression. */
	async applyDefaultsAndOverwrites(
		additionalData: IWorkflowExecuteAdditionalData,
		stored: ICredentialDataDecryptedObject,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const context = { additionalData, mode, executeData, values };
		return await resolveCredential(this.getCredentialsProperties(type), stored, context);
	}

	// Of credential types that sign requests themselves; OAuth2 is signed by n8n's request helpers.
	authenticate = unsupported('Signing by a credential type');
	preAuthentication = unsupported('A hook of a credential type');

	async runPreAuthentication(
		_helpers: IHttpRequestHelper,
		_credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<undefined> {
		if (this.types.getByName(typeName).preAuthentication) await this.preAuthentication();
	}

	async updateCredentials(
		details: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		const credentials = await this.getCredentials(details, type);
		await credentials.setData(data);
		await this.storage.update(String(details.id), encrypted(credentials));
	}

	async updateCredentialsOauthTokenData(
		details: INodeCredentialsDetails,
		type: string,
		{ oauthTokenData }: ICredentialDataDecryptedObject,
	): Promise<void> {
		const credentials = await this.getCredentials(details, type);
		// Only the token: `data` holds resolved values that must not replace stored expressions.
		await credentials.updateData({ oauthTokenData: oauthTokenData ?? {} });
		await this.storage.update(String(details.id), encrypted(credentials));
	}
}
