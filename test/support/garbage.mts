/** Garbage collection, to see that something is not kept. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects garbage. */
export const collectGarbage = runInNewContext('gc') as () => void;
