/** An n8n of a user who has just installed it, and what is in it. */
import { N8nApi } from '../../../dev/n8n/api.mts';
import { startN8n, type N8n, type N8nVersion } from '../../../dev/n8n/host.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { Pending } from '../../support/setUp.mts';
import { INSTALLING, until } from '../setUp.mts';
import { Home } from './commands.mts';

/** The names of this package's nodes, without the name of what they are loaded from. */
export const NODES = ['payrollCompany', 'payrollEmployee', 'payrollHourCodes'];

/** Starts n8n on a home folder, with its default folder for everything it keeps. */
export async function startOn(
	{ folder }: Home,
	version: N8nVersion,
	env: NodeJS.ProcessEnv = {},
	command: 'start' | 'worker' = 'start',
): Promise<N8n> {
	return await startN8n({
		version,
		command,
		userFolder: folder,
		isBare: true,
		env: { HOME: folder, N8N_USER_FOLDER: undefined, ...env },
	});
}

/** An n8n on a home folder. */
export interface UserN8n {
	readonly home: Home;
	/** The n8n that runs now. */
	n8n: N8n;
	readonly api: N8nApi;
	/** Stops n8n and starts it again, with changes to its variables that last until the next restart. */
	restart(env?: NodeJS.ProcessEnv): Promise<void>;
	/** The names of this package's nodes and credentials in n8n. */
	loaded(): Promise<string[]>;
}

/** What `loaded` gives when the whole package is there. */
export const EVERYTHING = [
	...NODES.flatMap((name) => [name, `${name}Tool`]).map((name) => `n8n-nodes-payroll.${name}`),
	CREDENTIAL_TYPE,
];

/**
 * Starts an n8n without the package before the tests of a file.
 *
 * @param prepare makes ready what n8n needs at its start; gives more variables
 */
export function useUserN8n(
	version: N8nVersion,
	prepare: (home: Home) => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv> = () => ({}),
): UserN8n {
	const pending = new Pending<UserN8n>('n8n');
	let home: Home | undefined;
	let n8n: N8n | undefined;
	beforeAll(async () => {
		home = new Home();
		n8n = await startOn(home, version, await prepare(home));
		const api = await N8nApi.open(n8n);
		let changed: string[] = [];
		const user: UserN8n = {
			home,
			n8n,
			api,
			async restart(env = {}) {
				const back = Object.fromEntries(changed.map((name) => [name, undefined]));
				changed = Object.keys(env);
				user.n8n = n8n = await user.n8n.restart({ env: { ...back, ...env } });
				// n8n 1 writes these files a moment after it is ready.
				const hasTypes = async (): Promise<boolean> => {
					const read = [api.types(), api.types('credentials')];
					return (await Promise.allSettled(read)).every(({ status }) => status === 'fulfilled');
				};
				await until('n8n has its types', hasTypes);
			},
			async loaded() {
				const types = [...(await api.types()).keys(), ...(await api.types('credentials')).keys()];
				return types.filter((name) => /payroll/i.test(name)).sort();
			},
		};
		pending.is(user);
	}, INSTALLING);
	afterAll(async () => {
		await n8n?.stop();
		home?.remove();
	});
	return pending.object;
}
