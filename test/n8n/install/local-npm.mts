/** Lets an n8n install packages from a registry of a test, since n8n itself asks only npm's own. */
import { delimiter, dirname } from 'node:path';
import { installN8n, type N8nVersion } from '../../../dev/n8n/install.mts';
import type { Home } from './commands.mts';
import type { Registry } from './registry.mts';

/**
 * Puts a program `npm` before the real one. It asks the test's registry instead of the one that n8n names.
 *
 * @returns the variables for n8n: with them it finds this program, and reaches neither npm's registry nor its own servers
 */
export async function localNpm(
	home: Home,
	registry: Registry,
	version: N8nVersion,
): Promise<NodeJS.ProcessEnv> {
	home.addProgram(
		'npm',
		`
for argument; do
	shift
	case $argument in --registry=*) ;; *) set -- "$@" "$argument" ;; esac
done
export npm_config_registry='${registry.url}' npm_config_cache='${home.folder}/.npm' PATH="\${PATH#*:}"
unset HTTPS_PROXY
exec npm "$@"
`,
	);
	const { runtime } = await installN8n(version);
	return {
		PATH: [home.programs, dirname(runtime.node), process.env.PATH].join(delimiter),
		// Nobody listens there.
		HTTPS_PROXY: 'http://127.0.0.1:9',
	};
}
