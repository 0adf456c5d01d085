/** Garbage collection, to see that something is not kept. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects garbage. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** Whether the object that work returns, in a list, is collected after the work. */
export async function isCollectedAfter(work: () => Promise<[object]>): Promise<boolean> {
	const [object] = (await work()).map((one) => new WeakRef(one));
	for (let attempt = 0; attempt < 10; attempt += 1) {
		// A reference is kept until the current job of the event loop ends.
		await new Promise((resolve) => setTimeout(resolve));
		collectGarbage();
		if (object?.deref() === undefined) return true;
	}
	return false;
}
