/** The watch on the event loop has to find what holds it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const HELD_MS = 300;

const TESTS = `
	import { setTimeout as sleep } from 'node:timers/promises';
	import { allowBlock, hold } from '${resolve('test/support/eventLoop.mts')}';
	it('waits', async () => await sleep(${HELD_MS}));
	it('holds it', () => hold(${HELD_MS}));
	it('holds it, as it is allowed to', () => {
		allowBlock(10, 'a huge document');
		hold(${HELD_MS});
	});
	it('takes longer than its timeout, in one piece', () => {
		allowBlock(10, 'it has a timeout');
		hold(${HELD_MS});
	}, ${HELD_MS / 2});
	it('holds it later', async () => {
		await sleep(10);
		hold(${HELD_MS});
		await sleep(10);
	});`;

it('fails each test that holds it, by its name', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'payroll-loop-'));
	try {
		writeFileSync(join(folder, 'holding.test.mts'), TESTS);
		const shared = JSON.stringify(resolve('jest.config.cjs'));
		const own = JSON.stringify({
			rootDir: resolve(),
			roots: [folder],
			testMatch: [join(folder, '*.test.mts')],
		});
		const file = join(folder, 'jest.config.cjs');
		writeFileSync(file, `module.exports = { ...require(${shared}), ...${own} };`);
		const report = join(folder, 'report.json');
		const jest = resolve('node_modules/jest/bin/jest.js');
		const env = { ...process.env, PAYROLL_TEST_BLOCKS: '1' };
		const args = [jest, '-c', file, '--json', `--outputFile=${report}`];
		await promisify(execFile)(process.execPath, args, { env }).catch(() => undefined);
		const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
			testResults: ReadonlyArray<{
				assertionResults: ReadonlyArray<{ title: string; failureMessages: readonly string[] }>;
			}>;
		};
		const results = testResults.flatMap(({ assertionResults }) => assertionResults);
		const messages = results.map(({ title, failureMessages: [message = 'passed'] }) => [
			title,
			message.split('\n')[0],
		]);
		expect(messages).toEqual([
			['waits', 'passed'],
			['holds it', expect.stringMatching(/It held the event loop for \d+ ms: holds it$/)],
			['holds it, as it is allowed to', 'passed'],
			[
				'takes longer than its timeout, in one piece',
				expect.stringMatching(/It took \d+ ms: more than its timeout of 150 ms$/),
			],
			[
				'holds it later',
				expect.stringMatching(/It held the event loop for \d+ ms: holds it later$/),
			],
		]);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
