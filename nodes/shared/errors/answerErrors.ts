/** Errors of answers, lists and descriptions that cannot be used. */
import { errorsOf } from './ServiceError';

const reading = errorsOf('reading');
const notBegun = errorsOf('notBegun');

/** Only an answer with this status is read. */
const READ = { httpStatus: 200 };

const unreadable = (code: string, advice: string) =>
	errorsOf('unreadable')(code, 'The payroll service gave no readable answer', advice, READ);

/** @param reason a sentence without its full stop */
export const notSoap = (reason: string) =>
	unreadable(
		'ANSWER_NOT_SOAP',
		`${reason}. Check 'SOAP Address', 'SOAP Namespace' and 'SOAP Version' in the credential.`,
	);

export const webPage = () =>
	unreadable('ANSWER_WEB_PAGE', "It is a web page. Check 'SOAP Address' in the credential.");

/** @param what is limited, in the plural */
export const answerOverLimit = (limit: number, what: string) =>
	unreadable('ANSWER_OVER_LIMIT', `It has more than ${limit} ${what}. Request less data at once.`);

/** @param kind `reading` for a page of a list */
export const undecodable = (kind: 'reading' | 'unreadable') =>
	errorsOf(kind)(
		'ANSWER_UNDECODABLE',
		`The ${kind === 'reading' ? 'page' : 'answer'} of the payroll service cannot be decoded`,
		'It is not valid in the character set that it declares.',
		READ,
	);

/** @param reason a sentence */
export const notJson = (reason: string) =>
	reading(
		'PAGE_NOT_JSON',
		'The payroll service sent a page that cannot be read as JSON',
		`${reason} Check 'REST Address' in the credential.`,
		READ,
	);

export const pageWithoutList = () =>
	reading(
		'PAGE_WITHOUT_LIST',
		'The payroll service sent a page without a list in it',
		"Expected a list, or an object that holds exactly one list. Check 'REST Address' in the credential.",
		READ,
	);

const changing = (code: string, title: string, reason: string) => {
	const advice = `${reason}, so that others may be missing. If this happens again, raise 'Page Size' in the node's options so that the list fits on one page.`;
	return reading(code, title, advice, { isTransient: true });
};

export const listChanged = () =>
	changing(
		'LIST_CHANGED',
		'The list changed while it was being read',
		'Records were added, removed or moved',
	);

export const listRepeats = () =>
	changing(
		'LIST_REPEATS',
		'The payroll service sent the same record on two pages',
		'The list changed while it was being read, has no fixed order, or the service ignores the page number',
	);

export const listEndless = (pages: number) =>
	reading(
		'LIST_ENDLESS',
		'The list of the payroll service does not end',
		`It did not end after ${pages} pages. Raise 'Page Size' in the node's options if the list is that long.`,
	);

/** @param contradiction what the service states and what it sent, as a sentence */
export const listIncomplete = (contradiction: string) =>
	reading(
		'LIST_INCOMPLETE',
		'The list of the payroll service is not complete',
		`${contradiction} Check 'Page Size' and 'First Page' in the node's options.`,
		{ isTransient: true },
	);

/** @param reason a sentence without its full stop */
export const unreadableDescription = (service: string, reason: string) =>
	notBegun(
		'DESCRIPTION_UNREADABLE',
		`The description of the ${service} cannot be read`,
		`${reason}. Choose the operation 'By Name' to call it without a description.`,
	);

/** @param title why the description does not define the operation, or only in part */
export const notDescribed = (title: string) =>
	notBegun(
		'OPERATION_NOT_DESCRIBED',
		title,
		"Choose another operation, or call this one 'By Name'.",
	);
