import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { workflow } from '../n8n.mts';
import { describe, parameter } from './describe.mts';

/** The cells of a line of CSV: separated by one of the delimiters, some in quotes. */
function cells(line: string, delimiters: string[]): string[] {
	const found = [''];
	let quoted = false;
	for (const character of line) {
		if (character === '"') quoted = !quoted;
		else if (!quoted && delimiters.includes(character)) found.push('');
		else found.push(String(found.pop()) + character);
	}
	return found;
}

/**
 * Extract from File, CSV: an item for each line below the names of the columns. A cell holds
 * neither quotes nor line breaks.
 */
export const extractFromFile: INodeType = {
	description: describe('extractFromFile', 'Extract from File', [
		parameter('operation', 'string', 'csv'),
		parameter('binaryPropertyName', 'string', 'data'),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getNodeParameter('operation', 0) !== 'csv') {
			throw new workflow.OperationalError("The tests' engine reads only CSV");
		}
		const name = this.getNodeParameter('binaryPropertyName', 0) as string;
		const { delimiter } = this.getNodeParameter('options', 0) as { delimiter: string[] };
		const text = (await this.helpers.getBinaryDataBuffer(0, name)).toString('utf8');
		const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
		const [names = [], ...rows] = lines.filter(Boolean).map((line) => cells(line, delimiter));
		const items = rows.map((row) => {
			// As the real node, which would give cells to the wrong columns otherwise.
			if (row.length !== names.length) {
				const message = `Invalid Record Length: columns length is ${names.length}, got ${row.length}`;
				throw new workflow.NodeOperationError(this.getNode(), message);
			}
			const json = Object.fromEntries(names.map((column, index) => [column, row[index] ?? '']));
			return { json, pairedItem: { item: 0 } };
		});
		return [items];
	},
};

/** Convert to File: a file of all items. Its content is JSON here, whatever its format should be. */
export const convertToFile: INodeType = {
	description: describe('convertToFile', 'Convert to File', [
		parameter('operation', 'string', 'csv'),
		parameter('binaryPropertyName', 'string', 'data'),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const name = this.getNodeParameter('binaryPropertyName', 0) as string;
		const { fileName } = this.getNodeParameter('options', 0) as { fileName: string };
		const rows = this.getInputData().map(({ json }) => json);
		const data = await this.helpers.prepareBinaryData(
			Buffer.from(JSON.stringify(rows)),
			fileName,
			'application/json',
		);
		const pairedItem = rows.map((_, item) => ({ item }));
		return [[{ json: {}, binary: { [name]: data }, pairedItem }]];
	},
};
