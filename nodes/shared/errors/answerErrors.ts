/** Errors of answers, lists and descriptions that cannot be used. */
import { REPORTED, SERVICE_SAYS } from './advice';
import { define, type ServiceError } from './ServiceError';
import { sentences, truncate } from './words';

/** Only an answer with this status is read. */
const READ = { httpStatus: 200 };

const UNREADABLE = 'The payroll service gave no readable answer';

const CHECK_SOAP = "Check 'SOAP Address', 'SOAP Namespace' and 'SOAP Version' in the credential.";

/** What to do about an answer in several parts, of which the SOAP message is one. */
export const NO_MTOM = 'Ask the payroll provider to answer without MTOM.';

/** @param reason a sentence without its full stop */
export const notSoap = define(
	'ANSWER_UNREADABLE',
	'unreadable',
	(reason: string, advice: string = CHECK_SOAP) => [
		UNREADABLE,
		sentences(`${reason}.`, advice),
		READ,
	],
);

/** An answer of the service with something in it that cannot be read. @param reason a sentence without its full stop */
export const oddAnswer = define('ANSWER_UNREADABLE', 'unreadable', (reason: string) => [
	'The payroll service sent something that cannot be read',
	`${reason}.`,
	READ,
]);

export const webPage = define('ANSWER_UNREADABLE', 'unreadable', () => [
	UNREADABLE,
	"It is a web page. Check 'SOAP Address' in the credential.",
	READ,
]);

/** @param limit a number, and of what */
export const answerOverLimit = define('ANSWER_TOO_LARGE', 'unreadable', (limit: string) => [
	UNREADABLE,
	`It has more than ${limit}. Request less data at once.`,
	READ,
]);

/** @param element of the file; @param reason a sentence */
export const fileUnreadable = define(
	'FILE_UNUSABLE',
	'unreadable',
	(element: string, reason: string) => [
		`The answer has no file in ${element}`,
		`${reason} Check 'File Content In' and 'File Content Is' in the node's options.`,
		READ,
	],
);

/** @param said what the service sent in its place */
export const noFile = define('FILE_UNUSABLE', 'unreadable', (element: string, said: string) => [
	`The answer has no file in ${element}`,
	`The service sent ${JSON.stringify(truncate(said, 200))} in its place. If that is the file, choose Text under 'File Content Is' in the node's options.`,
	READ,
]);

/** @param reason n8n's own words */
export const fileNotStored = define('FILE_UNUSABLE', 'unreadable', (reason: string) => [
	'n8n could not store the file of the answer',
	`n8n said: ${reason}.`,
	READ,
]);

/** @param difference what was sent and what stands there, in sentences */
export const writtenOtherwise = define('WRITTEN_OTHERWISE', 'differs', (difference: string) => [
	'The payroll service has other values than were written',
	`${difference} 'Verify' read this after the change. Correct what differs in the payroll service.`,
]);

export const notChanged = define('NOT_CHANGED', 'unconfirmed', () => [
	'The payroll service answered with success, and still has what it had',
	"'Verify' read the records at once and 2 seconds later. The change may still arrive: a retry of this execution reads them again, and sends nothing.",
]);

/** @param got what the answer has in place of what confirms the write */
export const writeUnconfirmed = define('WRITE_UNCONFIRMED', 'unconfirmed', (got: string) => [
	`The payroll service did not confirm the change: ${got}`,
	'Its answer is not the one that is specified for a success. Look up in the documentation of the service what it means.',
	READ,
]);

export const undecodableAnswer = define('ANSWER_UNREADABLE', 'unreadable', () => [
	'The answer of the payroll service cannot be decoded',
	'It is not valid in the character set that it declares. Ask the payroll provider: this is an error of the service.',
	READ,
]);

/** @param reason a sentence; @param said the text in its place */
export const notJson = define('ANSWER_UNREADABLE', 'reading', (reason: string, said?: string) => [
	'The payroll service sent a page that cannot be read as JSON',
	`${reason} ${said === undefined ? "Check 'REST Address' in the credential." : `${SERVICE_SAYS}${JSON.stringify(said)}`}`,
	READ,
]);

export const pageWithoutList = define('LIST_INCOMPLETE', 'reading', () => [
	'The payroll service sent a page without a list in it',
	"Expected a list, or an object that holds exactly one list. Check 'REST Address' in the credential.",
	READ,
]);

/** @param said the service's own words */
export const pageStatesError = define('SERVICE_ERROR', 'reading', (said: string) => [
	`${REPORTED}${said}`,
	'It answered with HTTP 200, so the page may have been read only in part. Look up the error in the documentation of the service.',
	{ ...READ, isQuote: true },
]);

/** Reading a list again may help: it may have changed between two pages. */
const MAY_PASS = { isTransient: true };

export const listRepeats = define('LIST_INCOMPLETE', 'reading', () => [
	'The payroll service sent the same record on two pages',
	"The list changed while it was being read, has no fixed order, or the service ignores the page number, so that others may be missing. If this happens again, raise 'Page Size' in the node's options so that the list fits on one page. A list that the service sends at once is read by Other List with 'Not Paged'.",
	MAY_PASS,
]);

/** @param limit a number, and of what */
export const listEndless = define('LIST_INCOMPLETE', 'reading', (limit: string) => [
	'The list of the payroll service does not end',
	`It did not end after ${limit}. If it is that long, read it in parts, with 'Limit' and 'First Page'. If the service sends fewer records on a page than were asked for, lower 'Page Size' in the node's options.`,
]);

/** @param contradiction what the service states and what it sent, as a sentence */
export const listIncomplete = define('LIST_INCOMPLETE', 'reading', (contradiction: string) => [
	'The list of the payroll service is not complete',
	`${contradiction} If the list changed while it was being read, run the node again, or raise 'Page Size' in the node's options so that the list fits on one page. Otherwise check 'First Page'.`,
	MAY_PASS,
]);

/** The error for page 0, which only some services have. @param error that of any page */
export const onPageZero = (error: ServiceError) =>
	error.with({
		description: `${error.description} It was asked for page 0, since some services count their pages from 0. If this one counts from 1, set 'First Page' to 1 in the node's options.`,
	});

/** What to do if the service answers with something else, or with another description. */
const OTHER_DESCRIPTION =
	"Check 'Service', 'SOAP Address' and 'SOAP Namespace' in the credential, and whether the service is available.";

/** What to do if the service answers with HTTP 404. */
export const NO_DESCRIPTION =
	"Check 'Service', and 'SOAP Address' in the credential. If both are right, the service has no description.";

/** What works without a description. */
export const BY_NAME = "To call it without a description, choose the operation 'By Name'.";

/** @param reason a sentence without its full stop */
export const unreadableDescription = define(
	'DESCRIPTION_UNREADABLE',
	'notBegun',
	(service: string, reason: string, advice = OTHER_DESCRIPTION) => [
		`The description of the ${truncate(service)} cannot be read`,
		`${reason}. ${advice}`,
	],
);

/** @param reason why it cannot be called with typed parameters; without one, the service does not have it */
export const notDescribed = define(
	'OPERATION_UNUSABLE',
	'notBegun',
	(name: string, reason?: string) =>
		reason === undefined
			? [
					`The service has no operation ${truncate(name)}`,
					"Check 'Service', and choose the operation from the list again.",
				]
			: [
					`${truncate(name)} cannot be called with typed parameters. ${reason}`,
					"Choose the operation 'By Name', and give its parameters as JSON.",
				],
);
