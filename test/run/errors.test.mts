import type { IExecuteFunctions } from 'n8n-workflow';
import type { Action } from '../../nodes/shared/run/action.ts';
import type { FailureKind } from '../../nodes/shared/errors/outcomes.ts';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { toNodeError } from '../../nodes/shared/run/errors.ts';

const node = { id: '1', name: 'Payroll', type: 'payroll', typeVersion: 1, position: [0, 0] };
const context = { getNode: () => node } as unknown as IExecuteFunctions;

const read: Pick<Action, 'effect' | 'request'> = { effect: 'read', request: {} };

const key = '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a';
const jwt = `eyJhbGciOiJFUzI1NiJ9.${'Zm9vYmFy'.repeat(9)}.${'c2lnbmF0'.repeat(5)}`;

function shown(message: string): string {
	const error = new ServiceError('refused', message, { details: message });
	const { message: title, context: itsContext } = toNodeError(context, error, 0, read, {}, [
		'demo',
		key,
	]);
	expect(itsContext.data).toEqual({ details: title });
	return title;
}

describe('an error does not repeat a secret that the service repeats', () => {
	it.each([
		['as it is', (secret: string) => secret],
		['URL-encoded', (secret: string) => `header=Bearer%20${encodeURIComponent(secret)}`],
		['in base64', (secret: string) => Buffer.from(secret).toString('base64')],
		[
			'in base64 behind another word',
			(secret: string) => Buffer.from(`key ${secret} end`).toString('base64'),
		],
		[
			'in base64, URL-encoded',
			(secret: string) =>
				`v=${encodeURIComponent(Buffer.from(`? ${secret}`).toString('base64'))}%3D`,
		],
	])('%s', (_way, write) => {
		for (const secret of ['demo', key, jwt]) {
			const title = shown(`Got ${write(secret)} here`);
			expect(title).toMatch(/^Got .*\*\*\*.* here$/);
			expect(title).not.toContain(write(secret));
		}
	});

	it.each([
		['escaped for XML', 'R&amp;D &lt;zuid&gt;'],
		['escaped for XML, in base64', Buffer.from('<D>R&amp;D &lt;zuid&gt;</D>').toString('base64')],
		['escaped for XML, URL-encoded', encodeURIComponent('R&amp;D &lt;zuid&gt;')],
		['in a form', 'Domain=R%26D+%3Czuid%3E'],
	])('a domain with blanks and angle brackets, %s', (_way, written) => {
		const error = new ServiceError('refused', `Got ${written} here`);
		const { message } = toNodeError(context, error, 0, read, {}, ['R&D <zuid>']);
		expect(message).toBe('Got *** here');
	});

	it.each([
		['in JSON', JSON.stringify],
		['in JSON, behind a line break', (secret: string) => JSON.stringify(`\n${secret}\n`)],
		['in HTML', (secret: string) => secret.replace(/"/g, '&quot;').replace(/'/g, '&#39;')],
	])('a key with quotes and a backslash, %s', (_way, write) => {
		const secret = '5f0c\\2c0b7a1e"4d5c9b8a\'7f6e';
		const error = new ServiceError('refused', 'No', { details: `Got ${write(secret)} here` });
		const { details } = toNodeError(context, error, 0, read, {}, [secret]).context.data as {
			details: string;
		};
		expect(details).toMatch(/^Got \W*n?\*\*\*\W*n?\W* here$/);
	});

	it('nor a token of which the end is cut off', () => {
		expect(shown(`Got ${jwt.slice(0, 60)}…`)).toBe('Got ***…');
	});
});

describe('a failure that may pass by itself', () => {
	const failed = (effect: Action['effect'], kind: FailureKind) => {
		const error = new ServiceError(kind, 'No', { description: 'Wait.', passing: true });
		return toNodeError(context, error, 0, { effect, request: {} }, {}, []).description;
	};

	it('of a call that reads is worth another try', () => {
		expect(failed('read', 'serverError')).toBe('Wait. Run it again later.');
	});

	it.each([
		['busy', 'Wait. The change was not applied.'],
		[
			'serverError',
			'Wait. The change may have been applied: look in the payroll service before you send it again.',
		],
	] as const)('of a call that writes (%s) invites to nothing', (kind, description) => {
		expect(failed('write', kind)).toBe(description);
	});

	it('is told from one that stays', () => {
		const error = new ServiceError('reading', 'No', { description: 'Look.' });
		expect(toNodeError(context, error, 0, read, {}, []).description).toBe('Look.');
	});
});

describe('an error that nobody foresaw', () => {
	const keys = { EmployeeId: 1001 };
	const of = (error: unknown) => toNodeError(context, error, 3, read, keys, [key]);
	const unexpected = 'This was not expected. Look at the values and expressions of this item.';

	it.each([
		['an Error', new Error(`No ${key}`), 'No ***', unexpected],
		['no Error', 'thrown', 'The item could not be processed', unexpected],
		['nothing', undefined, 'The item could not be processed', unexpected],
		[
			'with words of its own',
			Object.assign(new Error('No'), { description: `Look ${key}.` }),
			'No',
			'Look ***.',
		],
	])('(%s) has a title, advice, place and item', (_, error, message, advice) => {
		expect(of(error)).toMatchObject({
			name: 'NodeOperationError',
			message,
			description: `${advice} EmployeeId 1001.`,
			context: { itemIndex: 3, data: { request: keys } },
		});
	});
});

it.each([
	'The employee 1001 of demonstration B.V. does not exist.',
	'Cost center R%26D has 100% of the salary, see /api/companies/100/hourcodes',
	'Voorbeeld: SalarisAdministratieMedewerkers/Loonheffingskorting+2026',
])('an error leaves other words alone: %s', (message) => {
	expect(shown(message)).toBe(message);
});
