import { kinds } from './kinds.mts';
import { documentOf } from './measure.mts';
const [name = '', size = '', json = ''] = process.argv.slice(2);
const kind = kinds[name]!;
async function main() {
	const document = documentOf(kind, JSON.parse(json), Number(size));
	let n = 0;
	globalThis.gc?.();
	const m = process.memoryUsage().heapUsed;
	const o = await kind.read(document, async (work) => {
		const s = process.cpuUsage();
		const t = Date.now();
		try {
			return await work();
		} finally {
			const { user, system } = process.cpuUsage(s);
			console.log('step', n++, ((user + system) / 1e6).toFixed(3), 'wall', (Date.now() - t) / 1000, String(work).slice(0, 100).replace(/\s+/g, ' '));
		}
	});
	globalThis.gc?.();
	console.log(document.length, 'read', o.isRead, ((process.memoryUsage().heapUsed - m) / 2 ** 20).toFixed(0), 'MiB', 'rss', (process.resourceUsage().maxRSS / 1024).toFixed(0), o.isRead ? '' : JSON.stringify((o.kept as any)?.message ?? o.kept)?.slice(0, 200));
}
void main();
