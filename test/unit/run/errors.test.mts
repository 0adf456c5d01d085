import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';
import { costCenterUpdate } from '../../../nodes/shared/contract/operations.ts';
import type { Action } from '../../../nodes/shared/run/action.ts';
import type { FailureKind } from '../../../nodes/shared/errors/outcomes.ts';
import { InputError, type Path } from '../../../nodes/shared/errors/InputError.ts';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import {
	errorData,
	failureData,
	presentableError,
	toToolError,
	toNodeError,
} from '../../../nodes/shared/run/errors.ts';

const node = { id: '1', name: 'Payroll', type: 'payroll', typeVersion: 1, position: [0, 0] };
const context = {
	getNode: () => node,
	getNodeParameter: (_name: string, _item: number, fallback: unknown) => fallback,
} as unknown as IExecuteFunctions;

type Shown = Pick<Action, 'effect' | 'request' | 'keys' | 'properties'>;

const read: Shown = { effect: 'read', request: {}, keys: [], properties: [] };

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
		const error = new ServiceError(kind, 'No', { description: 'Wait.', isTransient: true });
		return toNodeError(context, error, 0, { ...read, effect }, {}, []).description;
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

/** An update of cost centers: elements with labels, and rows. */
const update: Shown = { ...costCenterUpdate, properties: [] };
const keys = { EmployeeId: 1001, Period: 6 };

describe('an error of the service', () => {
	const full = new ServiceError('serverError', `No ${key}`, {
		description: `Look ${key}.`,
		...{ httpStatus: 502, serviceCode: '2011', details: `Got ${key}` },
	});
	const bare = new ServiceError('refused', 'No');

	it('of a write has the outcome, whom it is about, the item and all codes', () => {
		const error = toNodeError(context, full, 3, update, keys, [key]);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'No ***',
			description:
				'Look ***. The change may have been applied: look in the payroll service before you send it again. Employee ID 1001, Period 6.',
			httpCode: '502',
		});
		const codes = { httpStatus: 502, serviceCode: '2011', details: 'Got ***' };
		const data = { request: keys, ...codes, outcome: 'unknown' };
		expect(error.context).toMatchObject({ itemIndex: 3, data });
		expect(errorData(error)).toEqual({
			message: error.message,
			description: error.description,
			...data,
		});
	});

	it('has nothing that is not known', () => {
		const error = toNodeError(context, bare, 0, read, {}, []);
		expect(errorData(error)).toStrictEqual({ message: 'No' });
		expect(error).toMatchObject({ httpCode: null, context: { itemIndex: 0, data: {} } });
		expect(toNodeError(context, bare, 0, update, {}, []).description).toBe(
			'The change was not applied.',
		);
	});

	it('does not show a secret that is given as whom the call is about', () => {
		const about = { EmployeeId: key };
		const { description } = toNodeError(context, bare, 0, read, about, [key]);
		expect(description).toBe('EmployeeId ***.');
	});

	it('is cut where it is too long: title and advice at 1000, details at 4000 characters', () => {
		const [long, details] = ['a-'.repeat(501), 'b-'.repeat(2001)];
		const error = new ServiceError('refused', long, { description: long, details });
		expect(failureData(error, [])).toEqual({
			message: `${long.slice(0, 1000)}…`,
			description: `${long.slice(0, 1000)}…`,
			details: `${details.slice(0, 4000)}…`,
		});
		expect(presentableError(error, [])).toMatchObject(failureData(error, []));
	});

	it('that is part of an item has the same as one of a call that reads', () => {
		expect(failureData(full, [key])).toEqual({
			...{ message: 'No ***', description: 'Look ***.' },
			...{ httpStatus: 502, serviceCode: '2011', details: 'Got ***' },
		});
	});

	it('is kept without secrets, and else as it is', () => {
		const transient = new ServiceError('busy', 'No', { isTransient: true });
		for (const error of [bare, transient]) expect(presentableError(error, [key])).toEqual(error);
		const { message, description, details, ...rest } = presentableError(full, [key]);
		expect({ message, description, details }).toEqual({
			...{ message: 'No ***', description: 'Look ***.', details: 'Got ***' },
		});
		expect(rest).toMatchObject({ kind: 'serverError', httpStatus: 502, serviceCode: '2011' });
	});
});

