/* Writes that are not safe. These tests are made by the compiler (`npm run typecheck`): such a write does not compile. */
import type { Plan, ReadCall, WriteCall } from '../../../nodes/shared/run/action.ts';
import type { DecidedCall } from '../../../nodes/shared/run/write.ts';
import type { ServiceAccess } from '../../../nodes/shared/exchange/exchange.ts';
import type { ExchangeRequest } from '../../../nodes/shared/http/send.ts';

const plan: Plan = {
	kind: 'write',
	look: undefined,
	verify: undefined,
	preview: () => ({}),
	notices: [],
	send: async () => ({ records: [], notices: [] }),
};
const call: DecidedCall & WriteCall = {
	effect: 'write',
	subject: 'EmployeeId:1001',
	keys: {},
	content: () => 'content',
	options: { dryRun: false },
	resends: () => 'never',
	plan: async () => plan,
	look: undefined,
};

/** Compiles only where every member is true. */
type AllTrue<T extends readonly true[]> = T['length'];
type Fits<A, B> = [A] extends [B] ? true : false;
type Not<A extends boolean> = A extends true ? false : true;

it('a write does not compile without its effect, keys, content, plan, options, look or rule for tries', () => {
	type Without<P extends keyof typeof call> = Not<Fits<Omit<typeof call, P>, DecidedCall>>;
	const checked: AllTrue<
		[
			Fits<typeof call, DecidedCall>,
			Without<'effect'>,
			Without<'subject'>,
			Without<'keys'>,
			Without<'content'>,
			Without<'plan'>,
			Without<'options'>,
			Without<'resends'>,
			Without<'look'>,
		]
	> = 9;
	expect(checked).toBe(9);
});

it('a plan does not compile without its preview, or with nothing to send', () => {
	type Write = Extract<Plan, { kind: 'write' }>;
	type Nothing = Extract<Plan, { kind: 'nothingToDo' }>;
	const checked: AllTrue<
		[
			Not<Fits<Omit<Write, 'send'>, Plan>>,
			Not<Fits<Omit<Write, 'preview'>, Plan>>,
			Not<Fits<Omit<Nothing, 'record'>, Plan>>,
			Not<Fits<'send', keyof Nothing>>,
		]
	> = 4;
	expect(checked).toBe(4);
});

it('what reads, or only plans, cannot write', () => {
	const request: ExchangeRequest<'write'> = {
		...{ method: 'POST', url: 'http://localhost', address: 'SOAP Address', headers: {} },
		effect: 'write',
	};
	const plans: WriteCall = {
		...call,
		async plan({ exchange }) {
			// @ts-expect-error the exchange only reads
			await exchange(request, () => ({ value: 0 }));
			return plan;
		},
	};
	const reads: ReadCall = {
		...{ effect: 'read', subject: '', keys: {} },
		async read({ exchange }: ServiceAccess) {
			// @ts-expect-error the exchange only reads
			await exchange(request, () => ({ value: 0 }));
			return { records: [], notices: [] };
		},
	};
	const sends: Plan = {
		...plan,
		kind: 'write',
		look: undefined,
		verify: undefined,
		async send({ exchange }) {
			await exchange(request, () => ({ value: 0 }));
			return { records: [], notices: [] };
		},
	};
	expect([plans.effect, reads.effect, sends.kind]).toEqual(['write', 'read', 'write']);
});
