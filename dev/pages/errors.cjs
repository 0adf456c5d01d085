/** Generates the lists of docs/errors.md from the catalogue of texts and the table of outcomes that the nodes use. */

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
	'check.employee': 'for an employee who is refused',
	'revoke.request': '`invalid_request`',
	'revoke.client': '`invalid_client`, `unauthorized_client`, 401',
	'revoke.token': '`invalid_grant`',
	'revoke.tokenType': '`unsupported_token_type`',
	'revoke.inPart': 'before its own advice',
	'revoke.unavailable': '`temporarily_unavailable`, 429, 5xx',
	'revoke.otherStatus': 'Anything else',
	'invalid.value': 'and one of the reasons below',
	'invalid.cancelled': 'or timed out',
	'invalid.expression': "an error of n8n's, for example in an expression",
	'invalid.currentRecords':
		"for 'Keep Other Cost Centers' and 'Skip If It Exists', before its own advice",
	'endings.transient': 'A read that may then succeed',
	'endings.notApplied': 'A write',
	'endings.unknown': 'A write (†)',
	'endings.applied': 'A write (‡)',
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

/** What the sentences of a section are that also has errors. */
const SENTENCES = {
	answers: 'Reasons:',
	descriptions: 'Reasons:',
	check: 'Notes:',
	revoke: 'Notes:',
};

const HEADINGS = {
	notApplied: 'Not applied:',
	unknown: 'Not known (†):',
	applied: 'Applied (‡):',
};

const shown = (text) => text.replace(/(?:\{\w+\})+/g, '…').replaceAll('_', '\\_');

/** The mark behind an error: what it says about a write. */
function markOf(kinds, outcomes) {
	const known = new Set(kinds.map((kind) => outcomes[kind]));
	if (known.size > 1) return '(†)';
	return known.has('unknown') ? '†' : known.has('applied') ? '‡' : '';
}

/** Errors as a list; those with the same title are cases of one entry. */
function casesList(cases, whenOf, outcomes) {
	const byTitle = new Map();
	for (const one of cases) {
		const { title } = one[1];
		byTitle.set(title, [...(byTitle.get(title) ?? []), one]);
	}
	const advice = ([, { advice: text }]) => (text === undefined ? '' : `: *${shown(text)}*`);
	const entries = [...byTitle].map(([title, [first, ...others]]) => {
		const name = `**${TITLES[title] ?? shown(title)}**`;
		const mark = ([, { kinds }]) => markOf(kinds, outcomes);
		if (others.length === 0) {
			const when = whenOf(first[0]);
			return `- ${name}${mark(first)}${when === undefined ? '' : `, ${when}`}${advice(first)}`;
		}
		const lines = [first, ...others].map((one) => {
			const [when = '', text] = [whenOf(one[0]), advice(one)];
			return `  - ${when === '' ? text.slice(2) : when + text}${mark(one)}`;
		});
		return [`- ${name}:`, ...lines].join('\n');
	});
	return entries.join('\n');
}

/** Takes the catalogue and the outcome of each kind of failure; returns each section in Markdown, by name. */
function errorsSections(texts, outcomes) {
	const keys = Object.entries(texts).flatMap(([section, entries]) =>
		Object.keys(entries).map((key) => `${section}.${key}`),
	);
	const unknown = Object.keys(WHEN).find((key) => !keys.includes(key));
	if (unknown !== undefined) throw new Error(`The catalogue has no ${unknown}`);
	const sections = Object.entries(texts).map(([section, entries]) => {
		const whenOf = (key) => WHEN[`${section}.${key}`];
		const all = Object.entries(entries);
		const cases = all.filter(([, entry]) => typeof entry !== 'string');
		const sentences = all
			.filter(([, entry]) => typeof entry === 'string')
			.map(([key, text]) => {
				const when = whenOf(key);
				return `- ${when === undefined ? '' : `${when}: `}*${shown(text.replace(/^\{value\} /, ''))}*`;
			});
		const parts = [casesList(cases, whenOf, outcomes), SENTENCES[section], sentences.join('\n')];
		return [section, parts.filter(Boolean).join('\n\n')];
	});
	return Object.fromEntries(sections);
}

/** Takes the conditions of each outcome (`{ unknown: { broken: 'The connection …' } }`); returns a list in Markdown for each. */
function outcomesTable(failureKinds) {
	const listOf = ([outcome, kinds]) => {
		const items = Object.values(kinds).map((condition) => `- ${condition}`);
		return [HEADINGS[outcome], '', ...items].join('\n');
	};
	return Object.entries(failureKinds).map(listOf).join('\n\n');
}

/** Returns each marked part of the page, by name; `read` loads a source of the errors by its name. */
function errorsParts(read) {
	const { failureKinds, outcomes } = read('outcomes');
	return {
		...errorsSections(read('catalogue').texts, outcomes),
		outcomes: outcomesTable(failureKinds),
	};
}

module.exports = { errorsParts };