describe('a value that is not allowed', () => {
	const of = (error: InputError, action = update, about: IDataObject = keys, items = [3]) =>
		toNodeError(context, error, 3, action, about, [key], items);
	const problem = (path: Path, text: string) => ({ path, text });
	const code = ['CostCenteren', 2, 'Kostensoort', 'Code'];

	it('is named with its label, and the call with whom it is about', () => {
		const error = of(new InputError([problem(code, ': true is not a text.')]));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: "Row 3, 'Cost Type Code': true is not a text.",
			description:
				'Nothing was written for this item. Correct the value. Employee ID 1001, Period 6.',
			context: { itemIndex: 3, data: { request: keys } },
		});
	});

	it('of a call that reads was not sent', () => {
		const wrong = new InputError([problem(['Period'], `: ${key} is not a number.`)]);
		expect(of(wrong, { ...update, effect: 'read' }, {})).toMatchObject({
			message: "'Period': *** is not a number.",
			description: 'Nothing was sent for this item. Correct the value.',
			context: { data: {} },
		});
	});

	it('is told together with the others of the call', () => {
		const error = of(
			new InputError([problem(['Period'], ' is empty.'), problem(code, ': true is not a text.')]),
		);
		expect(error).toMatchObject({
			message:
				"2 values cannot be used:\n• 'Period' is empty.\n• Row 3, 'Cost Type Code': true is not a text.",
			description:
				'Nothing was written for this item. Correct the values. Employee ID 1001, Period 6.',
		});
	});

	it('is one of ten that are named', () => {
		const rows = (count: number) =>
			of(
				new InputError(
					Array.from({ length: count }, (_, row) =>
						problem(['CostCenteren', row, 'Percentage'], ` ${'x'.repeat(150)}`),
					),
				),
			).message.split('\n');
		expect(rows(10)).toHaveLength(11);
		expect(rows(10).at(-1)).toMatch(/^• Row 10, 'Percentage' x{150}$/);
		expect(rows(12).slice(-2)).toEqual([rows(10).at(-1), '• and 2 more']);
		expect(rows(12)[0]).toBe('12 values cannot be used:');
		expect(rows(100)[0]).toBe('At least 100 values cannot be used:');
	});

	it('belongs to the item that holds it', () => {
		const own = {
			...context,
			getNodeParameter: (name: string, _: number, fallback: unknown) =>
				name === 'specifyCostCenteren' ? 'items' : fallback,
		} as IExecuteFunctions;
		const of = (path: Path) =>
			toNodeError(
				own,
				new InputError([problem(path, ' is empty.')]),
				...([4, update, keys, [], [4, 7, 9]] as const),
			);
		expect(of(code)).toMatchObject({
			message: "Item 9, 'Cost Type Code' (Kostensoort.Code) is empty.",
			context: { itemIndex: 9 },
		});
		expect(of(['EmployeeId'])).toMatchObject({
			message: "Item 4, 'Employee ID' (EmployeeId) is empty.",
			context: { itemIndex: 4 },
		});
	});
});

it.each([
	['the service', new ServiceError('faultUnclear', 'EmployeeExists: No')],
	['a value', new InputError([{ path: [], text: '"ECONNRESET" is not a text.' }])],
	['a failure that nobody foresaw', new Error('read ECONNRESET')],
])(
	'n8n puts no words of its own in place of a message, where %s has a code of Node in it',
	(_, error) => {
		expect(toNodeError(context, error, 0, update, {}, []).message).toBe(error.message);
	},
);

it.each([
	[undefined, 3],
	[0, 0],
])("an error of n8n's own stays what it is, and gets an item where it has none", (own, item) => {
	const error = new NodeOperationError({ ...node, parameters: {} } as never, 'No', {
		...(own !== undefined && { itemIndex: own }),
	});
	expect(toNodeError(context, error, 3, update, keys, [])).toBe(error);
	expect(error.context.itemIndex).toBe(item);
});

describe('what is told to a caller', () => {
	const toCaller = (type: string, message: string, description?: string) => {
		const own = { getNode: () => ({ ...node, type }) } as unknown as IExecuteFunctions;
		const error = toNodeError(
			own,
			new ServiceError('reading', message, { description }),
			0,
			read,
			{},
			[],
		);
		return [error, toToolError(own, error)] as const;
	};

	it.each([
		['Step 1.2 failed.', 'Step 1.2 failed'],
		['No', 'No'],
		['connect ECONNRESET.', 'connect ECONNRESET'],
	])('of a tool is all in the message: %s', (message, sentence) => {
		const [error, told] = toCaller('payrollTool', message, 'Wait. Look.');
		expect(told).toBeInstanceOf(NodeOperationError);
		expect(told.message).toBe(`${sentence}. Wait. Look.`);
		expect(told.description).toBeNull();
		expect(told.context).toBe(error.context);
	});

	it.each([
		['of any other node', 'payroll', 'Wait.'],
		['of a tool, without advice', 'payrollTool', undefined],
	])('is the error as it is: %s', (_, type, description) => {
		const [error, told] = toCaller(type, 'No. 1.', description);
		expect(told).toBe(error);
		expect(told.message).toBe('No. 1.');
	});
});
