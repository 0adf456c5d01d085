/** Generates the tables of docs/errors.md by calling the functions that make the errors, and that of docs/dev/outcomes.md. */

/** Stands for a part of a text that varies. */
const VARIES = '…';

/** What each outcome says about a write, in a table. */
const APPLIED = { notApplied: 'No', refused: 'Probably not', unknown: 'Maybe', applied: 'Yes' };

/** The advice that an answer's words call for. */
function adviceOn({ ACCESS_PHRASES, FAULT_PHRASES, EARLIER_PERIOD, ...advice }) {
	return [
		['A quota that is used up', ACCESS_PHRASES[0][1]],
		['The subscription key', ACCESS_PHRASES[1][1]],
		['A scope', ACCESS_PHRASES[2][1]],
		['A domain', ACCESS_PHRASES[3][1]],
		['The login, in a SOAP fault', FAULT_PHRASES.at(-1)[1]],
		['A TWK exception, from Address: Create', EARLIER_PERIOD],
		['The SOAPAction or the action parameter', FAULT_PHRASES[0][1]],
		['The same, from Other Operation: Call', advice.adviceOnUnknownName(VARIES, VARIES)],
		[
			'The same, if another service has the operation',
			advice.adviceOnUnknownName(VARIES, VARIES, VARIES),
		],
		['The SOAP version', FAULT_PHRASES[1][1]],
	];
}

/** The errors of each section of the page, with the case in which one occurs. Several errors of a row differ in their kind. */
const SECTIONS = {
	credential: ({ setupErrors: of }) => [
		[of.notRenewed('invalid_client'), '`invalid_client`'],
		[of.notRenewed('unauthorized_client'), '`unauthorized_client`'],
		[of.notRenewed('invalid_scope'), '`invalid_scope`'],
		[of.notRenewed('busy')],
		[of.notRenewed('unreached')],
		[of.notRenewed('insecure')],
		[of.notRenewed('otherServer'), 'A web page, or HTTP 4xx'],
		[of.notRenewed('unexpected'), 'Anything else'],
		[of.renewalTimeout()],
		[of.noRefreshToken()],
		[of.refreshTokenRefused()],
		[of.notConnected()],
		[of.readOnlyCredential()],
		[of.unusableField(VARIES, VARIES)],
		[of.unusableDomain(VARIES)],
		[of.domainOfModel()],
	],
	refused({ requestErrors: of, ServiceError: { kindOfStatus } }) {
		const status = (one, when = String(one)) => [
			[false, true].map((waits) => of.refusedStatus(kindOfStatus(one, waits), one, VARIES)),
			when,
		];
		return [
			[of.redirected('redirect', VARIES, VARIES)],
			...[400, 403, 404, 405, 415].map((one) => status(one)),
			status(429),
			[
				of.refusedStatus('statusRefusal', 403, VARIES, Infinity),
				'403 that says when to call again',
			],
			[
				[413, 418].map((one) => of.refusedStatus(kindOfStatus(one, false), one, VARIES)),
				'Any other 4xx',
			],
			status(503, '502, 503, 504'),
			status(500, 'Any other 5xx'),
			status(204, 'Any other 2xx'),
			[of.subjectNotFound(VARIES)],
			[of.tokenRejected(true)],
			[of.tokenRejected(false), 'Three tokens in a row were rejected'],
			[of.accessRefused(''), 'HTTP 401, with advice from the table below'],
			[
				of.faultNamesToken("**The service's own words**"),
				'A SOAP fault that refuses the call, and names a token; also with a new one, or none could be got',
			],
			[of.faultRefused("**The service's own words**"), 'A SOAP fault that refuses the call'],
			[
				of.faultCoded("the service's own words", VARIES),
				'A SOAP fault that begins with a number, its code',
			],
			[of.faultCoded("the service's own words", 1001), 'With a code from 1001 to 1004, or 2003'],
			[of.faultCoded("the service's own words", 1006), 'With the code 1006 or 9999'],
			[of.faultCoded("the service's own words", 2001), 'With another code from 2001 on'],
			[of.faultUnclear("**The service's own words**"), 'Any other SOAP fault'],
		];
	},
	noAnswer: ({ requestErrors: of }) => [
		...['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'EPROTO', 'ECONNRESET'].map((cause) => [
			of.noAnswer(cause, VARIES),
		]),
		[of.answerTimeout(VARIES, VARIES)],
		[of.answerTooLarge(VARIES, VARIES)],
		[of.answerTooLarge('Identity Address', VARIES)],
		[of.noAnswer('', VARIES), 'For example since n8n may not reach the address'],
		[of.callInterrupted(), 'If n8n runs the node again'],
		[of.runKilled(), 'In a retry after n8n was killed'],
		[of.clientSecretChanged()],
		[of.earlierInDoubt()],
		[of.fileNotKept(), 'If n8n runs the node again'],
	],
	answers: ({ answerErrors: of, ServiceError: { ServiceError } }) => [
		[of.notSoap(VARIES)],
		[of.notSoap(VARIES, of.NO_MTOM), 'A multipart message'],
		[of.webPage()],
		[of.answerOverLimit(VARIES)],
		[of.fileUnreadable(VARIES, VARIES), 'With *Put Output File in Field*'],
		[of.fileNotStored(VARIES), 'With *Put Output File in Field*'],
		[of.writtenOtherwise(VARIES), 'With *Verify*'],
		[of.notChanged(), 'With *Verify*'],
		[of.writeUnconfirmed(VARIES)],
		[of.undecodableAnswer()],
		[of.notJson(VARIES)],
		[of.pageWithoutList()],
		[of.pageStatesError(VARIES)],
		[of.listIncomplete(VARIES)],
		[of.listRepeats()],
		[of.listEndless(VARIES)],
		[
			of.onPageZero(new ServiceError('', 'reading', 'The title of another error', VARIES)),
			'Page 0 of a list',
		],
		[of.unreadableDescription(VARIES, VARIES, of.NO_DESCRIPTION), 'HTTP 404'],
		[of.unreadableDescription(VARIES, VARIES), 'Another answer, or another description'],
		[of.unreadableDescription(VARIES, VARIES, VARIES), 'Anything else, with its own advice'],
		[of.notDescribed(VARIES)],
		[of.notDescribed(VARIES, VARIES)],
	],
	connection: ({ setupErrors: of, ServiceError: { ServiceError } }) => {
		const fault = new ServiceError('', 'faultUnclear', VARIES, VARIES);
		return [
			[of.tokenEndpointRedirects(VARIES), 'Check'],
			[of.tokenEndpointBusy(), 'Check'],
			[of.descriptionsDiffer([VARIES]), 'Check'],
			[of.notTried(VARIES), 'Check'],
			[of.undecidedFault(fault), 'Check'],
			[['busy', 'serverError'].map((kind) => of.notRevoked(kind, VARIES)), 'Revoke'],
			[of.tokensKeepChanging(), 'Revoke'],
		];
	},
	node: ({ setupErrors: of, ServiceError: { unexpected } }) => [
		[of.unknownOperation(VARIES, VARIES)],
		[of.notForAgents(VARIES, VARIES)],
		[of.inputOfAgent()],
		[of.customApiCall()],
		[of.unusableService(), 'In a list of the editor'],
		[of.listTimeout(), 'In a list of the editor'],
		[unexpected(new Error(VARIES))],
	],
};

