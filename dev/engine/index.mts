/* Everything that a test or the demo needs to run workflows on n8n's engine. */
export { addTool, connect, type Drawing, type NodeDraft } from '../drawing.mts';
export { addFiles, agent, chain, collect, editFields, items, trigger } from './chain.mts';
export { EngineCredentials } from './credentials.mts';
export { inEditor, listSearch, resourceMapping, type EditedNode } from './editor.mts';
export { keepFilesIn, keepNoFiles, readFile, type FileMode } from './files.mts';
export { loadPackage, type Host } from './host.mts';
export { core, functionCalling, oauth2, workflow } from './n8n.mts';
export { authorizationUri, exchangeCode } from './oauth.mts';
export {
	retryWorkflow,
	runSubWorkflow,
	runWorkflow,
	startWorkflow,
	type Result,
	type Running,
	type RunOptions,
} from './run.mts';
export { CredentialStorage } from './storage.mts';
