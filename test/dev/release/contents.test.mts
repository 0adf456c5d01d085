/** `npm run release:check` refuses a tarball with a file too many or too few. */
import { contentProblems } from '../../../dev/release/contents.mts';

const manifest = {
	n8n: {
		nodes: ['dist/nodes/Payroll/Payroll.node.js'],
		credentials: ['dist/credentials/PayrollOAuth2Api.credentials.js'],
	},
};
const needed = [
	'LICENSE.md',
	'dist/THIRD-PARTY-NOTICES.txt',
	'dist/nodes/Payroll/Payroll.node.json',
	...manifest.n8n.credentials,
	...manifest.n8n.nodes,
];
const files = [
	...needed,
	'README.md',
	'package.json',
	'dist/icons/payroll.dark.svg',
	'dist/nodes/Payroll/__schema__/v1.0.0/address/getAll.json',
	'dist/nodes/shared/rest/pages.js',
];

it.each([
	'.npmrc',
	'dist/package.json',
	'dist/nodes/Payroll/Payroll.node.js.map',
	'dist/nodes/Payroll/Payroll.node.test.js',
	'dist/nodes/Payroll/Other.node.json',
	'dist/nodes/test/support.js',
	'dist/credentials/secret.json',
])('%s is refused', (file) => {
	expect(contentProblems([...files, file], manifest)).toEqual([`${file} must not be published`]);
});

it.each(needed)('%s is missed', (file) => {
	const others = files.filter((other) => other !== file);
	expect(contentProblems(others, manifest)).toEqual([`${file} is missing`]);
});
