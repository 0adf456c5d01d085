/** Generates the tables of docs/errors.md from the codes and the words of the errors. */

/** What each outcome says about a write, in a table. */
const APPLIED = { notApplied: 'No', refused: 'Probably not', unknown: 'Maybe', applied: 'Yes' };

/** The codes of answers whose HTTP status says whether a write was applied. */
const BY_STATUS = ['CALL_REFUSED', 'UNAVAILABLE', 'REVOCATION_FAILED'];

/** What happened, where the title of the first error with the code does not say it. */
const HAPPENED = {
	RENEWAL_REFUSED:
		'Renewal refused: `invalid_client` · Renewal refused: `unauthorized_client` · Renewal refused: `invalid_scope` · The certificate of the identity server was not accepted · No identity server: a web page, or HTTP 4xx',
	IDENTITY_SERVER_BUSY: 'The identity server is busy',
	CREDENTIAL_NOT_CONNECTED: 'The credential is not connected, or needs to be reconnected',
	CALL_REFUSED: 'HTTP 400 · HTTP 405 · HTTP 415 · Any other HTTP 4xx',
	ACCESS_REFUSED: 'HTTP 403 · HTTP 401 that says why',
	RATE_LIMITED: 'HTTP 429 · HTTP 403 that says when to call again',
	UNAVAILABLE: 'HTTP 502, 503, 504',
	STATUS_UNKNOWN: 'HTTP 304 · Any other HTTP 2xx',
	FAULT_REFUSED: 'A SOAP fault that refuses the call',
	FAULT_CODED: 'A SOAP fault that begins with a number, its code',
	FAULT_UNCLEAR: 'Any other SOAP fault',
};

/** What is added to the title. */
const ADDED = {
	REQUEST_FAILED: 'For example since n8n may not reach the address',
	WRITTEN_OTHERWISE: 'With *Verify*',
	NOT_CHANGED: 'With *Verify*',
	UNDECIDED: 'Check',
	DESCRIPTIONS_DIFFER: 'Check',
	REVOCATION_FAILED: 'Revoke',
};

const table = (head, rows) =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Facts of which only the place in a title is shown. */
const FACTS = new Proxy({}, { get: (_, name) => (name === 'fault' ? undefined : '…') });

/** The title of the first error of a code. */
function titleOf(code, failures) {
	const [, words] = Object.entries(failures).find(([failure]) => failure.split('/')[0] === code);
	const [title] = typeof words === 'function' ? words(FACTS) : words;
	return title.replace(/^The payroll service/, 'The service');
}

/** Returns each marked part of the page, by page and name; `read` loads a source by its room and name. */
function errorsParts(read) {
	const { traitsOf } = read('errors/ServiceError');
	const { failures } = read('messages/catalog');
	const codes = new Map(
		Object.entries(traitsOf).map(([failure, { outcome }]) => [failure.split('/')[0], outcome]),
	);
	const rows = [...codes].map(([code, outcome]) => [
		`\`${code}\``,
		HAPPENED[code] ?? [titleOf(code, failures), ADDED[code]].filter(Boolean).join(': '),
		BY_STATUS.includes(code) ? 'Depends' : APPLIED[outcome],
	]);
	const values = Object.entries(read('values/InputError').problemCodes);
	return {
		'docs/errors.md': {
			codes: table(['Code', 'What happened', 'Applied'], rows),
			values: table(
				['Code', 'The value'],
				values.map(([code, when]) => [`\`${code}\``, when]),
			),
		},
	};
}

module.exports = { errorsParts };
