/** Programs that stand for those of a user's machine: Docker, and an npm that asks a test's registry. */
import { readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installN8n, type N8nVersion } from '../../../dev/n8n/install.mts';
import type { Home } from './commands.mts';
import type { Registry } from './registry.mts';

/** The file that says which container was restarted. */
const RESTARTED = 'restarted';

/** Puts a program `docker` before any other: its only container is `n8n`, whose folder `/home/node` is the home folder. */
export function addDocker(home: Home): void {
	home.addProgram(
		'docker',
		`
command=$1
shift
for argument; do
	shift
	set -- "$@" "$(printf %s "$argument" | sed "s#/home/node#$HOME#; s#^n8n:##")"
done
case $command in
exec) [ "$1" = n8n ] && shift && "$@" ;;
cp) cp "$@" ;;
restart) echo "$@" >"$HOME/${RESTARTED}" ;;
*) exit 64 ;;
esac
`,
	);
}

/** Whether the container `n8n` was restarted since the last call; the test has to restart n8n itself. */
export function restarted({ folder }: Home): boolean {
	const file = join(folder, RESTARTED);
	const container = readFileSync(file, 'utf8').trim();
	rmSync(file);
	return container === 'n8n';
}

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
