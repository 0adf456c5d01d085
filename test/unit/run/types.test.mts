/* Writes that are not safe. These tests are made by the compiler (`npm run typecheck`): such a write does not compile. */
import type { Plan, ReadCall, WriteCall } from '../../../nodes/shared/run/action.ts';
import type { ServiceAccess } from '../../../nodes/shared/exchange/exchange.ts';
import type { ExchangeRequest } from '../../../nodes/shared/http/send.ts';

const plan: Plan = { notices: [], item: {}, preview: () => ({}) };
const call: WriteCall = {
	...{
		effect: 'write',
		subject: 'EmployeeId 1001',
		keys: {},
		whom: '',
		options: { dryRun: false },
	},
	content: () => 'content',
	resends: 'never',
	records: { resendsRefused: false },
	plan: () => plan,
};

it('what reads, or only plans, cannot write', () => {
	const request: ExchangeRequest<'write'> = {
		...{ method: 'POST', url: 'http://localhost', address: 'SOAP Address', headers: {} },
		effect: 'write',
	};
	const plans: WriteCall = {
		...call,
		async plan({ exchange }) {
			// @ts-expect-error the exchange only reads
			await exchange(request, () => 0);
			return plan;
		},
		records: {
			isReadBefore: true,
			seen: () => ({ values: {} }),
			async read({ exchange }) {
				// @ts-expect-error the exchange only reads
				await exchange(request, () => 0);
				return [];
			},
		},
	};
	const reads: ReadCall = {
		...{ effect: 'read', subject: '', keys: {} },
		async read({ exchange }: ServiceAccess) {
			// @ts-expect-error the exchange only reads
			await exchange(request, () => 0);
			return { records: [], notices: [] };
		},
	};
	const sends: Plan = {
		...plan,
		async send({ exchange }) {
			await exchange(request, () => 0);
			return { records: [], notices: [] };
		},
	};
	expect([plans.effect, reads.effect, sends.wanted]).toEqual(['write', 'read', undefined]);
});
