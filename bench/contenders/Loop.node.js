/**
 * A node that sends one envelope for each input item through n8n's own helper, several at a time, and
 * drops the answers: the least that n8n's engine can do a batch with.
 */
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
		credentials: [{ name: 'payrollOAuth2Api', required: true }],
		properties: [
			field('Concurrency', 'concurrency', 'number', 1),
			field('Envelope', 'envelope', 'string', ''),
			field('Headers', 'headers', 'json', '{}'),
			field('URL', 'url', 'string', ''),
		],
	};

	async execute() {
		const count = this.getInputData().length;
		const concurrency = this.getNodeParameter('concurrency', 0);
		const answers = new Array(count);
		let next = 0;
		const work = async () => {
			while (next < count) {
				const item = next;
				next += 1;
				answers[item] = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'payrollOAuth2Api',
					{
						method: 'POST',
						url: this.getNodeParameter('url', item),
						headers: JSON.parse(this.getNodeParameter('headers', item)),
						body: this.getNodeParameter('envelope', item),
					},
				);
			}
		};
		await Promise.all(Array.from({ length: concurrency }, work));
		const items = answers.map(({ length }, item) => ({
			json: { length },
			pairedItem: { item },
		}));
		return [items];
	}
}

module.exports = { Loop };
