/**
 * A node that sends one envelope for each input item through n8n's own helper, several at a time, and
 * drops the answers: the least that n8n's engine can do a batch with. Two parameters make it cheaper:
 * it can read the credential once for all items, as this package does, and keep connections, which
 * n8n's helper cannot.
 */
const { Agent } = require('node:https');
const axios = require('axios');

const CREDENTIAL = 'payrollOAuth2Api';

/** What the loop needs of n8n's `httpRequest`, by the same HTTP client, with an agent of the caller. */
async function requestBy(httpsAgent, { body, headers, method, url }) {
	const { data } = await axios({ data: body, headers, httpsAgent, method, proxy: false, url });
	return data;
}

const field = (displayName, name, type, initial) => ({
	displayName,
	name,
	type,
	default: initial,
});

class Loop {
	description = {
		displayName: 'Loop',
		name: 'loop',
		group: ['input'],
		version: 1,
		description: 'Sends one envelope for each item',
		defaults: { name: 'Loop' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [
			field('Concurrency', 'concurrency', 'number', 1),
			field('Envelope', 'envelope', 'string', ''),
			field('Headers', 'headers', 'json', '{}'),
			field('Keep Connections', 'keepConnections', 'boolean', false),
			field('Read Credential Once', 'readCredentialOnce', 'boolean', false),
			field('URL', 'url', 'string', ''),
		],
	};

	async execute() {
		const count = this.getInputData().length;
		const concurrency = this.getNodeParameter('concurrency', 0);
		const context = Object.create(this);
		if (this.getNodeParameter('readCredentialOnce', 0)) {
			const credential = await this.getCredentials(CREDENTIAL);
			context.getCredentials = async () => credential;
		}
		const agent = new Agent({ keepAlive: true });
		if (this.getNodeParameter('keepConnections', 0)) {
			// n8n signs a request, and passes it to this helper of its context.
			const httpRequest = async (options) => await requestBy(agent, options);
			context.helpers = { ...this.helpers, httpRequest };
		}
		const answers = new Array(count);
		let next = 0;
		const work = async () => {
			while (next < count) {
				const item = next;
				next += 1;
				answers[item] = await this.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
					method: 'POST',
					url: this.getNodeParameter('url', item),
					headers: JSON.parse(this.getNodeParameter('headers', item)),
					body: this.getNodeParameter('envelope', item),
				});
			}
		};
		await Promise.all(Array.from({ length: concurrency }, work));
		agent.destroy();
		const items = answers.map(({ length }, item) => ({
			json: { length },
			pairedItem: { item },
		}));
		return [items];
	}
}

module.exports = { Loop };
