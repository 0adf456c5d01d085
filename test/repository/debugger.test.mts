/** .vscode/launch.json starts a test file of any suite, as `npm test` would. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Configuration {
	name: string;
	program: string;
	runtimeArgs: string[];
	args: string[];
}

it.each(['test/repository/interface-page.test.mts', 'test/faults/secrets.test.mts'])(
	'"Debug current test file" runs %s',
	(file) => {
		const { configurations } = JSON.parse(readFileSync('.vscode/launch.json', 'utf8')) as {
			configurations: Configuration[];
		};
		const found = configurations.find(({ name }) => name === 'Debug current test file');
		if (found === undefined) throw new Error('There is no such configuration');
		const fill = (text: string): string =>
			text.replace('${workspaceFolder}', process.cwd()).replace('${relativeFile}', file);
		const args = [...found.runtimeArgs, found.program, ...found.args, '--json'].map(fill);
		const report = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
		const { numPassedTests, testResults } = JSON.parse(report) as {
			numPassedTests: number;
			testResults: Array<{ name: string }>;
		};
		expect(numPassedTests).toBeGreaterThan(0);
		expect(testResults.map(({ name }) => name)).toEqual([`${process.cwd()}/${file}`]);
	},
);
