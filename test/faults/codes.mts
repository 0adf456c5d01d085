/** The codes of docs/errors.md, to compare with what came of the table. */
import { readFileSync } from 'node:fs';

const OUTCOMES = {
	No: ['notApplied'],
	'Probably not': ['refused'],
	Maybe: ['unknown'],
	Depends: ['notApplied', 'unknown'],
};

const page = readFileSync('docs/errors.md', 'utf8');

/** What the error of each code may say about a write. */
export const outcomesByCode = new Map<string, Set<string>>();
for (const [, code = '', applied] of page.matchAll(
	/^\| `([A-Z_]+)` .* (No|Probably not|Maybe|Depends) \|/gm,
)) {
	const known = outcomesByCode.get(code) ?? [];
	outcomesByCode.set(code, new Set([...known, ...OUTCOMES[applied as keyof typeof OUTCOMES]]));
}

/** Codes that no fault of the table causes; each has a test of its own. */
const ELSEWHERE = new Set([
	'CREDENTIAL_FIELD_INVALID',
	'CREDENTIAL_NOT_CONNECTED',
	'CREDENTIAL_READ_ONLY',
	'DOMAIN_INVALID',
	'DOMAIN_FROM_MODEL',
	'REQUEST_FAILED',
	'CALL_INTERRUPTED',
	'RUN_KILLED',
	'CLIENT_SECRET_CHANGED',
	'LIST_ENDLESS',
	'LIST_INCOMPLETE',
	'LIST_REPEATS',
	'REVOCATION_REFUSED',
	'DESCRIPTION_UNREADABLE',
	'OPERATION_NOT_DESCRIBED',
	'TOKEN_ENDPOINT_BUSY',
	'TOKEN_ENDPOINT_REDIRECTS',
	'DESCRIPTIONS_DIFFER',
	'FAULT_UNDECIDED',
	'NOT_TRIED',
	'TOKENS_KEEP_CHANGING',
	'OPERATION_UNKNOWN',
	'INPUT_OF_AGENT',
	'OPERATION_NOT_A_TOOL',
	'CUSTOM_API_CALL',
	'EDITOR_SERVICE_MISSING',
	'FILE_NOT_KEPT',
	'FILE_NOT_STORED',
	'FILE_UNREADABLE',
	'EDITOR_TIMEOUT',
	'UNEXPECTED',
]);

/** The codes that the whole table must cause. */
export const causedByFaults = [...outcomesByCode.keys()].filter((code) => !ELSEWHERE.has(code));
