import type { INodeType, INodeTypeDescription, IVersionedNodeType } from 'n8n-workflow';

import { core, workflow } from './n8n.mts';
import { helperNodes } from './nodes.mts';
import { oAuth2Api } from './oauth2-type.mts';
import { asTool } from './tool.mts';
import { EngineCredentialTypes, EngineNodeTypes, type KnownCredential } from './types.mts';

/** A loaded community package, with n8n's own types around it. */
export interface Host {
	/** The package's name; its node types are called `<packageName>.<node>`. */
	packageName: string;
	/** Every node type: the package's, their tool variants and the helpers of `nodes.mts`. */
	nodeTypes: EngineNodeTypes;
	/** Every credential type: the package's and n8n's `oAuth2Api`. */
	credentialTypes: EngineCredentialTypes;
	/** What the loader hands to the editor: one description per node and version. */
	descriptions: INodeTypeDescription[];
	/** The names of the package's own node and credential types, without its name in front. */
	loaded: { nodes: string[]; credentials: string[] };
}

/**
 * Loads an n8n community package from its folder with n8n's own loader: `package.json`'s `n8n`
 * section names the compiled files.
 *
 * @param directory the folder that holds `package.json`
 * @throws what n8n's loader throws when a file or class is missing
 */
export async function loadPackage(directory: string): Promise<Host> {
	const loader = new core.PackageDirectoryLoader(directory);
	await loader.loadAll();
	const { packageName } = loader;

	const nodes = new Map<string, INodeType | IVersionedNodeType>(helperNodes);
	for (const [name, { type }] of Object.entries(loader.nodeTypes)) {
		nodes.set(`${packageName}.${name}`, type);
		const current = workflow.NodeHelpers.getVersionedNodeType(type);
		if (current.description.usableAsTool) {
			nodes.set(`${packageName}.${name}Tool`, asTool(current));
		}
	}

	const credentials = new Map<string, KnownCredential>([
		[oAuth2Api.name, { type: oAuth2Api, supportedNodes: [] }],
	]);
	for (const [name, { type }] of Object.entries(loader.credentialTypes)) {
		const supported = loader.known.credentials[name]?.supportedNodes ?? [];
		// As in n8n's server, a node usable as a tool is also known under its tool name.
		const supportedNodes = supported.flatMap((node) => {
			const full = `${packageName}.${node}`;
			return nodes.has(`${full}Tool`) ? [full, `${full}Tool`] : [full];
		});
		credentials.set(name, { type, supportedNodes });
	}

	return {
		packageName,
		nodeTypes: new EngineNodeTypes(nodes),
		credentialTypes: new EngineCredentialTypes(credentials),
		descriptions: loader.types.nodes,
		loaded: {
			nodes: Object.keys(loader.nodeTypes),
			credentials: Object.keys(loader.credentialTypes),
		},
	};
}
