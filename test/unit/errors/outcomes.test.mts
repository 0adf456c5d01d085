import { kindOfStatus, outcomes, type FailureKind } from '../../../nodes/shared/errors/outcomes.ts';

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
		expect(outcomes[kind]).toBe(outcome);
	},
);

it('Retry-After means that nothing was applied with HTTP 503 only', () => {
	expect(kindOfStatus(503, true)).toBe('unavailable');
	expect(outcomes.unavailable).toBe('notApplied');
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
