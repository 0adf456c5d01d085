/** The package from its source, by the commands of the pages. */
import { readFileSync } from 'node:fs';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { INSTALLING } from '../setUp.mts';
import { commandsBelow } from './commands.mts';
import { addDocker, restarted } from './programs.mts';
import { EVERYTHING, useUserN8n } from './setUp.mts';

describe(`n8n ${newestN8n}`, () => {
	const user = useUserN8n(newestN8n, (home) => {
		const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
			repository: { url: string };
		};
		addDocker(home);
		home.cloneCheckoutFor(repository.url.replace('git+', ''));
		return {};
	});

	it(
		'has the package after the commands and a restart',
		async () => {
			await user.home.run(commandsBelow('README.md', 'Installation'));
			await user.restart();
			expect(await user.loaded()).toEqual(EVERYTHING);
		},
		INSTALLING,
	);

	it('has the package after the commands that copy it into Docker', async () => {
		await user.home.run(commandsBelow('docs/installation.md', 'Remove'));
		await user.home.run(
			`cd n8n-nodes-payroll\n${commandsBelow('docs/installation.md', 'From source into Docker')}`,
		);
		expect(restarted(user.home)).toBe(true);
		await user.restart();
		expect(await user.loaded()).toEqual(EVERYTHING);
	});
});
