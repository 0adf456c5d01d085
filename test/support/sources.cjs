// Before each test file: below test/unit, the package on n8n's engine consists of its sources.
const { join, sep } = require('node:path');

if (expect.getState().testPath.startsWith(join(process.cwd(), 'test', 'unit') + sep)) {
	require('../../dev/package/sources.cjs');
}
