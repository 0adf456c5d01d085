/* Writes in later tries of a run; test/package/nodes/reruns.test.mts has the tries that n8n makes. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import {
	CancelledError,
	ServiceError,
	type Text,
} from '../../../nodes/shared/errors/ServiceError.ts';
import type { CallResult, PreparedCall } from '../../../nodes/shared/run/action.ts';
import { sendOnce } from '../../../nodes/shared/run/sendOnce.ts';
import { fingerprint, WriteRecord } from '../../../nodes/shared/run/writeRecord.ts';
import type { Connection } from '../../../nodes/shared/transport/connection.ts';
import { connectionTo, plainExchange } from '../../support/exchange.mts';
import { inNode } from '../../../dev/package/node-context.mts';
import { usePackage } from '../../support/setUp.mts';

const payroll = usePackage();

const SECRET = '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a';

/** A call to send, and what differs from the call of the other tries. */
interface Try {
	readonly send: () => Promise<CallResult>;
	readonly item?: number;
	readonly change?: string;
	readonly readsFirst?: boolean;
	readonly connection?: Partial<Connection>;
}

/** The outcome of a try. */
interface Tried {
	/** Whether the call was sent. */
	readonly sent: boolean;
	readonly result?: CallResult;
	readonly error?: unknown;
	/** Whether the error is one of an earlier try. */
	readonly isRecalled?: boolean;
}

