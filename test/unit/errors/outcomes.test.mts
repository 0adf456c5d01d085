import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
	failureKinds,
	kindOfStatus,
	type FailureKind,
} from '../../../nodes/shared/errors/outcomes.ts';

it.each<[number, FailureKind, 'notApplied' | 'unknown']>([
	[200, 'unreadable', 'unknown'],
	[299, 'notSuccess', 'unknown'],
	[300, 'redirect', 'unknown'],
	[306, 'redirect', 'unknown'],
	[307, 'redirectUnprocessed', 'notApplied'],
	[308, 'redirectUnprocessed', 'notApplied'],
	[309, 'redirect', 'unknown'],
	[399, 'redirect', 'unknown'],
	[400, 'refused', 'notApplied'],
	[401, 'tokenRejected', 'notApplied'],
	[429, 'busy', 'notApplied'],
	[499, 'refused', 'notApplied'],
	[500, 'serverError', 'unknown'],
	[503, 'serverError', 'unknown'],
	[599, 'serverError', 'unknown'],
])(
	'HTTP %d is a failure of the kind %s, whose outcome for a write is %s',
	(status, kind, outcome) => {
		expect(kindOfStatus(status, false)).toBe(kind);
		expect(failureKinds[kind].outcome).toBe(outcome);
	},
);

it('Retry-After means that nothing was applied with HTTP 503 only', () => {
	expect(kindOfStatus(503, true)).toBe('unavailable');
	expect(failureKinds.unavailable.outcome).toBe('notApplied');
	for (const [status, kind] of [
		[500, 'serverError'],
		[502, 'serverError'],
		[504, 'serverError'],
		[429, 'busy'],
		[303, 'redirect'],
	] as const) {
		expect(kindOfStatus(status, true)).toBe(kind);
	}
});

it('docs/errors.md has the outcomes of the code (npm run readme writes them)', () => {
	const { outcomesTable } = createRequire(import.meta.url)('../../../dev/pages/outcomes.cjs') as {
		outcomesTable: (kinds: typeof failureKinds) => string;
	};
	const page = readFileSync(join(process.cwd(), 'docs', 'errors.md'), 'utf8');
	const marked = /<!-- outcomes:start -->([^]*)<!-- outcomes:end -->/.exec(page)?.[1]?.trim();
	expect(marked).toBe(outcomesTable(failureKinds));
});
