/** Errors of answers, lists and descriptions that cannot be used. */
import { ServiceError } from './ServiceError';

const CHECK_REST = "Check 'REST Address' in the credential.";

/** An answer of a SOAP call that is no SOAP. @param reason a sentence without its full stop */
export function notSoap(reason: string): ServiceError {
	return new ServiceError(
		'ANSWER_NOT_SOAP',
		'unreadable',
		'The payroll service gave no readable answer',
		`${reason}. Check 'SOAP Address', 'SOAP Namespace' and 'SOAP Version' in the credential.`,
		{ httpStatus: 200 },
	);
}

export function webPage(): ServiceError {
	return new ServiceError(
		'ANSWER_WEB_PAGE',
		'unreadable',
		'The payroll service gave no readable answer',
		"It is a web page. Check 'SOAP Address' in the credential.",
		{ httpStatus: 200 },
	);
}

/** @param what is limited, in the plural */
export function answerOverLimit(limit: number, what: string): ServiceError {
	return new ServiceError(
		'ANSWER_OVER_LIMIT',
		'unreadable',
		'The payroll service gave no readable answer',
		`It has more than ${limit} ${what}. Request less data at once.`,
		{ httpStatus: 200 },
	);
}

/** @param kind `reading` for a page of a list */
export function undecodable(kind: 'reading' | 'unreadable'): ServiceError {
	return new ServiceError(
		'ANSWER_UNDECODABLE',
		kind,
		`The ${kind === 'reading' ? 'page' : 'answer'} of the payroll service cannot be decoded`,
		'It is not valid in the character set that it declares.',
		{ httpStatus: 200 },
	);
}

/** @param reason a sentence */
export function notJson(reason: string): ServiceError {
	const title = 'The payroll service sent a page that cannot be read as JSON';
	const advice = `${reason} ${CHECK_REST}`;
	return new ServiceError('PAGE_NOT_JSON', 'reading', title, advice, { httpStatus: 200 });
}

export function pageWithoutList(): ServiceError {
	return new ServiceError(
		'PAGE_WITHOUT_LIST',
		'reading',
		'The payroll service sent a page without a list in it',
		`Expected a list, or an object that holds exactly one list. ${CHECK_REST}`,
		{ httpStatus: 200 },
	);
}

const ONE_PAGE =
	"If this happens again, raise 'Page Size' in the node's options so that the list fits on one page.";

export function listChanged(): ServiceError {
	return new ServiceError(
		'LIST_CHANGED',
		'reading',
		'The list changed while it was being read',
		`Records were added, removed or moved, so that others may be missing. ${ONE_PAGE}`,
		{ isTransient: true },
	);
}

export function listRepeats(): ServiceError {
	return new ServiceError(
		'LIST_REPEATS',
		'reading',
		'The payroll service sent the same record on two pages',
		`The list changed while it was being read, has no fixed order, or the service ignores the page number, so that other records may be missing. ${ONE_PAGE}`,
		{ isTransient: true },
	);
}

export function listEndless(pages: number): ServiceError {
	return new ServiceError(
		'LIST_ENDLESS',
		'reading',
		'The list of the payroll service does not end',
		`It did not end after ${pages} pages. Raise 'Page Size' in the node's options if the list is that long.`,
	);
}

/** @param contradiction what the service states and what it sent, as a sentence */
export function listIncomplete(contradiction: string): ServiceError {
	return new ServiceError(
		'LIST_INCOMPLETE',
		'reading',
		'The list of the payroll service is not complete',
		`${contradiction} Check 'Page Size' and 'First Page' in the node's options.`,
		{ isTransient: true },
	);
}

/** @param reason a sentence without its full stop */
export function unreadableDescription(service: string, reason: string): ServiceError {
	return new ServiceError(
		'DESCRIPTION_UNREADABLE',
		'notBegun',
		`The description of the ${service} cannot be read`,
		`${reason}. Choose the operation 'By Name' to call it without a description.`,
	);
}

/** @param title why the description does not define the operation, or only in part */
export function notDescribed(title: string): ServiceError {
	const advice = "Choose another operation, or call this one 'By Name'.";
	return new ServiceError('OPERATION_NOT_DESCRIBED', 'notBegun', title, advice);
}
