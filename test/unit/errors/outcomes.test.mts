import {
	type FailureKind,
	kindOfStatus,
	outcomes,
} from '../../../nodes/shared/errors/ServiceError.ts';

it.each<[number, FailureKind, 'notApplied' | 'unknown']>([
	[200, 'unreadable', 'unknown'],
	[299, 'notSuccess', 'unknown'],
	[300, 'redirect', 'unknown'],
	[306, 'redirect', 'unknown'],
	[307, 'redirect', 'unknown'],
	[308, 'redirect', 'unknown'],
	[399, 'redirect', 'unknown'],
	[400, 'clientError', 'unknown'],
	[401, 'tokenRejected', 'notApplied'],
	[402, 'clientError', 'unknown'],
	[403, 'statusRefusal', 'notApplied'],
	[404, 'statusRefusal', 'notApplied'],
	[405, 'statusRefusal', 'notApplied'],
	[406, 'clientError', 'unknown'],
	[407, 'statusRefusal', 'notApplied'],
	[408, 'clientError', 'unknown'],
	[409, 'clientError', 'unknown'],
	[410, 'clientError', 'unknown'],
	[411, 'clientError', 'unknown'],
	[412, 'clientError', 'unknown'],
	[413, 'statusRefusal', 'notApplied'],
	[414, 'clientError', 'unknown'],
	[415, 'statusRefusal', 'notApplied'],
	[416, 'clientError', 'unknown'],
	[418, 'clientError', 'unknown'],
	[422, 'clientError', 'unknown'],
	[425, 'clientError', 'unknown'],
	[429, 'busy', 'notApplied'],
	[499, 'clientError', 'unknown'],
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

it('a fault is proof only if its own content is', () => {
	expect([outcomes.faultRefused, outcomes.faultCoded, outcomes.faultUnclear]).toEqual([
		'notApplied',
		'refused',
		'unknown',
	]);
});

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
