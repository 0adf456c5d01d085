import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { launchSandbox } from '../../../dev/sandbox/client.mts';
import type { Connection } from '../../../dev/sandbox/client.mts';
import { connect } from '../../../dev/sandbox/oauth.mts';

/** Starts the command line program as a user would; collects what it writes. */
async function start(
	...args: string[]
): Promise<{ child: ChildProcessWithoutNullStreams; output: () => [string, string] }> {
	const child = spawn(process.execPath, ['--import', 'tsx', 'dev/sandbox/main.mts', ...args]);
	const written: [string, string] = ['', ''];
	child.stdout.on('data', (chunk) => (written[0] += String(chunk)));
	child.stderr.on('data', (chunk) => (written[1] += String(chunk)));
	await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
	return { child, output: () => written };
}

describe('the process', () => {
	it('writes one line with everything a client needs, nothing on stderr, and ends on SIGTERM', async () => {
		const { child, output } = await start('--options', '{"domain":"a","pageSizeCap":5}');
		const connection = JSON.parse(output()[0]) as Connection;
		expect(connection).toMatchObject({ domain: 'a', user: 'anna', clientId: 'payroll-n8n' });
		await connect(connection);
		child.kill('SIGTERM');
		expect(await once(child, 'exit')).toEqual([0, null]);
		const [stdout, stderr] = output();
		expect(stdout.trim().split('\n')).toHaveLength(1);
		expect(stderr).toBe('');
	});

	it('ends when its parent closes stdin, if told to live by it', async () => {
		const { child } = await start('--stdin-lifetime');
		child.stdin.end();
		expect(await once(child, 'exit')).toEqual([0, null]);
	});

	it('names an unknown option, at its start', async () => {
		const { output } = await start('--options', '{"colour":1}');
		expect(output()[1]).toContain("Unrecognized key(s) in object: 'colour'");
	});

	it('survives clients that disconnect, and changes to unknown modes', async () => {
		const sandbox = await launchSandbox({ latencyMs: 100 });
		await expect(sandbox.configure({ reuse: 'never' as 'refuse' })).rejects.toThrow('reuse');
		await expect(sandbox.configure({ toString: 1 } as object)).rejects.toThrow('toString');
		const path = `${sandbox.url}/soap/v3/EmployeeService.asmx`;
		for (const sent of ['<a', '']) {
			const length = sent === '' ? '0' : '9';
			const open = request(path, { method: 'POST', headers: { 'Content-Length': length } });
			open.on('error', () => undefined);
			if (sent === '') open.end();
			else open.write(sent);
			await new Promise((done) => setTimeout(done, 30));
			open.destroy();
		}
		await new Promise((done) => setTimeout(done, 150));
		const received = await sandbox.requests();
		await sandbox.stop();
		expect(received).toHaveLength(2);
	});
});
