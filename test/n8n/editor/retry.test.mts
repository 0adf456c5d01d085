/** n8n's *Retry* of a failed execution, as docs/when-something-failed.md says: clicked in the editor. */
import { chain, manualTrigger } from '../../../dev/n8n/workflow.mts';
import { employees, insert } from '../nodes.mts';
import { useFront } from '../reruns/front.mts';
import { versions } from '../setUp.mts';
import { dismissMessages } from './messages.mts';
import { picture } from './pictures.mts';
import { useEditor } from './setUp.mts';

jest.setTimeout(5 * 60_000);

const ENTRIES = [
	'Retry with currently saved workflow (from node with error)',
	'Retry with original workflow (from node with error)',
];

describe.each(versions)('n8n %s', (version) => {
	const editor = useEditor(version);
	const front = useFront(editor.stage);

	editor.step(
		'a retry sends what was not applied; n8n offers it for older executions, too',
		async () => {
			const { page, stage } = editor;
			const ids = [1001, 1002, 1003, 1004, 1005];
			front.locked.add(1003);
			const draft = chain('New employees', manualTrigger, ...employees(...ids), insert());
			const id = await stage.create(draft);
			const failed = await stage.api.run(id);
			const refused = await stage.api.retry(failed.id, 'original');
			front.locked.clear();

			const button = page.getByTestId('execution-preview-retry-button');
			await page.setViewportSize({ width: 1150, height: 440 });
			await page.goto(`${stage.n8n.url}/workflow/${id}/executions/${refused.id}`);
			await button.waitFor();
			await dismissMessages(page);
			await button.click();
			const entries = page.getByText(/^Retry with /).filter({ visible: true });
			await entries.first().waitFor();
			expect((await entries.allInnerTexts()).sort()).toEqual(ENTRIES);
			await picture(page, editor.named('retry'), [], { docs: editor.isNewest, hasMenu: true });
			await entries.filter({ hasText: 'original' }).click();
			const [retried] = await stage.api.endedSummaries(id, 3);
			expect(retried?.status).toBe('success');
			expect(front.inserted.map(({ employee }) => employee)).toEqual(ids);

			await page.goto(`${stage.n8n.url}/workflow/${id}/executions/${failed.id}`);
			await button.waitFor();
		},
	);
});
