/** Addresses of the published repository are those of package.json, and lead to pages that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path/posix';
import { repository } from '../support/repository.mts';

/** Folders that are not part of the repository. */
const OTHERS = /^(?:node_modules|dist|\.build|\.git)(?:\/|$)/;
const TEXT = /\.(?:[cm]?[jt]s|json|md|ya?ml)$/;

/** The files of a folder and its folders, by their paths from the root. */
function filesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = normalize(join(folder, entry.name));
		if (OTHERS.test(path)) return [];
		return entry.isDirectory() ? filesIn(path) : [path];
	});
}

const NAMED = /https:\/\/github\.com\/[\w-]+\/[\w-]*payroll[\w-]*[^\s"'`)<>\\]*/g;

const addresses = filesIn('.')
	.filter((file) => TEXT.test(file) && file !== 'package-lock.json')
	.flatMap((file) =>
		(readFileSync(file, 'utf8').match(NAMED) ?? []).map((address): [string, string] => [
			address,
			file,
		]),
	);

/** What an address adds to that of the repository; undefined for another repository or a page that is missing. */
function placeOf(address: string): string | undefined {
	const { length } = repository.url;
	const place = address.slice(length);
	const isOwn = address.slice(0, length) === repository.url && /^(?:$|[/#]|\.git$)/.test(place);
	const [, page] = /^\/blob\/main\/([^#]*)/.exec(place) ?? [];
	return isOwn && (page === undefined || existsSync(page)) ? place : undefined;
}

it('package.json names one repository', () => {
	expect(repository.url).toMatch(/^https:\/\/github\.com\/[\w-]+\/n8n-nodes-payroll$/);
	expect(repository.homepage).toBe(`${repository.url}#readme`);
	expect(repository.issues).toBe(`${repository.url}/issues`);
});

it.each(addresses)('%s in %s is there', (address) => {
	expect(placeOf(address)).toBeDefined();
});

it('the credential and package.json have such addresses', () => {
	const files = new Set(addresses.map(([, file]) => file));
	expect(files).toContain('credentials/PayrollOAuth2Api.credentials.ts');
	expect(files).toContain('package.json');
});

it.each([
	repository.url.replace('.com/', '.com/other-'),
	`${repository.url}-fork/issues`,
	`${repository.url}/blob/main/docs/missing.md`,
])('%s would be found', (address) => {
	expect(address).toMatch(NAMED);
	expect(placeOf(address)).toBeUndefined();
});
