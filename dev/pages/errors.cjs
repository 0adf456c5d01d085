/**
 * Generates the tables of docs/errors.md and the lists of docs/dev/error-texts.md from the catalogue of texts and the table of
 * outcomes that the nodes use.
 */

/** The sections of calls that fail, on the users' page; the other texts explain themselves, and are on the developers' page. */
const FOR_USERS = ['credential', 'refused', 'noAnswer', 'answers'];

/** When a case occurs, where its texts do not say it. */
const WHEN = {
	'credential.invalidClient': '`invalid_client`',
	'credential.unauthorizedClient': '`unauthorized_client`',
	'credential.invalidScope': '`invalid_scope`',
	'credential.otherServer': 'A web page, or HTTP 4xx',
	'credential.unexpected': 'Anything else',
	'refused.badRequest': '400',
	'refused.forbidden': '403',
	'refused.notFound': '404',
	'refused.method': '405',
	'refused.mediaType': '415',
	'refused.busy': '429',
	'refused.status4': 'Any other 4xx',
	'refused.unavailable': '502, 503, 504',
	'refused.status5': 'Any other 5xx',
	'refused.status2': 'Any other 2xx',
	'refused.token': 'Three tokens in a row were rejected',
	'refused.earlierPeriod': 'A TWK exception, from Address: Create',
	'refused.operation': 'The SOAPAction or the action parameter',
	'refused.operationName': 'The same, from Other Operation: Call',
	'refused.otherService': 'The same, if it is an operation of the other node',
	'refused.version': 'The SOAP version',
	'refused.fault': 'Any other refusal',
	'refused.unclearFault': 'Anything else',
	'refused.noReason': 'for a SOAP fault without words',
	'noAnswer.killed': 'in a retry after n8n was killed',
	'noAnswer.failed': 'for example since n8n may not reach the address',
	'noAnswer.stopped': 'if n8n runs the node again',
	'revoke.redirect': '3xx',
	'revoke.inPart': 'before its own advice',
	'revoke.unavailable': '429, 5xx',
	'revoke.otherStatus': 'Anything else',
	'invalid.value': 'and one of the reasons below',
	'invalid.cancelled': 'or timed out',
	'invalid.expression': "an error of n8n's, for example in an expression",
	'invalid.currentRecords':
		"for 'Keep Other Cost Centers' and 'Skip If It Exists', before its own advice",
	'endings.transient': 'A read that may then succeed',
	'endings.notApplied': 'A write that was not applied',
	'endings.unknown': 'A write that may have been applied',
	'endings.noItem': 'A write that ends a batch, if nothing was applied',
	'endings.itemsApplied': 'Otherwise, with up to five IDs',
	'endings.itemsUnknown': 'And',
	'endings.itemsOpen': 'And',
	'endings.itemOpen': 'Or',
	'endings.retry': 'Then',
	'endings.subWorkflow': 'In a sub-workflow',
	'endings.noRetry': 'If nothing is left to send',
	'endings.anew': 'At the end',
};

/** Titles that the catalogue leaves open. */
const TITLES = {
	'{fault}': "The service's own words",
	'{failure}': 'The title of the failure',
	'{value}': "The value's name",
};

/** What each outcome says about a write, in a table. */
const APPLIED = { notApplied: 'No', unknown: 'Maybe' };

const shown = (text) => text.replace(/(?:\{\w+\})+/g, '…').replaceAll('_', '\\_');

const table = (head, rows) =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Whether a write that failed in one of these ways was applied; a text without kinds is not about a call. */
function appliedAfter(kinds, outcomes) {
	const known = new Set(kinds.map((kind) => APPLIED[outcomes[kind]]));
	if (known.size > 1) return 'Depends';
	return [...known].join() || '–';
}

/** Errors as a table, which says whether a write was applied if some may be; the title of several cases stands before the first. */
function casesTable(cases, whenOf, outcomes) {
	const titles = new Set();
	const rows = cases.map(([key, { title, advice = '', kinds }]) => {
		const name = titles.has(title) ? '–' : `**${TITLES[title] ?? shown(title)}**`;
		titles.add(title);
		const cell = [name, whenOf(key)].filter(Boolean).join(': ');
		return [cell.replace('–: ', '– '), appliedAfter(kinds, outcomes), shown(advice)];
	});
	const head = ['Error', 'Applied', 'Advice'];
	const saysMore = rows.some(([, applied]) => !['No', '–'].includes(applied));
	return saysMore
		? table(head, rows)
		: table(
				[head[0], head[2]],
				rows.map(([name, , advice]) => [name, advice]),
			);
}

const entriesOf = (texts) =>
	Object.entries(texts).map(([section, entries]) => {
		const all = Object.entries(entries);
		const isError = ([, entry]) => typeof entry !== 'string';
		return {
			section,
			cases: all.filter(isError),
			sentences: all.filter((one) => !isError(one)),
			whenOf: (key) => WHEN[`${section}.${key}`],
		};
	});

/** Sentences as a list. */
const sentencesList = ({ sentences, whenOf }) =>
	sentences
		.map(([key, text]) => {
			const when = whenOf(key);
			return `- ${when === undefined ? '' : `${when}: `}*${shown(text.replace(/^\{value\} /, ''))}*`;
		})
		.join('\n');

/** The conditions of each outcome (`{ unknown: { broken: 'The connection …' } }`) as a table. */
const outcomesTable = (failureKinds) =>
	table(
		['What happened', 'Applied'],
		Object.entries(failureKinds).flatMap(([outcome, kinds]) =>
			Object.values(kinds).map((condition) => [condition, APPLIED[outcome]]),
		),
	);

function assertKeys(texts) {
	const keys = Object.entries(texts).flatMap(([section, entries]) =>
		Object.keys(entries).map((key) => `${section}.${key}`),
	);
	const unknown = Object.keys(WHEN).find((key) => !keys.includes(key));
	if (unknown !== undefined) throw new Error(`The catalogue has no ${unknown}`);
}

/** Returns each marked part of both pages, by page and name; `read` loads a source of the errors by its name. */
function errorsParts(read) {
	const { failureKinds, outcomes } = read('outcomes');
	const { texts } = read('catalogue');
	assertKeys(texts);
	const [users, developers] = [{}, { outcomes: outcomesTable(failureKinds) }];
	for (const one of entriesOf(texts)) {
		const errors = one.cases.length === 0 ? '' : casesTable(one.cases, one.whenOf, outcomes);
		const isForUsers = FOR_USERS.includes(one.section);
		if (isForUsers) users[one.section] = errors;
		const rest = [isForUsers ? '' : errors, sentencesList(one)].filter(Boolean).join('\n\n');
		if (rest !== '') developers[one.section] = rest;
	}
	return { 'docs/errors.md': users, 'docs/dev/error-texts.md': developers };
}

module.exports = { errorsParts };