const shown = (text) => text.replaceAll('_', '\\_').replace(/\s+/g, ' ').trim();

const table = (head, rows) =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Whether a write that failed with one of these errors was applied. */
function appliedAfter(errors) {
	const known = new Set(errors.map(({ outcome }) => APPLIED[outcome] ?? '–'));
	return known.size > 1 ? 'Depends' : [...known].join();
}

/** Errors as a table. The title of several errors is in the first row. */
function errorsTable(rows) {
	let before = '';
	const cells = rows.map(([made, when = '']) => {
		const [error] = [made].flat();
		const { code, message, description } = error;
		const words = shown(message).replace(/answered with HTTP \d+/, 'answered with HTTP …');
		const title = words === before ? '–' : message.startsWith('**') ? words : `**${words}**`;
		before = words;
		const name = [title, when].filter(Boolean).join(title === '–' ? ' ' : ': ');
		return [
			code === '' ? '–' : `\`${code}\``,
			name,
			appliedAfter([made].flat()),
			shown(description),
		];
	});
	return table(['Code', 'Error', 'Applied', 'Advice'], cells);
}

/** The conditions of each outcome (`{ unknown: { broken: 'The connection …' } }`) as a table. */
const outcomesTable = (failureKinds) =>
	table(
		['What happened', 'Applied'],
		Object.entries(failureKinds).flatMap(([outcome, kinds]) =>
			Object.values(kinds).map((condition) => [condition, APPLIED[outcome]]),
		),
	);

/** The sources that make errors. */
const SOURCES = [
	'setupErrors',
	'requestErrors',
	'answerErrors',
	'InputError',
	'ServiceError',
	'advice',
];

/** Returns each marked part of both pages, by page and name; `read` loads a source of the errors by its name. */
function errorsParts(read) {
	const sources = Object.fromEntries(SOURCES.map((name) => [name, read(name)]));
	const parts = Object.entries(SECTIONS).map(([name, rowsOf]) => [
		name,
		errorsTable(rowsOf(sources)),
	]);
	const advice = adviceOn(sources.advice).map(([when, text]) => [when, shown(text)]);
	const codes = Object.entries(sources.InputError.problemCodes);
	return {
		'docs/errors.md': {
			...Object.fromEntries(parts),
			advice: table(['If the answer mentions', 'Advice'], advice),
			values: table(
				['Code', 'The value'],
				codes.map(([code, when]) => [`\`${code}\``, when]),
			),
		},
		'docs/dev/outcomes.md': { outcomes: outcomesTable(sources.ServiceError.failureKinds) },
	};
}

module.exports = { errorsParts };
