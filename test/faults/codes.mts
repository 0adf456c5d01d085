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
	'EARLIER_CHANGE_IN_DOUBT',
	'NOT_CHANGED',
	'WRITE_UNCONFIRMED',
	'CREDENTIAL_READ_ONLY',
	'DOMAIN_INVALID',
	'REQUEST_FAILED',
	'CALL_INTERRUPTED',
	'LIST_INCOMPLETE',
	'REVOCATION_FAILED',
	'DESCRIPTION_UNREADABLE',
	'OPERATION_UNUSABLE',
	'DESCRIPTIONS_DIFFER',
	'UNDECIDED',
	'FILE_UNUSABLE',
	'UNEXPECTED',
]);

/** The codes that the whole table must cause. */
export const causedByFaults = [...outcomesByCode.keys()].filter((code) => !ELSEWHERE.has(code));
