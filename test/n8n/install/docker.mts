/** Stands for Docker, as far as the commands of the pages use it. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from './commands.mts';

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
