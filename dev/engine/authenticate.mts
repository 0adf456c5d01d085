import type {
	IAuthenticateGeneric,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	Workflow,
} from 'n8n-workflow';

import { workflow as n8n } from './n8n.mts';

/** A request that is being built: the parts a credential may add to are open records. */
type OpenRequest = Record<string, unknown>;

/** Adds what a declarative `authenticate` names (headers, query, body, auth) to a request. */
function addDeclared(
	{ properties }: IAuthenticateGeneric,
	credentials: ICredentialDataDecryptedObject,
	request: OpenRequest,
	workflow: Workflow,
	node: INode,
): void {
	const resolve = (value: unknown): unknown => {
		if (!n8n.isExpression(value)) return value;
		const keys = { $credentials: credentials };
		const { expression } = workflow;
		const found = expression.getSimpleParameterValue(node, value, 'internal', keys, undefined, '');
		return found ? String(found) : '';
	};
	for (const [part, fields] of Object.entries(properties)) {
		const target = (request[part] ??= {}) as OpenRequest;
		for (const [key, value] of Object.entries(fields as IDataObject)) {
			target[String(resolve(key))] = resolve(value);
		}
	}
}

/** Signs a request as the credential type says, by function or by declaration. */
export async function authenticate(
	type: ICredentialType,
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	workflow?: Workflow,
	node?: INode,
): Promise<IHttpRequestOptions> {
	if (typeof type.authenticate === 'function') {
		return await type.authenticate(credentials, request);
	}
	if (type.authenticate) {
		if (!workflow || !node) {
			throw new n8n.UnexpectedError('Declarative authentication needs a workflow and a node');
		}
		const open = request as unknown as OpenRequest;
		addDeclared(type.authenticate, credentials, open, workflow, node);
	}
	return request;
}

/** The hidden field that holds a token which can expire, if the type has one. */
export function expirableField({ properties }: ICredentialType): string | undefined {
	const isExpirable = ({ type, typeOptions }: ICredentialType['properties'][number]) =>
		type === 'hidden' && typeOptions?.expirable === true;
	return properties.find(isExpirable)?.name;
}

/** Runs a type's `preAuthentication`. Its requests are limited to the credential's allowed domains. */
export async function runHook(
	type: ICredentialType,
	{ helpers }: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<ICredentialDataDecryptedObject | undefined> {
	if (typeof type.preAuthentication !== 'function') return undefined;
	const httpRequest = async (options: IHttpRequestOptions): Promise<unknown> => {
		const allowedDomains = n8n.getCredentialOwnRequestAllowedDomains(credentials);
		if (allowedDomains === undefined) return await helpers.httpRequest(options);
		return await helpers.httpRequest({ ...options, allowedDomains });
	};
	const output = await type.preAuthentication.call({ helpers: { httpRequest } }, credentials);
	return output as ICredentialDataDecryptedObject;
}
