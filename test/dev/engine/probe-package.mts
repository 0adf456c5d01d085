import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Credential of a temporary package: OAuth2 with fields derived by hidden expressions. */
const credential = `
exports.ProbeOAuth2Api = class {
	name = 'probeOAuth2Api';
	extends = ['oAuth2Api'];
	displayName = 'Probe OAuth2 API';
	restrictToSupportedNodes = true;
	properties = [
		hidden('grantType', 'authorizationCode'),
		hidden('authentication', 'header'),
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'App ID', name: 'appId', type: 'string', default: '' },
		{ displayName: 'App Secret', name: 'appSecret', type: 'string', default: '' },
		hidden('clientId', '={{ encodeURIComponent($self["appId"]) }}'),
		hidden('clientSecret', '={{ encodeURIComponent($self["appSecret"]) }}'),
		hidden('authUrl', '={{ $self["baseUrl"] + "/authorize" }}'),
		hidden('accessTokenUrl', '={{ $self["baseUrl"] + "/token" }}'),
		hidden('scope', 'read offline_access'),
	];
};
function hidden(name, value) {
	return { displayName: name, name, type: 'hidden', default: value };
}
`;

/** The throw-away package's node: one GET per item, with the ways of failing a node has. */
const node = `
const { NodeApiError } = require('n8n-workflow');
exports.Probe = class {
	description = {
		displayName: 'Probe', name: 'probe', group: ['input'], version: 1, description: 'Probe',
		defaults: { name: 'Probe' }, inputs: ['main'], outputs: ['main'], usableAsTool: true,
		credentials: [{ name: 'probeOAuth2Api', required: true }],
		properties: [
			{ displayName: 'Path', name: 'path', type: 'string', default: '/' },
			{ displayName: 'Refresh', name: 'refresh', type: 'boolean', default: false },
			{ displayName: 'Own Signal', name: 'ownSignal', type: 'number', default: 0 },
			{ displayName: 'Raw Error', name: 'rawError', type: 'boolean', default: false },
		],
	};
	async execute() {
		const output = [];
		const context = this;
		for (let item = 0; item < this.getInputData().length; item += 1) {
			const parameter = (name) => this.getNodeParameter(name, item);
			try {
				const { baseUrl } = await this.getCredentials('probeOAuth2Api', item);
				if (parameter('refresh')) await this.helpers.refreshOAuth2Token.call(this, 'probeOAuth2Api');
				const self = parameter('ownSignal') === 0 ? this : Object.create(this, {
					getExecutionCancelSignal: {
						value: () => AbortSignal.any([
							context.getExecutionCancelSignal(),
							AbortSignal.timeout(parameter('ownSignal')),
						]),
					},
				});
				const path = parameter('path');
				const options = {
					url: path.startsWith('http') ? path : baseUrl + path,
					returnFullResponse: true, ignoreHttpStatusErrors: true, json: true,
				};
				const { statusCode, body } = await this.helpers.httpRequestWithAuthentication
					.call(self, 'probeOAuth2Api', options);
				if (statusCode >= 400) {
					throw new NodeApiError(this.getNode(), {}, { message: 'HTTP ' + statusCode });
				}
				const signed = options.headers.Authorization;
				output.push({ json: { ...body, signed }, pairedItem: { item } });
			} catch (error) {
				if (!this.continueOnFail()) throw error;
				const entry = { json: { error: error.message }, pairedItem: { item } };
				if (parameter('rawError')) entry.error = error;
				output.push(entry);
			}
		}
		return [output];
	}
};
`;

const manifest = {
	name: 'n8n-nodes-probe',
	version: '1.2.3',
	n8n: {
		nodes: ['dist/Probe.node.js'],
		credentials: ['dist/ProbeOAuth2Api.credentials.js'],
	},
};

/**
 * Writes the throw-away package into a temporary folder.
 *
 * @returns its folder and a function that deletes it
 */
export function writeProbePackage(): { directory: string; remove: () => void } {
	const directory = mkdtempSync(join(tmpdir(), 'n8n-nodes-probe-'));
	const files = {
		'package.json': JSON.stringify(manifest),
		'dist/Probe.node.js': node,
		'dist/ProbeOAuth2Api.credentials.js': credential,
	};
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(directory, name)), { recursive: true });
		writeFileSync(join(directory, name), text);
	}
	// n8n offers its n8n-workflow to the packages it loads; a link does the same here.
	symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
	return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
