import type {
	ICredentialDataDecryptedObject,
	ICredentialsExpressionResolveValues,
	IExecuteData,
	INode,
	INodeParameters,
	INodeProperties,
	INodeType,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { core, workflow } from './n8n.mts';
import { EngineNodeTypes } from './types.mts';

/** Where a credential is resolved: the run and, inside a node, the item. */
export interface ResolveContext {
	additionalData: IWorkflowExecuteAdditionalData;
	mode: WorkflowExecuteMode;
	executeData?: IExecuteData | undefined;
	values?: ICredentialsExpressionResolveValues | undefined;
}

/** A hidden field of these names belongs to the credential type: stored values are ignored. */
const typeOwnedFields = ['authUrl', 'accessTokenUrl', 'grantType', 'authentication'];

/** Fields n8n keeps although the credential type does not list them as its own. */
const keptFields = ['allowedHttpRequestDomains', 'allowedDomains'];

const placeholder: INode = {
	id: 'credential',
	name: '',
	type: 'placeholder',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A workflow of one empty node: expressions need one to be evaluated in. */
function emptyWorkflow() {
	const description = { properties: [] as INodeProperties[] };
	const type = { description } as unknown as INodeType;
	const nodeTypes = new EngineNodeTypes(new Map([[placeholder.type, type]]));
	const nodes = [placeholder];
	return new workflow.Workflow({ nodes, connections: {}, active: false, nodeTypes });
}

/** Stored data with the defaults of the type filled in, expressions not yet evaluated. */
function withDefaults(
	properties: INodeProperties[],
	stored: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject {
	const own = { ...stored };
	for (const field of typeOwnedFields) {
		if (properties.some(({ name, type }) => name === field && type === 'hidden')) delete own[field];
	}

	const { getNodeParameters } = workflow.NodeHelpers;
	const values = getNodeParameters(properties, own as INodeParameters, true, false, null, null);
	const data = { ...values } as ICredentialDataDecryptedObject;

	// The token is no parameter of an extending type, so it would be lost here.
	if (stored.oauthTokenData !== undefined) data.oauthTokenData = stored.oauthTokenData;
	for (const field of keptFields) {
		const value = stored[field];
		if (data[field] === undefined && value !== undefined) data[field] = value;
	}
	return data;
}

/**
 * What n8n makes of stored credential data before a node sees it: defaults of the type for every
 * field that is displayed, then all expressions, with the data itself as `$self`.
 *
 * @throws ExpressionError when an expression in the data cannot be evaluated
 */
export async function resolveCredential(
	properties: INodeProperties[],
	stored: ICredentialDataDecryptedObject,
	{ additionalData, mode, executeData, values }: ResolveContext,
): Promise<ICredentialDataDecryptedObject> {
	const data = withDefaults(properties, stored);
	const keys = core.getAdditionalKeys(additionalData, mode, null, { isCredential: true });

	if (values) {
		// Inside a node the expressions see the node's own input too.
		return values.workflow.expression.getParameterValue(
			data as INodeParameters,
			values.runExecutionData,
			values.runIndex,
			values.itemIndex,
			values.node.name,
			values.connectionInputData,
			mode,
			keys,
			executeData,
			false,
			data,
		) as ICredentialDataDecryptedObject;
	}

	const { expression } = emptyWorkflow();
	await expression.acquireIsolate();
	try {
		return expression.getComplexParameterValue(
			placeholder,
			data as INodeParameters,
			mode,
			keys,
			undefined,
			undefined,
			data,
		) as ICredentialDataDecryptedObject;
	} finally {
		await expression.releaseIsolate();
	}
}
