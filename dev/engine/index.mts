/* Everything that a test or the demo needs to run workflows on n8n's engine. */
export {
	addTool,
	agent,
	chain,
	collect,
	connect,
	editFields,
	items,
	trigger,
	type Drawing,
	type NodeDraft,
} from './chain.mts';
export { EngineCredentials } from './credentials.mts';
export { inEditor, listSearch, type EditedNode } from './editor.mts';
export { loadPackage, type Host } from './host.mts';
export { core, functionCalling, oauth2, workflow } from './n8n.mts';
export { authorizationUri, defaultRedirectUri, exchangeCode } from './oauth.mts';
export { dataTables } from './nodes/data-table.mts';
export {
	resumeWorkflow,
	retryWorkflow,
	runWorkflow,
	startWorkflow,
	type EvaluationMock,
	type Result,
	type Running,
	type RunOptions,
} from './run.mts';
export { CredentialStorage } from './storage.mts';
