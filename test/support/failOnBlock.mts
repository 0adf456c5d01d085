// Before each test file, if PAYROLL_TEST_BLOCKS is set. A unit test calls many functions in a row.
import { failOnBlock } from './eventLoop.mts';

if (!expect.getState().testPath?.includes('/test/unit/')) failOnBlock();
