/** `npm run release:check` refuses a tarball with a file too many or too few. */
import { contentProblems, typeNames } from '../../../dev/release/contents.mts';

const manifest = {
	n8n: {
		nodes: ['dist/nodes/Payroll/Payroll.node.js'],
		credentials: ['dist/credentials/PayrollOAuth2Api.credentials.js'],
	},
};
const files = [
	'LICENSE.md',
	'README.md',
	'package.json',
	'dist/THIRD-PARTY-NOTICES.txt',
	'dist/credentials/PayrollOAuth2Api.credentials.js',
	'dist/icons/payroll.dark.svg',
	'dist/icons/payroll.svg',
	'dist/nodes/Payroll/Payroll.node.js',
	'dist/nodes/Payroll/Payroll.node.json',
	'dist/nodes/Payroll/__schema__/v1.0.0/address/getAll.json',
	'dist/nodes/shared/rest/pages.js',
];

it('accepts what ships', () => {
	expect(contentProblems(files, manifest)).toEqual([]);
});

it.each([
	'.npmrc',
	'docs/errors.md',
	'dist/package.json',
	'dist/nodes/Payroll/Payroll.node.js.map',
	'dist/nodes/Payroll/Payroll.node.ts',
	'dist/nodes/Payroll/Payroll.node.test.js',
	'dist/nodes/Payroll/Other.node.json',
	'dist/nodes/test/support.js',
	'dist/dev/sandbox/main.js',
	'dist/credentials/secret.json',
])('refuses %s', (file) => {
	expect(contentProblems([...files, file], manifest)).toEqual([`${file} must not be published`]);
});

it.each([
	'LICENSE.md',
	'dist/THIRD-PARTY-NOTICES.txt',
	...manifest.n8n.credentials,
	...manifest.n8n.nodes,
])('misses %s', (file) => {
	const others = files.filter((other) => other !== file);
	expect(contentProblems(others, manifest)).toEqual([`${file} is missing`]);
});

it('misses the codex file of a node', () => {
	const others = files.filter((file) => !file.endsWith('.node.json'));
	expect(contentProblems(others, manifest)).toEqual([
		'dist/nodes/Payroll/Payroll.node.json is missing',
	]);
});

it('names the types as n8n does', () => {
	expect(typeNames(manifest.n8n.nodes)).toEqual(['payroll']);
	expect(typeNames(manifest.n8n.credentials)).toEqual(['payrollOAuth2Api']);
});
