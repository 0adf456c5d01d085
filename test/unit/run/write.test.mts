/* Writes in later tries of a run; test/package/nodes/reruns.test.mts has the tries that n8n makes. */
import { ApplicationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { CancelledError, ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import type { Plan, WriteCall } from '../../../nodes/shared/run/action.ts';
import type { CompletedCall } from '../../../nodes/shared/run/progress.ts';
import { Vault } from '../../../nodes/shared/run/vault.ts';
import { write } from '../../../nodes/shared/run/write.ts';
import { WriteRecord } from '../../../nodes/shared/run/writeRecord.ts';
import type { Connection } from '../../../nodes/shared/credential/connection.ts';
import { accessOf, connectionTo, plainExchange } from '../../support/exchange.mts';
import { inNode } from '../../../dev/package/node-context.mts';
import { inputItems } from '../../support/items.mts';
import { usePackage } from '../../support/setUp.mts';

const payroll = usePackage();

const SECRET = '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a';

/** A call to send, and what differs from the call of the other tries. */
interface Try {
	readonly content?: string;
	readonly dryRun?: boolean;
	readonly resends?: WriteCall['resends'];
	readonly send: () => Promise<readonly IDataObject[]>;
	/** What the plan is, if it is not to send. */
	readonly plan?: () => Plan;
	readonly item?: number;
	readonly execution?: string;
	readonly connection?: Partial<Connection>;
}

/** The outcome of a try. */
interface Tried {
	/** Whether the call was sent. */
	readonly sent: boolean;
	readonly result?: CompletedCall;
	readonly error?: unknown;
}

const getNodeParameter = (_name: string, _index: number, fallback: unknown) => fallback;

/** Makes one try of a run, with a record of its own. */
async function attempt(context: IExecuteFunctions, given: Try): Promise<Tried> {
	const { send, plan, item = 0, execution = '1', connection: changes } = given;
	const { content = 'content', dryRun = false, resends = 'never' } = given;
	const record = new WriteRecord(
		Object.create(context, { getExecutionId: { value: () => execution } }) as IExecuteFunctions,
	);
	let sent = false;
	const connection = connectionTo('http://localhost', { secrets: [SECRET], ...changes });
	const target = {
		...accessOf(plainExchange, { connection }),
		vault: new Vault(connection.clientSecret),
		ofRun: { inVain: 0, doubts: new Set<string>() },
	};
	const call: WriteCall = {
		...{ effect: 'write', subject: '1001', keys: {}, whom: '', options: { dryRun } },
		content: () => content,
		resends,
		records: undefined,
		plan(access) {
			expect(access).toBe(target);
			if (plan) return plan();
			return {
				...{ notices, item: {}, preview: () => ({ operation: 'Insert' }) },
				write: {
					wanted: undefined,
					async send(where) {
						expect(where).toBe(target);
						sent = true;
						return { records: await send(), notices: [] };
					},
				},
			};
		},
	};
	const turn = { toWrite: async () => await Promise.resolve(true), written: () => undefined };
	try {
		const items = inputItems({ getNodeParameter }, [item]);
		return { result: (await write(record, target, items, call, turn)) as CompletedCall, sent };
	} catch (error) {
		return { error, sent };
	}
}

/** Makes tries of one run, one after the other. */
async function tries(...all: Try[]): Promise<Tried[]> {
	return await inNode(payroll, undefined, async (context) => {
		const tried: Tried[] = [];
		for (const one of all) tried.push(await attempt(context, one));
		return tried;
	});
}

const notices = [{ isProblem: true, text: 'Color was not sent' }];
const gives = (...records: IDataObject[]) => ({ send: async () => await Promise.resolve(records) });
const written = (...records: IDataObject[]) => ({
	sent: true,
	result: { records, notices, status: 'written' },
});
const recalled = (...records: IDataObject[]) => ({
	sent: false,
	result: { records, notices: [], status: 'recalled' },
});
const throws = (error: unknown) => ({
	send: async () => await Promise.reject<IDataObject[]>(error as Error),
});
const applied = gives({ Id: 1 });
const other = gives({ Id: 2 });

describe('a write that was applied', () => {
	it('gives its result, and in the next try its records without being sent', async () => {
		expect(await tries(applied, other)).toEqual([written({ Id: 1 }), recalled({ Id: 1 })]);
	});

	it.each<[string, Partial<Try>]>([
		['with other values', { content: 'other' }],
		['at another address', { connection: { soapUrl: 'http://localhost:1' } }],
		['with another namespace', { connection: { soapNamespace: 'http://other.example' } }],
		['in another Domain', { connection: { domain: 'other' } }],
	])('does not replace, in a retry of the execution, a call %s', async (_, changes) => {
		const [, second] = await tries(applied, { ...other, ...changes, execution: '2' });
		expect(second).toEqual(written({ Id: 2 }));
	});

	it('does not replace the call of another item', async () => {
		const [, second] = await tries(applied, { ...other, item: 1 });
		expect(second?.sent).toBe(true);
	});

	it.each<[string, Partial<Try>]>([
		['with other values in the same execution', { content: 'other' }],
		['with a new key or token', { connection: { subscriptionKey: 'new', accessToken: 'new' } }],
		['in a retry of the execution', { execution: '2' }],
	])('replaces the same call %s', async (_, changes) => {
		const [, second] = await tries(applied, { ...other, ...changes });
		expect(second).toEqual(recalled({ Id: 1 }));
	});

	it.each(['1', '2'])(
		'is unknown if the client secret has changed, execution %s',
		async (execution) => {
			const connection = { clientSecret: 'new' };
			const [, second] = await tries(applied, {
				...other,
				content: 'other',
				connection,
				execution,
			});
			expect(second).toMatchObject({
				sent: false,
				error: { outcome: 'unknown', isRecalled: true },
			});
		},
	);
});

describe('an entry of the record', () => {
	/** What the record of a run stores, by the index of the item. */
	const entriesOf = (context: IExecuteFunctions) =>
		(context.getContext('node').written as { calls: Record<number, unknown> }).calls;
	const unknownAndNotSent = { sent: false, error: { outcome: 'unknown', isRecalled: true } };

	it.each(['1', '2'])(
		'that was moved to another item is not opened, execution %s',
		async (execution) => {
			const moved = await inNode(payroll, undefined, async (context) => {
				await attempt(context, applied);
				const entries = entriesOf(context);
				entries[1] = entries[0];
				return await attempt(context, { ...other, item: 1, execution });
			});
			expect(moved).toMatchObject(unknownAndNotSent);
		},
	);

	it('that was moved to another execution is not opened, and others are, in a retry of a retry', async () => {
		const [moved, ...own] = await inNode(payroll, undefined, async (context) => {
			await attempt(context, { ...applied, execution: '7' });
			const entry = entriesOf(context)[0];
			context.getContext('node').written = undefined;
			await attempt(context, { ...applied, item: 1 });
			entriesOf(context)[0] = entry;
			const tried = [await attempt(context, { ...other, execution: '2' })];
			for (const execution of ['2', '3']) {
				tried.push(await attempt(context, { ...other, item: 1, execution }));
			}
			return tried;
		});
		expect(moved).toMatchObject(unknownAndNotSent);
		expect(own).toEqual([recalled({ Id: 1 }), recalled({ Id: 1 })]);
	});
});

it('a call that found nothing to write is sent again in the next try', async () => {
	const record = { written: false };
	const plan = (): Plan => ({ item: record, preview: () => ({}), notices, write: undefined });
	expect(await tries({ ...other, plan }, other)).toEqual([
		{ sent: false, result: { records: [record], notices, status: 'unchanged' } },
		written({ Id: 2 }),
	]);
});

it.each([
	new ServiceError('REFUSED', 'statusRefusal', 'No'),
	new CancelledError('notApplied'),
	new InputError([{ code: 'VALUE_EMPTY', path: ['Period'], text: ' is empty.' }]),
])('a write that was not applied ($name) is sent in the next try', async (error) => {
	const [first, second] = await tries(throws(error), other);
	expect(first).toEqual({ sent: true, error });
	expect(first?.error).toBe(error);
	expect(second).toEqual(written({ Id: 2 }));
});

describe('a write that the service refused with a code', () => {
	const error = new ServiceError('FAULT_CODED', 'faultCoded', '2011: No');

	it('is not sent again by the tries of an execution', async () => {
		const [, ...later] = await tries(throws(error), other, other);
		for (const one of later) {
			const recalledError = { message: '2011: No', outcome: 'refused', isRecalled: true };
			expect(one).toMatchObject({ sent: false, error: recalledError });
		}
	});

	it.each([
		['is not sent again', 'the same', false],
		['with other values is sent', 'other', true],
	])('%s in a retry of the execution, if nothing reads it', async (_, content, isSent) => {
		const first = { ...throws(error), content: 'the same' };
		const [, second] = await tries(first, { ...other, execution: '2', content });
		expect(second).toMatchObject({ sent: isSent });
	});
});

it.each([
	['refused with a code', new ServiceError('FAULT_CODED', 'faultCoded', '2011: No')],
	['not applied', new ServiceError('REFUSED', 'statusRefusal', 'No')],
])(
	'a write with other values that is %s leaves known what a run before applied',
	async (_, error) => {
		const outcome = await inNode(payroll, undefined, async (context) => {
			await attempt(context, applied);
			await attempt(context, { ...throws(error), content: 'other', execution: '2' });
			return new WriteRecord(context).earlierOutcome(inputItems({}, [0]));
		});
		expect(outcome).toBe('applied');
	},
);

describe('a write that may have been applied', () => {
	it('is not sent again: the next tries throw its error, with secrets masked', async () => {
		const fields = { httpStatus: 502, serviceCode: '2011' };
		const details = `Got ${SECRET}`;
		const error = new ServiceError('SERVICE_ERROR', 'serverError', `No ${SECRET}`, 'Wait.', {
			...fields,
			details,
		});
		const [first, ...later] = await tries(throws(error), other, other);
		expect(first?.error).toBe(error);
		for (const one of later) {
			expect(one.sent).toBe(false);
			expect(one.error).toBeInstanceOf(ServiceError);
			expect(one.error).toMatchObject({
				...fields,
				code: 'SERVICE_ERROR',
				description: 'Wait.',
				kind: 'serverError',
				isRecalled: true,
				message: 'No ***',
				details: 'Got ***',
				outcome: 'unknown',
			});
		}
	});

	it.each<[string, unknown, string]>([
		['an unexpected error', new TypeError(`No ${SECRET}`), 'No'],
		['something other than an error', 'thrown', 'thrown'],
		["an error of n8n's", new ApplicationError('Not there'), 'Not there'],
	])('is one that threw %s', async (_, thrown, message) => {
		const [first, second] = await tries(throws(thrown), other);
		const named = {
			kind: 'unexpected',
			message: expect.stringMatching(`^Unexpected error: ${message}`),
			outcome: 'unknown',
		};
		expect(first).toMatchObject({ sent: true, error: named });
		expect(first?.error).toBeInstanceOf(ServiceError);
		expect(second).toMatchObject({ sent: false, error: { ...named, isRecalled: true } });
		expect((second?.error as Error).message).not.toContain(SECRET);
	});

	const interrupted = {
		kind: 'interrupted',
		message: 'The run ended while the call was under way',
		description: 'The execution was stopped before the payroll service had answered.',
		outcome: 'unknown',
	};

	it('is one that was cancelled under way', async () => {
		const cancelled = new CancelledError('unknown');
		const [first, second] = await tries(throws(cancelled), other);
		expect(first?.error).toBe(cancelled);
		expect(second).toMatchObject({ sent: false, error: { ...interrupted, isRecalled: true } });
	});

	it('is one during which n8n was killed', async () => {
		const [inside, outside] = await inNode(payroll, undefined, async (context) => {
			let next: Tried | undefined;
			const send = async (): Promise<IDataObject[]> => {
				next = await attempt(context, other);
				return [];
			};
			const { sent } = await attempt(context, { send });
			return [next, sent];
		});
		expect(inside).toMatchObject({ sent: false, error: { ...interrupted, isRecalled: true } });
		expect(outside).toBe(true);
	});
});

it('after n8n was killed, only calls that read the current records first are sent', async () => {
	const [unread, read] = await inNode(payroll, undefined, async (context) => {
		context.getContext('node').written = { run: 0, calls: {}, followsCrash: true };
		return [
			await attempt(context, { ...other, resends: 'never' }),
			await attempt(context, { ...other, resends: 'afterReading' }),
		];
	});
	const description =
		'It is not known what was applied before, so nothing is sent. Look in the payroll service which changes are missing, and start a new execution with those items.';
	const error = { kind: 'interrupted', description, outcome: 'unknown' };
	expect(unread).toMatchObject({ sent: false, error: { ...error, isRecalled: true } });
	expect(read?.sent).toBe(true);
});

describe('the record of a run', () => {
	/** The node's context after some work with a record. */
	const contextAfter = async (work: (record: WriteRecord) => void): Promise<IDataObject> =>
		await inNode(payroll, undefined, async (context) => {
			work(new WriteRecord(context));
			return await Promise.resolve(context.getContext('node'));
		});

	it('is dropped if n8n does not repeat the run', async () => {
		const after = await contextAfter((record) => {
			record.open();
			record.drop();
		});
		expect(after).toEqual({ written: {} });
	});

	it('states that the run has ended, also without calls', async () => {
		expect(await contextAfter((record) => record.drop())).toEqual({ written: {} });
	});

	it('states that n8n was killed before, also in later rounds of a loop', async () => {
		const [written, later] = await inNode(payroll, undefined, async (context) => {
			const stored = context.getContext('node');
			stored.written = { run: 0, calls: {}, followsCrash: true };
			new WriteRecord(context).drop();
			return [{ ...stored }, await attempt(context, other)];
		});
		expect(written).toEqual({ written: { followsCrash: true } });
		expect(later).toMatchObject({ sent: false, error: { code: 'CALL_INTERRUPTED' } });
	});

	it('states that no call was made, if it is kept', async () => {
		const execution = expect.stringMatching(/^\d+$/) as string;
		const written = { origin: execution, execution, run: 0, calls: {}, followsCrash: false };
		expect(await contextAfter((record) => record.open())).toEqual({ written });
	});
});

it('a dry run shows the plan, also with a read-only credential, and records nothing', async () => {
	const dryRun = { ...applied, dryRun: true, connection: { readOnly: true } };
	const [first, second] = await tries(dryRun, other);
	const records = [{ dryRun: true, written: false, operation: 'Insert' }];
	expect(first).toEqual({ sent: false, result: { records, notices, status: 'dryRun' } });
	expect(second?.sent).toBe(true);
});

it('a read-only credential refuses the call before it is planned', async () => {
	const plan = (): Plan => {
		throw new Error('planned');
	};
	const [refused] = await tries({ ...other, plan, connection: { readOnly: true } });
	expect(refused).toMatchObject({ sent: false, error: { kind: 'readOnly' } });
});

it('a call that does no harm twice is sent in each try', async () => {
	const [first, second] = await tries(
		{ ...throws(new ServiceError('BROKEN', 'broken', 'No')), resends: 'always' },
		{ ...other, resends: 'always' },
	);
	expect(first?.sent).toBe(true);
	expect(second?.sent).toBe(true);
});
