import type {
	ICredentialType,
	ICredentialTypes,
	IDataObject,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';

import { workflow } from './n8n.mts';

/** A credential type and the full names of the nodes that declare it. */
export interface KnownCredential {
	type: ICredentialType;
	supportedNodes: string[];
}

/** The credential types a host knows, looked up as n8n's server does. */
export class EngineCredentialTypes implements ICredentialTypes {
	constructor(private readonly known: ReadonlyMap<string, KnownCredential>) {}

	/** The same types with another one in the place of the one of its name. */
	with(type: ICredentialType): EngineCredentialTypes {
		const supportedNodes = this.getSupportedNodes(type.name);
		return new EngineCredentialTypes(new Map(this.known).set(type.name, { type, supportedNodes }));
	}

	recognizes(name: string): boolean {
		return this.known.has(name);
	}

	getByName(name: string): ICredentialType {
		const credential = this.known.get(name);
		if (!credential) throw new workflow.UserError(`Unrecognized credential type: ${name}`);
		return credential.type;
	}

	getSupportedNodes(name: string): string[] {
		return this.known.get(name)?.supportedNodes ?? [];
	}

	getParentTypes(name: string): string[] {
		const parents = this.known.get(name)?.type.extends ?? [];
		return [...parents, ...parents.flatMap((parent) => this.getParentTypes(parent))];
	}
}

/** The node types a host knows, by full name (`package.node`). */
export class EngineNodeTypes implements INodeTypes {
	constructor(private readonly known: ReadonlyMap<string, INodeType | IVersionedNodeType>) {}

	/** The same types with another one, or with another one in the place of one. */
	with(name: string, type: INodeType): EngineNodeTypes {
		return new EngineNodeTypes(new Map(this.known).set(name, type));
	}

	getByName(name: string): INodeType | IVersionedNodeType {
		const type = this.known.get(name);
		if (!type) throw new workflow.UserError(`Unrecognized node type: ${name}`);
		return type;
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		return workflow.NodeHelpers.getVersionedNodeType(this.getByName(name), version);
	}

	getKnownTypes(): IDataObject {
		return Object.fromEntries([...this.known.keys()].map((name) => [name, {}]));
	}
}
