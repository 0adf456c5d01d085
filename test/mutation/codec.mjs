// What turns values into bytes and bytes into values or errors; checked by tests that import the sources.
import { mutationCheck } from './check.mjs';

export default mutationCheck({
	name: 'codec',
	mutate: [
		'nodes/shared/soap/*.ts',
		'nodes/shared/rest/page.ts',
		'nodes/shared/transport/{charset,retry,status,token}.ts',
		'!nodes/shared/soap/xmlParser.ts',
	],
	testMatch: [
		'<rootDir>/test/soap/{envelope,fault,response,scalars,xml,call}.test.mts',
		'<rootDir>/test/rest/{list,page}.test.mts',
		'<rootDir>/test/transport/{charset,retry,status,token}.test.mts',
	],
});
