// Loaded into every n8n of the tests before n8n itself: ends it, and the processes it started, when the process
// that started it is gone without having stopped it. That one holds the other end of stdin.
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
	process.stdin.once('close', () => process.kill(-process.pid, 'SIGKILL')).resume();
	process.stdin.unref();
}
