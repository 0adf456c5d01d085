/** Generates the tables of docs/errors.md by calling the functions that make the errors. */

/** Stands for a part of a text that varies. */
const VARIES = '…';

/** What each outcome says about a write, in a table. */
const APPLIED = { notApplied: 'No', refused: 'Probably not', unknown: 'Maybe', applied: 'Yes' };

/** The errors by their source, each with the case in which it occurs. Several errors of a row differ in their kind. */
const SECTIONS = {
	credential: ({ setupErrors: of }) => [
		[of.notRenewed('invalid_client'), 'Renewal refused: `invalid_client`'],
		[of.notRenewed('unauthorized_client'), 'Renewal refused: `unauthorized_client`'],
		[of.notRenewed('invalid_scope'), 'Renewal refused: `invalid_scope`'],
		[of.notRenewed('busy'), 'The identity server is busy'],
		[of.notRenewed('unreached'), 'The identity server could not be reached'],
		[of.notRenewed('insecure'), 'The certificate of the identity server was not accepted'],
		[of.notRenewed('otherServer'), 'No identity server: a web page, or HTTP 4xx'],
		[of.notRenewed('unexpected'), 'Any other failed renewal'],
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
		const status = (one, when = `HTTP ${one}`) => [
			[false, true].map((waits) => of.refusedStatus(kindOfStatus(one, waits), one, VARIES)),
			when,
		];
		return [
			[of.redirected('redirect', VARIES, VARIES)],
			...[400, 403, 404, 405, 415].map((one) => status(one)),
			status(429),
			[of.refusedStatus('statusRefusal', 403, VARIES, Infinity), 'HTTP 403 that says when to call again'],
			[
				[413, 418].map((one) => of.refusedStatus(kindOfStatus(one, false), one, VARIES)),
				'Any other HTTP 4xx',
			],
			status(503, 'HTTP 502, 503, 504'),
			status(500, 'Any other HTTP 5xx'),
			status(204, 'Any other HTTP 2xx'),
			[of.subjectNotFound(VARIES)],
			[of.tokenRejected(true)],
			[of.tokenRejected(false), 'Three tokens in a row were rejected'],
			[of.accessRefused(''), 'HTTP 401 that says why'],
			[
				of.faultNamesToken("The service's own words"),
				'A SOAP fault that refuses the call, and names a token; also with a new one, or none could be got',
			],
			[of.faultRefused("The service's own words"), 'A SOAP fault that refuses the call'],
			[
				of.faultCoded("The service's own words", VARIES),
				'A SOAP fault that begins with a number, its code',
			],
			[of.faultUnclear("The service's own words"), 'Any other SOAP fault'],
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
		[of.oddAnswer(VARIES)],
		[of.webPage()],
		[of.answerOverLimit(VARIES)],
		[of.fileUnreadable(VARIES, VARIES), 'With *Put Output File in Field*'],
		[of.noFile(VARIES, VARIES)],
		[of.fileNotStored(VARIES)],
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
		[of.onPageZero(new ServiceError('', 'reading', 'The title of another error', VARIES)), 'Page 0 of a list'],
		[of.unreadableDescription(VARIES, VARIES, of.NO_DESCRIPTION)],
		[of.unreadableDescription(VARIES, VARIES)],
		[of.unreadableDescription(VARIES, VARIES, VARIES + of.BY_NAME)],
		[of.notDescribed(VARIES)],
		[of.notDescribed(VARIES, VARIES)],
	],
	connection: ({ setupErrors: of, ServiceError: { ServiceError } }) => {
		const fault = new ServiceError('', 'faultUnclear', VARIES, VARIES);
		return [
			[of.tokenEndpointRedirects(VARIES), 'Check'],
			[of.notTried(VARIES), 'Check'],
			[of.tokenEndpointBusy(), 'Check'],
			[of.descriptionsDiffer([VARIES]), 'Check'],
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

const shown = (text) =>
	text
		.replaceAll('_', '\\_')
		.replace(/\s+/g, ' ')
		.trim();

const table = (head, rows) =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The title of the first error of a code. */
const titleOf = ([[made]]) => {
	const [{ message }] = [made].flat();
	return shown(message).replaceAll('**', '').replace(/^…: (?=The service's)/, '').replace(/^The payroll service/, 'The service').replace(/HTTP \d+/, 'HTTP …');
};

/** The rows of one code as one row: its title unless others have it, each case, and whether a write was applied. */
function rowOf(code, rows, isShared) {
	const cases = rows.every(([, when]) => when) ? [...new Set(rows.map(([, when]) => when))] : [];
	const errors = rows.flatMap(([made]) => made);
	// Check writes nothing, whatever the fault that it repeats says.
	const applied =
		cases[0] === 'Check'
			? [APPLIED.notApplied]
			: [...new Set(errors.map(({ outcome }) => APPLIED[outcome] ?? '–'))];
	const parts = [isShared && cases.length > 0 ? '' : titleOf(rows), cases.join(' · ')];
	const name = parts.filter(Boolean).join(': ');
	return [`\`${code}\``, name, applied.length > 1 ? 'Depends' : applied[0]];
}

/** The errors of all sources, a row for each code. */
function codesTable(sources) {
	const byCode = new Map();
	for (const row of Object.values(SECTIONS).flatMap((rowsOf) => rowsOf(sources))) {
		const [{ code }] = [row[0]].flat();
		// The error of page 0 of a list has the code of another one.
		if (code !== '') byCode.set(code, [...(byCode.get(code) ?? []), row]);
	}
	const titles = [...byCode.values()].map(titleOf);
	const isShared = (rows) => titles.filter((title) => title === titleOf(rows)).length > 1;
	const cells = [...byCode].map(([code, rows]) => rowOf(code, rows, isShared(rows)));
	return table(['Code', 'What happened', 'Applied'], cells);
}

/** The sources that make errors. */
const SOURCES = [
	'setupErrors',
	'requestErrors',
	'answerErrors',
	'InputError',
	'ServiceError',
];

/** Returns each marked part of the page, by page and name; `read` loads a source of the errors by its name. */
function errorsParts(read) {
	const sources = Object.fromEntries(SOURCES.map((name) => [name, read(name)]));
	const values = Object.entries(sources.InputError.problemCodes);
	return {
		'docs/errors.md': {
			codes: codesTable(sources),
			values: table(
				['Code', 'The value'],
				values.map(([code, when]) => [`\`${code}\``, when]),
			),
		},
	};
}

module.exports = { errorsParts };
