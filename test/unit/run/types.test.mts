/* Writes that are not safe. These tests are made by the compiler (`npm run typecheck`): such a write does not compile. */
import type {
	ChangedRecords,
	Plan,
	ReadCall,
	WriteCall,
} from '../../../nodes/shared/run/action.ts';
import type { ExchangeRequest } from '../../../nodes/shared/http/send.ts';

/** What each of them does when it is asked to write; it is never called. */
interface Writing {
	readonly plan: WriteCall['plan'];
	readonly before: ChangedRecords['read'];
	readonly read: ReadCall['read'];
	readonly send: NonNullable<Plan['send']>;
}

it('what reads, or only plans, cannot write', () => {
	const request = {} as ExchangeRequest<'write'>;
	const writing: Writing = {
		// @ts-expect-error the exchange only reads
		plan: async ({ exchange }) => await exchange(request, () => ({}) as Plan),
		// @ts-expect-error the exchange only reads
		before: async ({ exchange }) => await exchange(request, () => []),
		// @ts-expect-error the exchange only reads
		read: async ({ exchange }) => await exchange(request, () => ({ records: [], notices: [] })),
		send: async ({ exchange }) => await exchange(request, () => ({ records: [], notices: [] })),
	};
	expect(Object.keys(writing)).toHaveLength(4);
});
