/** What errors hold beside the words that docs/errors.md has. */
import {
	descriptionsDiffer,
	noRefreshToken,
	notRenewed,
	renewalTimeout,
	undecidedFault,
} from '../../../nodes/shared/errors/setupErrors.ts';
import {
	accessRefused,
	faultUnclear,
	redirected,
	refusedStatus,
	tokenRejected,
} from '../../../nodes/shared/errors/requestErrors.ts';
import { invalidValue } from '../../../nodes/shared/errors/InputError.ts';
import type { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { formatValue } from '../../../nodes/shared/errors/words.ts';
import { collectGarbage } from '../../support/garbage.mts';

it('a renewal may succeed later if the identity server is not reached, is late or gives no reason', () => {
	const isTransient = ({ isTransient }: ServiceError) => isTransient;
	expect(isTransient(renewalTimeout())).toBe(true);
	expect((['unreached', 'unexpected'] as const).map(notRenewed).every(isTransient)).toBe(true);
	expect(
		(['invalid_client', 'insecure', 'otherServer'] as const).map(notRenewed).some(isTransient),
	).toBe(false);
	expect(isTransient(noRefreshToken())).toBe(false);
});

it('errors of an answer have its status', () => {
	const errors = [tokenRejected(true), accessRefused(''), redirected('redirect', 303, '')];
	expect(errors.map(({ httpStatus }) => httpStatus)).toEqual([401, 401, 303]);
	expect(refusedStatus('busy', 429, '')).toMatchObject({ httpStatus: 429, isTransient: true });
});

it('a fault that may be about nobody is no reason to try again, and keeps what is known of it', () => {
	const fault = faultUnclear('No').with({ serviceCode: '7', details: 'All' });
	expect(fault.isTransient).toBe(true);
	expect(undecidedFault(fault)).toMatchObject({
		isTransient: false,
		serviceCode: '7',
		details: 'All',
	});
});

it('differences of descriptions are sentences', () => {
	expect(descriptionsDiffer(['A is new', 'B is gone']).description).toMatch(
		/^A is new\. B is gone\. Check/,
	);
});

/** Memory in use: a text that was copied from a buffer may be outside the heap. */
function memory(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

it.each<[string, (text: string) => Error]>([
	['of the service', (text) => faultUnclear(text).with({ description: text, details: text })],
	['of a value', (text) => invalidValue({ text: [text] }, 'is not allowed.')],
])('an error %s keeps no more of a large text than is shown', (_, errorOf) => {
	const before = memory();
	const errors = Array.from({ length: 20 }, (_, i) => {
		return errorOf(JSON.stringify([...Array(2 ** 18).keys(), i]));
	});
	const kept = memory() - before;
	expect(errors).toHaveLength(20);
	expect(kept).toBeLessThan(2 ** 22);
});

it('of a large value no more is read than is shown', () => {
	let read = 0;
	const row = { toJSON: () => (read += 1) };
	expect(formatValue({ rows: Array(1_000_000).fill(row) })).toMatch(/^\{"rows":\[1,2,3,.*\.\.\.$/);
	expect(read).toBeLessThanOrEqual(80);
	expect(formatValue(Array.from({ length: 3 }, (_, i) => ({ i })))).toBe(
		'[{"i":0},{"i":1},{"i":2}]',
	);
});
