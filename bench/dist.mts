/** The modules of the built package, before the build bundles them. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.cwd(), 'bench', 'dist.mts'));

/** Loads a module of the built package, by its path below `nodes/shared` and without extension. */
export function built<T>(path: string): T {
	return require(join(process.cwd(), '.build', 'modules', 'nodes', 'shared', `${path}.js`)) as T;
}
