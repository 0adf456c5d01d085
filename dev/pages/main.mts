/** Writes docs/dev/tool-prompts.md: what n8n passes to a model for each operation (`npm run readme`). */
import { writeFile } from 'node:fs/promises';
import { Payroll } from '../package/payroll.mts';
import { everyTool, givenToModel, type GivenTool, type OfferedTool } from '../package/tools.mts';
import { promptsPage } from './tools.mts';

const payroll = await Payroll.load();
const credential = await payroll.store({});
const tools: Array<readonly [OfferedTool, GivenTool]> = [];
for (const tool of everyTool(payroll)) {
	tools.push([tool, await givenToModel(payroll, credential, tool.draft)]);
}
await writeFile('docs/dev/tool-prompts.md', promptsPage(tools));
