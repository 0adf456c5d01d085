/** docs/mutation.md names every source of the mutation check, and the lowest score that it allows. */
import { readFileSync } from 'node:fs';
import { rowsOf } from '../support/markdown.mts';

const page = readFileSync('docs/mutation.md', 'utf8');
const checks = readFileSync('dev/mutation/checks.mjs', 'utf8').matchAll(/^\t'(.+)': \[/gm);
const sources = [...checks].map(([, source = '']) => source);
const [, results = ''] = page.split('\n## Results\n');
const [table = '', unmeasured = ''] = (results.split('\n## ')[0] ?? '').split('Not measured yet:');
const measured = rowsOf(table);

it('every source is in the table or named below it', () => {
	const others = [...unmeasured.matchAll(/`([^`]+)`/g)].map(([, source = '']) => source);
	const named = [...measured.map(([source = '']) => source), ...others];
	expect(named.sort()).toEqual(sources.sort());
});

it.each(measured)('the score of %s follows from its counts', (_, ...cells) => {
	const [noticed = 0, timeout = 0, survived = 0, uncovered = 0] = cells.map(Number);
	const detected = noticed + timeout;
	const score = (100 * detected) / (detected + survived + uncovered);
	expect(cells[4]).toBe(`${score.toFixed(1)} %`);
});

it('the lowest score is that of the check', () => {
	const [, lowest = ''] =
		/MIN_SCORE = (\d+);/.exec(readFileSync('dev/mutation/main.mjs', 'utf8')) ?? [];
	expect(page).toContain(`fails if a source is below ${lowest} %`);
});