/** Makes one try of a run, with a record of its own. */
async function attempt(context: IExecuteFunctions, given: Try): Promise<Tried> {
	const { send, item = 0, change = 'change', readsFirst, connection } = given;
	const record = new WriteRecord(context);
	let sent = false;
	const target = {
		key: '0',
		context,
		exchange: plainExchange,
		connection: connectionTo('http://localhost', connection),
	};
	const call: PreparedCall & { change: string } = {
		subject: '1001',
		keys: {},
		change,
		...(readsFirst !== undefined && { readsFirst }),
		async send(...where) {
			expect(where).toEqual([target.exchange, target.connection]);
			sent = true;
			return await send();
		},
	};
	try {
		return { result: await sendOnce(record, target, item, call, () => [SECRET]), sent };
	} catch (error) {
		return { error, isRecalled: record.isRecalled(error), sent };
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

const gives = (result: CallResult) => ({ send: async () => await Promise.resolve(result) });
const throws = (error: unknown) => ({
	send: async () => await Promise.reject<CallResult>(error as Error),
});
const applied = gives({ records: [{ Id: 1 }], notSent: ['Color'] });
const other = gives({ records: [{ Id: 2 }] });

describe('a write that was applied', () => {
	it('gives its result, and in the next try its records without being sent', async () => {
		expect(await tries(applied, other)).toEqual([
			{ sent: true, result: { records: [{ Id: 1 }], notSent: ['Color'] } },
			{ sent: false, result: { records: [{ Id: 1 }], isRecalled: true } },
		]);
	});

	it.each<[string, Partial<Try>]>([
		['of another item', { item: 1 }],
		['with other values', { change: 'other' }],
		['at another address', { connection: { soapUrl: 'http://localhost:1' } }],
		['with another namespace', { connection: { soapNamespace: 'http://other.example' } }],
		['in another Domain', { connection: { domain: 'other' } }],
	])('does not replace a call %s', async (_, changes) => {
		const [, second] = await tries(applied, { ...other, ...changes });
		expect(second).toEqual({ sent: true, result: { records: [{ Id: 2 }] } });
	});

	it('replaces the same call with a new key or token', async () => {
		const connection = { subscriptionKey: 'new', accessToken: 'new', secrets: ['new'] };
		const [, second] = await tries(applied, { ...other, connection });
		expect(second?.sent).toBe(false);
	});
});

it('a call that found nothing to write is sent again in the next try', async () => {
	const nothing = { records: [{ written: false }], nothingWritten: true };
	expect(await tries(gives(nothing), other)).toEqual([
		{ sent: true, result: nothing },
		{ sent: true, result: { records: [{ Id: 2 }] } },
	]);
});

it.each([
	new ServiceError('refused', 'No' as Text),
	new CancelledError('notApplied'),
	new InputError([{ path: ['Period'], text: ' is empty.' as Text }]),
])('a write that was not applied ($name) is sent in the next try', async (error) => {
	const [first, second] = await tries(throws(error), other);
	expect(first).toEqual({ sent: true, error, isRecalled: false });
	expect(first?.error).toBe(error);
	expect(second).toEqual({ sent: true, result: { records: [{ Id: 2 }] } });
});

describe('a write that may have been applied', () => {
	it('is not sent again: the next tries throw its error, with secrets masked', async () => {
		const fields = { httpStatus: 502, serviceCode: '2011', description: 'Wait.' as Text };
		const details = `Got ${SECRET}`;
		const error = new ServiceError('serverError', `No ${SECRET}` as Text, { ...fields, details });
		const [first, ...later] = await tries(throws(error), other, other);
		expect(first?.error).toBe(error);
		expect(first?.isRecalled).toBe(false);
		for (const one of later) {
			expect(one).toMatchObject({ sent: false, isRecalled: true });
			expect(one.error).toBeInstanceOf(ServiceError);
			expect(one.error).toMatchObject({
				...fields,
				kind: 'serverError',
				message: 'No ***',
				details: 'Got ***',
				outcome: 'unknown',
			});
		}
	});

	it.each<[string, unknown, string]>([
		['an unexpected error', new TypeError(`No ${SECRET}`), 'No'],
		['something other than an error', 'thrown', 'thrown'],
	])('is one that threw %s', async (_, thrown, message) => {
		const [first, second] = await tries(throws(thrown), other);
		const named = { kind: 'notCarriedOut', message: expect.stringMatching(`^${message}`) };
		expect(first).toMatchObject({ sent: true, isRecalled: false, error: named });
		expect(first?.error).toBeInstanceOf(ServiceError);
		expect(second).toMatchObject({ sent: false, isRecalled: true, error: named });
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
		expect(second).toMatchObject({ sent: false, isRecalled: true, error: interrupted });
	});

	it('is one during which n8n was killed', async () => {
		const [inside, outside] = await inNode(payroll, undefined, async (context) => {
			let next: Tried | undefined;
			const send = async (): Promise<CallResult> => {
				next = await attempt(context, other);
				return { records: [] };
			};
			const { sent } = await attempt(context, { send });
			return [next, sent];
		});
		expect(inside).toMatchObject({ sent: false, isRecalled: true, error: interrupted });
		expect(outside).toBe(true);
	});
});

it('after n8n was killed, only calls that read the current records first are sent', async () => {
	const [unread, read] = await inNode(payroll, undefined, async (context) => {
		context.getContext('node').written = { run: 0, calls: {}, followsCrash: true };
		return [
			await attempt(context, { ...other, readsFirst: false }),
			await attempt(context, { ...other, readsFirst: true }),
		];
	});
	const description =
		'It is not known what was applied before, so nothing is sent. Start a new execution for what is missing.';
	const error = { kind: 'interrupted', description, outcome: 'unknown' };
	expect(unread).toMatchObject({ sent: false, isRecalled: true, error });
	expect(read?.sent).toBe(true);
});

describe('the record of a run', () => {
	/** The node's context after some work with a record. */
	const contextAfter = async (work: (record: WriteRecord) => void): Promise<IDataObject> =>
		await inNode(payroll, undefined, async (context) => {
			work(new WriteRecord(context));
			return await Promise.resolve(context.getContext('node'));
		});

	it('states that the run has ended, also without calls', async () => {
		expect(await contextAfter((record) => record.drop())).toEqual({ written: {} });
	});

	it('states that no call was made, if it is kept', async () => {
		const written = { run: 0, calls: {}, followsCrash: false };
		expect(await contextAfter((record) => record.keep())).toEqual({ written });
	});
});

describe('the fingerprint of a request', () => {
	it('depends on each part, and on where each ends', () => {
		const all = [[], [''], ['ab', 'c'], ['a', 'bc'], ['abc'], ['c', 'ab'], ['a","b'], ['a', 'b']];
		const texts = all.map((parts) => fingerprint(...parts));
		expect(new Set(texts).size).toBe(all.length);
		expect(fingerprint('ab', 'c')).toBe(texts[2]);
	});

	it('is short, and reveals nothing of the parts', () => {
		for (const part of ['', 'Keizersgracht', 'x'.repeat(10_000)]) {
			expect(fingerprint(part)).toMatch(/^[\w-]{22}$/);
		}
	});
});
