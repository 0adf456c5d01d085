/**
 * The mutation checks by name: sources to be changed on trial, and the tests that have to notice. The tests chosen
 * import the sources themselves and have examples, not random values; a check loads all of its test files for every
 * single change, so that those which start n8n's engine stand apart.
 */
export const checks = {
	requests: {
		mutate: ['nodes/shared/soap/{envelope,scalars}.ts'],
		tests: ['test/soap/{envelope,scalars}.test.mts'],
	},
	answers: {
		mutate: ['nodes/shared/soap/{call,fault,response,xml}.ts'],
		tests: ['test/soap/{call,fault,response,xml}.test.mts'],
	},
	pages: {
		mutate: ['nodes/shared/rest/*.ts'],
		tests: ['test/rest/{list,page}.test.mts'],
	},
	rules: {
		mutate: ['nodes/shared/transport/{charset,retry,status,token}.ts'],
		tests: ['test/transport/{charset,retry,status,token}.test.mts'],
	},
	send: {
		mutate: ['nodes/shared/transport/send.ts'],
		tests: ['test/transport/send.test.mts'],
	},
	exchange: {
		mutate: ['nodes/shared/transport/exchange.ts'],
		tests: ['test/transport/{attempts,tokens}.test.mts'],
	},
	session: {
		mutate: ['nodes/shared/transport/session.ts'],
		tests: ['test/transport/{ahead,renewal}.test.mts'],
	},
};
