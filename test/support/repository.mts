/** Where the repository and its pages are published, from package.json. */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
	bugs: { url: string };
	repository: { url: string };
};

/** The published addresses; `url` is the repository's, without a slash at the end. */
export const repository = {
	url: manifest.repository.url.replace(/^git\+|\.git$/g, ''),
	issues: manifest.bugs.url,
};
